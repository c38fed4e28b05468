# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # of package-test
#
# The part of package-test that installs the .deb on this machine. Sourced by it.

before=$(traces)
version=$(dpkg-deb -f "$deb" Version)
installed=true # from here on finish() purges
pass_if "dpkg installs the .deb" env DEBIAN_FRONTEND=noninteractive dpkg -i "$deb"

says_its_version() { [[ $(/usr/bin/bhlat --version) == "bhlat ${version/\~/-}" ]]; }
pass_if "the installed bhlat says the package's version" says_its_version

is_not_enabled() {
  ! compgen -G '/etc/systemd/system/*.wants/bhlat.service' && [[ $(pgrep -cf '^[^ ]*java .*/usr/share/bhlat/bhlat.jar serve') == 0 ]]
}
pass_if "the service is neither enabled nor started" is_not_enabled

has_an_archive() { [[ -s $(compgen -G '/var/cache/bhlat/java-*.jsa') ]]; }
pass_if "an archive of classes was made" has_an_archive

# is_quiet: whether nothing but the version is printed, whatever the archive looks like.
is_quiet() { [[ $(/usr/bin/bhlat --version 2>&1) == "bhlat ${version/\~/-}" ]]; }
with_archive_of_rubbish() {
  local archive rc=0
  archive=$(compgen -G '/var/cache/bhlat/java-*.jsa')
  mv "$archive" "$scratch/archive"
  head -c 100000 /dev/urandom >"$archive"
  is_quiet || rc=1
  rm "$archive"
  is_quiet || rc=1
  mv "$scratch/archive" "$archive"
  return $rc
}
pass_if "an archive that is none, or is missing, is ignored without a word" with_archive_of_rubbish

checks_this_host() {
  local rc=0
  bhlat check || rc=$?
  ((rc == 0 || rc == 1)) # 1: something cannot be measured on this kernel
}
pass_if "check runs" checks_this_host

# as_service COMMAND...: what bhlat.service restricts, as far as a machine does that was not booted with
# systemd: the user, three capabilities and no more, a file system that can only be read, a /tmp of its own
# from which nothing is executed, no home, no variables. The shell becomes the command: one process id.
as_service() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  exec unshare --mount sh -ec '
    cd /
    mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs /tmp
    mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs /var/tmp
    findmnt -rno TARGET | grep -v -e "^/tmp$" -e "^/var/tmp$" -e "^/proc" -e "^/dev" | while read -r mounted; do
      mount -o remount,bind,ro "$mounted" 2>/dev/null || true
    done
    ! touch /usr/bhlat-test 2>/dev/null
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin setpriv --reuid=bhlat --regid=bhlat --clear-groups \
      --no-new-privs --bounding-set=-all,+bpf,+perfmon,+syslog \
      --inh-caps=-all,+bpf,+perfmon,+syslog --ambient-caps=-all,+bpf,+perfmon,+syslog "$@"' sh "$@"
}

# await COMMAND...: until it succeeds, for at most two minutes, while the daemon lives.
await() {
  local i
  for ((i = 0; i < 1200; i++)); do
    ! "$@" >/dev/null 2>&1 || return 0
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  cat "$scratch/log"
  return 1
}
serves() { grep -q 'serving on' "$scratch/log"; }

# Shared memory is one of the few places that the daemon may write to here.
loaded=$(mktemp -d /dev/shm/package-test.XXXXXX)
chmod 1777 "$loaded"
(as_service env "BHLAT_JAVA_OPTS=-Xlog:class+load:file=$loaded/classes" \
  /usr/bin/bhlat serve --web.listen-address 127.0.0.1:0) >"$scratch/out" 2>"$scratch/log" &
daemon=$!
pass_if "the daemon attaches and serves with the service's restrictions" await serves
url=$(sed -n 's/.*serving on \(http[^ ]*\).*/\1/p' "$scratch/log")
scrapes() { curl -fsS "$url" | grep '^bhlat_queue_latency_seconds'; }
pass_if "it can be scraped" await scrapes
is_unprivileged() {
  [[ $(stat -c %U "/proc/$daemon") == bhlat ]] && grep -qx "CapBnd:.000000c400000000" "/proc/$daemon/status" &&
    grep -qx $'NoNewPrivs:\t1' "/proc/$daemon/status"
}
pass_if "its process is the service's user, bounded by three capabilities" is_unprivileged
# After attaching it executes itself anew, with the same process id.
is_its_successor() { tr '\0' '\n' <"/proc/$daemon/environ" | grep -q '^BHLAT_HANDOVER=' && ! grep -q libbcc "/proc/$daemon/maps"; }
pass_if "it has executed itself anew, without libbcc" is_its_successor
left_nothing_in_tmp() { nothing_said find "/proc/$daemon/root/tmp" "/proc/$daemon/root/var/tmp" -mindepth 1; }
pass_if "nothing lies in its /tmp once it serves" left_nothing_in_tmp
# Of the classes that come from files at all; those that the JVM makes have another source.
comes_from_the_archive() {
  local shared read
  shared=$(grep -c 'source: shared objects file' "$loaded/classes")
  read=$(grep -c -e 'source: file:' -e 'source: jrt:' "$loaded/classes")
  echo "$shared from the archive, $read not: run agent/packaging/record-classes, and commit what it writes"
  ((shared > 9 * read))
}
pass_if "nine in ten classes come from the archive" comes_from_the_archive
kill -TERM "$daemon" || true
ends_with_0() { wait "$daemon"; }
pass_if "it ends with 0 on SIGTERM" ends_with_0
daemon=
printed_nothing() { nothing_said cat "$scratch/out"; }
pass_if "it printed nothing but its log" printed_nothing

completes() {
  local IFS=$'\n'
  bash -c 'source /usr/share/bash-completion/completions/bhlat
    COMP_WORDS=(bhlat hist --dur); COMP_CWORD=2; COMP_LINE="bhlat hist --dur"; COMP_POINT=16
    _complete_bhlat; printf "%s\n" "${COMPREPLY[@]}"' | grep -x -e --duration
}
pass_if "bash completes an option" completes
has_a_page() { man -w bhlat; }
! has man || pass_if "man finds the page" has_a_page

pass_if "dpkg removes it" dpkg --remove bhlat
keeps_only_configuration() {
  [[ -f /etc/default/bhlat && ! -e /usr/bin/bhlat && ! -e /usr/share/bhlat && ! -e /usr/lib/bhlat && ! -e /var/cache/bhlat ]]
}
pass_if "removed, it leaves its configuration only" keeps_only_configuration
pass_if "dpkg purges it" dpkg --purge bhlat
# shellcheck disable=SC2034 # read by package-test
installed=false
leaves_nothing() { diff <(echo "$before") <(traces); }
pass_if "purged, it leaves nothing" leaves_nothing
