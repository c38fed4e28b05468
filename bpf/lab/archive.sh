# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
#
# Debian's packages of another suite than this host's: downloaded from where the host gets its own, by
# its apt configuration, with lists of packages that are kept apart. Sourced, after common.sh.

# suites_of SERIES: sets suites to those that carry a series, codename to what their lists are kept
# under, and lists to where.
suites_of() {
  case $1 in
    5.10) codename=bullseye suites=(bullseye bullseye-security) ;;
    6.1) codename=bookworm suites=(bookworm bookworm-security) ;;
    6.12) codename=trixie suites=(trixie trixie-security) ;;
    *) codename=trixie-backports suites=(trixie-backports trixie) ;; # that has the C library
  esac
  lists=$LAB_CACHE/apt/$codename
}

# source_entry SUITE: the deb822 entry of a suite, from where the host gets its own Debian packages:
# security updates come from another archive than everything else.
# shellcheck disable=SC2016 # apt expands the format
source_entry() {
  local uri release origin signed_by security
  [[ $1 == *-security ]] && security=true || security=false
  while IFS='|' read -r uri release origin; do
    [[ $origin == Debian ]] || continue
    case $release in
      *-security | */updates) $security || continue ;;
      *-backports* | *-updates) continue ;;
      *) ! $security || continue ;;
    esac
    signed_by=/usr/share/keyrings/debian-archive-keyring.gpg
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n\n' \
      "$uri" "$1" "$signed_by"
    return 0
  done < <(apt-get indextargets --format '$(REPO_URI)|$(RELEASE)|$(ORIGIN)' \
    'Identifier: Packages' 'Component: main')
  say "apt knows no source of Debian's packages that could have a suite $1 (no list fetched yet? apt-get update)"
  return 1
}

# apt COMMAND ARGUMENT...: apt with lists of its own, that knows of no installed package.
apt() {
  local command=$1
  shift
  "$command" -q -o Dir::Etc::SourceList="$lists/lab.sources" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$lists/lists" -o Dir::Cache="$lists/cache" \
    -o Dir::State::status=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

# update_lists: fetches the lists of the suites; a suite that is gone does not take the others along.
update_lists() {
  local suite log
  mkdir -p "$lists/lists" "$lists/cache"
  for suite in "${suites[@]}"; do
    source_entry "$suite" || exit "$EXIT_LAB"
  done >"$lists/lab.sources"
  log=$lists/update.log
  say "fetching the package lists of ${suites[*]}"
  apt apt-get update >"$log" 2>&1 || { tail -n 5 "$log" >&2; say "not all lists could be fetched; trying with the rest"; }
}
