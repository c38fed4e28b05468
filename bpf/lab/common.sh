# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
#
# What the commands of the lab share: where its cache is, and how a kernel is named.
# Sourced; a kernel's folder holds root/ (its unpacked packages), release and packages.

# lab: the folder of these files; set by who sources this.
: "${lab:?}"
readonly LAB_CACHE=${BHLAT_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bhlat-lab}
# Kernels of one's own; those of build-kernels unless others are named.
# shellcheck disable=SC2034 # for who sources this
readonly LAB_KERNELS=${BHLAT_LAB_KERNELS:-$LAB_CACHE/built}
readonly EXIT_USAGE=2
# What the lab lacks or cannot get; no exit code that a shell gives for other reasons.
readonly EXIT_LAB=123

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

fail() {
  say "$@"
  exit "$EXIT_LAB"
}

refuse() {
  say "$*; see --help"
  exit "$EXIT_USAGE"
}

# print_help FILE: the comment at the head of a script, without its license.
print_help() {
  awk 'NR > 3 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"
}

# require PROGRAM...: exits unless all are on PATH (a user's PATH on Debian has no sbin). install_option:
# what install must be told to bring them.
require() {
  local program missing=()
  PATH=$PATH:/usr/sbin:/sbin
  for program in "$@"; do
    hash "$program" 2>/dev/null || missing+=("$program")
  done
  ((${#missing[@]} == 0)) || fail "not on this host: ${missing[*]}; install them with: $lab/install${install_option:+ $install_option}"
}

# lock NAME: waits until no other command of the lab works on that part of the cache; held until exit.
lock() {
  mkdir -p "$LAB_CACHE/locks"
  exec 8>"$LAB_CACHE/locks/$1"
  flock 8
}

# bzimage_release FILE: the release in a kernel image's header (Documentation/arch/x86/boot.rst).
bzimage_release() {
  local offset
  offset=$(od -An -t u2 -j $((0x20e)) -N 2 "$1")
  head -c "$((offset + 0x200 + 256))" "$1" | tail -c 256 | tr '\0' '\n' | awk 'NR == 1 { print $1 }'
}

# modules_of FOLDER: the folder of the modules in a kernel's folder; fails if it has none.
modules_of() {
  local folder
  folder=$1/root/lib/modules/$(<"$1/release")
  [[ -d $folder ]] && echo "$folder"
}
