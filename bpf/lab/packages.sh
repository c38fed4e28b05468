# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
#
# Packages of other Debian suites: downloaded and unpacked, not installed. The host's own packages and
# their lists stay as they are. The source is that of the host's own packages (apt's configuration),
# with the name of another suite.
# Sourced after common.sh. Who calls these has set suites; codename, what their lists are kept under;
# lists, the folder of those; and new, a folder whose root/ takes what is unpacked.

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

# update_lists: fetches the lists of the suites; one that is gone, or whose archive the host does not
# use, does not take the others along.
update_lists() {
  local suite log
  mkdir -p "$lists/lists" "$lists/cache"
  for suite in "${suites[@]}"; do
    source_entry "$suite" || true
  done >"$lists/lab.sources"
  [[ -s $lists/lab.sources ]] || exit "$EXIT_LAB"
  log=$lists/update.log
  say "fetching the package lists of ${suites[*]}"
  apt apt-get update >"$log" 2>&1 || { tail -n 5 "$log" >&2; say "not all lists could be fetched; trying with the rest"; }
}

# unpack PACKAGE...: downloads the packages and unpacks them into the new folder.
unpack() {
  local package
  say "downloading $*"
  (cd "$new" && apt apt-get download "$@" >download.log 2>&1) \
    || { tail -n 5 "$new/download.log" >&2; fail "downloading $* failed"; }
  for package in "$new"/*.deb; do
    basename -- "$package" >>"$new/packages"
    dpkg-deb --extract "$package" "$new/root"
    rm "$package"
  done
  rm "$new/download.log"
}
