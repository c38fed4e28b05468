# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What bhlat needs on a host, how to tell that it is there, and how to install it.
# Sourced by bhlat and verify; the only place that knows package names and calls a package manager.
#
# A need is one word (java, jdk, maven, libbcc, ...). To add one: meets, need_text and package_of.
# BHLAT_SETUP_ROOT is put before the fixed directories looked at here. For the launcher's tests only.

# Exit codes, the same as the Java agent's.
readonly EXIT_NOT_PERMITTED=3
readonly EXIT_CANNOT=4
readonly JAVA_LEAST=17
readonly MAVEN_LEAST=3.8
# What bpf/lab needs to boot kernels; for those that source this file.
# shellcheck disable=SC2034
readonly -a lab_needs=(qemu busybox cpio kmod xz make gcc)

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# find_program NAME: sets program to the path of NAME on PATH, "" when there is none. Forks nothing.
find_program() {
  program=
  if hash "$1" 2>/dev/null; then
    program=${BASH_CMDS[$1]}
  fi
}

# java_version BINARY: sets feature_version (17, 21, ...; 0 when it cannot be told) and java_home of
# a java or javac. Reads the release file that every JDK since 7 carries: asking the binary itself
# starts a JVM, which costs more than all the rest of the launcher.
java_version() {
  local binary=$1 line version=
  feature_version=0
  if [[ -L $binary ]]; then
    binary=$(readlink -f -- "$binary")
  fi
  java_home=${binary%/bin/*}
  if [[ -r $java_home/release ]]; then
    while IFS= read -r line || [[ -n $line ]]; do
      if [[ $line =~ ^JAVA_VERSION=\"(.*)\" ]]; then
        version=${BASH_REMATCH[1]}
        break
      fi
    done <"$java_home/release"
  fi
  if [[ -z $version ]]; then
    line=$("$binary" -version 2>&1 </dev/null || true)
    if [[ $line =~ (version\ \"|javac\ )([0-9][0-9.]*) ]]; then
      version=${BASH_REMATCH[2]}
    fi
  fi
  version=${version%%[!0-9]*} # 1 for the 1.8 of Java 8: as old as it is
  feature_version=${version:-0}
}

# find_java NAME: sets found to a java or javac that is new enough, and java_home to its home.
# The user's choice first (JAVA_HOME, then PATH); one of them being too old is no reason to install
# anything while a newer one lies in the distribution's directory.
find_java() {
  local name=$1 candidate
  find_program "$name"
  for candidate in "${JAVA_HOME:+$JAVA_HOME/bin/$name}" "$program" \
    "${BHLAT_SETUP_ROOT:-}"/usr/lib/jvm/*/bin/"$name"; do
    [[ -x $candidate ]] || continue
    java_version "$candidate"
    if ((feature_version >= JAVA_LEAST)); then
      found=$candidate
      return 0
    fi
  done
  return 1
}

# Asking mvn its version takes a JDK; without one Maven is trusted, and asked once there is one.
maven_is_new_enough() {
  local line
  find_program mvn
  [[ -n $program ]] || return 1
  [[ -n ${jdk_home:-} ]] || return 0
  line=$(JAVA_HOME=$jdk_home "$program" -B -version 2>&1 </dev/null || true)
  [[ $line =~ Apache\ Maven\ ([0-9]+)\.([0-9]+) ]] || return 1
  ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] >= ${MAVEN_LEAST%.*} * 1000 + ${MAVEN_LEAST#*.}))
}

# A library of the JVM's own word size that dlopen finds by its soname. The directories of the
# distributions first, for they cost no process; then whatever else the loader is configured with.
libbcc_is_there() {
  local directory header LC_ALL=C
  for directory in "/usr/lib/$HOSTTYPE-linux-gnu" /usr/lib64; do
    directory=${BHLAT_SETUP_ROOT:-}$directory
    if [[ -r $directory/libbcc.so.0 ]]; then
      IFS= read -r -N 5 header <"$directory/libbcc.so.0" || true
      [[ $header != $'\x7fELF\x02' ]] || return 0
    fi
  done
  find_program ldconfig
  # A user's PATH on Debian has no sbin.
  [[ -n $program ]] || program=${BHLAT_SETUP_ROOT:-}/sbin/ldconfig
  [[ -x $program ]] || return 1
  [[ $("$program" -p) =~ libbcc\.so\.0\ \(libc6,(x86-64|AArch64)\) ]]
}

# meets NEED: whether this host meets it.
meets() {
  case $1 in
    java)
      find_java java || return 1
      # shellcheck disable=SC2034 # read by bhlat
      java=$found
      ;;
    jdk)
      jdk_home=
      find_java javac || return 1
      jdk_home=$java_home
      ;;
    maven) maven_is_new_enough ;;
    libbcc) libbcc_is_there ;;
    libc-headers) [[ -r ${BHLAT_SETUP_ROOT:-}/usr/include/stdio.h ]] ;;
    kernel-headers) compgen -G "${BHLAT_SETUP_ROOT:-}/lib/modules/*/build/include" >/dev/null ;;
    qemu)
      find_program qemu-system-x86_64
      [[ -n $program ]]
      ;;
    kmod) # depmod and modprobe; a user's PATH on Debian has no sbin
      [[ -x ${BHLAT_SETUP_ROOT:-}/sbin/depmod ]]
      ;;
    *) # a program of that name
      find_program "$1"
      [[ -n $program ]]
      ;;
  esac
}

# need_text NEED: what is needed and what for, to follow the name of a package.
need_text() {
  case $1 in
    java) echo "Java $JAVA_LEAST or newer, to run the agent" ;;
    jdk) echo "a JDK $JAVA_LEAST or newer (javac), to build and run the agent" ;;
    maven) echo "Maven $MAVEN_LEAST or newer, to build the agent" ;;
    libbcc) echo "libbcc.so.0 (64-bit), which compiles and loads the BPF programs" ;;
    gcc) echo "a C compiler, to test the programs' arithmetic on the host" ;;
    libc-headers) echo "the C library's headers, for the same tests" ;;
    kernel-headers) echo "headers of any kernel, to test what is done where a kernel has no BTF" ;;
    qemu) echo "QEMU for x86-64, to boot kernels in the lab" ;;
    busybox) echo "a static busybox, with which the lab's kernels start" ;;
    cpio) echo "cpio, to make the lab's initial RAM file systems" ;;
    kmod) echo "depmod and modprobe, to find the modules of the lab's kernels" ;;
    xz) echo "xz, to unpack the modules of the lab's kernels" ;;
    make) echo "make, to build the lab's kernel modules" ;;
    shellcheck) echo "ShellCheck, to check the shell scripts" ;;
    prometheus) echo "a Prometheus server, to scrape the agent in a test (not left running)" ;;
  esac
}

# package_of NEED: its package for the package manager found.
package_of() {
  case $manager:$1 in
    apt-get:java) echo openjdk-17-jre-headless ;;
    apt-get:jdk) echo openjdk-17-jdk-headless ;;
    apt-get:libbcc) echo libbpfcc ;;
    apt-get:libc-headers) echo libc6-dev ;;
    apt-get:kernel-headers) echo linux-headers-amd64 ;;
    apt-get:qemu) echo qemu-system-x86 ;;
    apt-get:busybox) echo busybox-static ;;
    apt-get:xz) echo xz-utils ;;
    dnf:qemu) echo qemu-kvm ;;
    dnf:java) echo java-17-openjdk-headless ;;
    dnf:jdk) echo java-17-openjdk-devel ;;
    dnf:libbcc) echo bcc ;;
    dnf:libc-headers) echo glibc-devel ;;
    dnf:kernel-headers) echo kernel-devel ;;
    dnf:shellcheck) echo ShellCheck ;;
    dnf:prometheus) echo golang-github-prometheus ;;
    *) echo "$1" ;;
  esac
}

# find_missing NEED...: sets missing to the needs that this host does not meet.
find_missing() {
  local need
  missing=()
  for need in "$@"; do
    # A JDK brings its own java: one package, not two.
    if [[ $need == java && " ${missing[*]} " == *" jdk "* ]]; then
      continue
    fi
    meets "$need" || missing+=("$need")
  done
}

# find_manager: sets manager to apt-get or dnf, "" when this host has neither; and install, the
# command to put package names after.
find_manager() {
  manager=
  if hash apt-get 2>/dev/null; then
    manager=apt-get
    install=(apt-get install -y --no-install-recommends)
  elif hash dnf 2>/dev/null; then
    manager=dnf
    install=(dnf install -y --setopt=install_weak_deps=False)
  fi
}

# say_missing: one line for each missing need, with its package where packages are known.
say_missing() {
  local need package
  for need in "${missing[@]}"; do
    package=
    [[ -z $manager ]] || printf -v package '%-24s ' "$(package_of "$need")"
    say "  $package$(need_text "$need")"
  done
}

# ensure NEED...: returns when this host meets all of them. Installs what is missing as root, after
# saying it; exits with EXIT_CANNOT or EXIT_NOT_PERMITTED and the remedy where it may not or cannot.
# Name jdk before java and maven.
ensure() {
  local need command packages=()
  find_missing "$@"
  ((${#missing[@]})) || return 0
  find_manager
  if [[ -z $manager ]]; then
    say "missing on this host, which has neither apt-get nor dnf; install by hand:"
    say_missing
    exit "$EXIT_CANNOT"
  fi
  for need in "${missing[@]}"; do
    packages+=("$(package_of "$need")")
  done
  command="${install[*]} ${packages[*]}"
  [[ $manager != apt-get ]] || command="apt-get update && $command"
  if [[ ${BHLAT_NO_SETUP:-0} != 0 ]]; then
    say "missing, and installing is forbidden (--no-setup or BHLAT_NO_SETUP):"
    say_missing
    say "install them as root with: $command"
    exit "$EXIT_CANNOT"
  fi
  if (($(id -u) != 0)); then
    say "missing, and only root can install them:"
    say_missing
    say "run as root: $command"
    exit "$EXIT_NOT_PERMITTED"
  fi
  say "missing; installing with $manager, which may take minutes:"
  say_missing
  install_packages "${packages[@]}"
  check_installed "$@"
}

# check_installed NEED...: a package that is installed need not be new enough.
check_installed() {
  hash -r
  find_missing "$@"
  ((${#missing[@]})) || return 0
  say "still missing, though $manager installed its packages (are they too old?); install by hand:"
  say_missing
  exit "$EXIT_CANNOT"
}

# install_packages PACKAGE...: exits with the package manager's last words when it fails.
install_packages() {
  local log failed=false
  log=$(mktemp)
  hold_services "$@"
  install_now "$@" >"$log" 2>&1 </dev/null || failed=true
  release_services
  if $failed; then
    say "$manager failed; its last lines were:"
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "repair what they name (network, package sources, disk space, a held lock); then start again,"
    say "or run: $command"
    exit "$EXIT_CANNOT"
  fi
  rm -f "$log"
}

# The lists of packages are fetched only when those at hand do not serve: none on a fresh machine,
# or so old that the mirror no longer has their packages. Waits for the unattended upgrades that a
# fresh machine begins with, and for another bhlat.
install_now() {
  local -x DEBIAN_FRONTEND=noninteractive
  if [[ $manager == apt-get ]]; then
    install+=(-o DPkg::Lock::Timeout=300)
    "${install[@]}" "$@" || { apt-get update && "${install[@]}" "$@"; }
  else
    "${install[@]}" "$@"
  fi
}

# Debian's prometheus package starts a server and enables it at boot. hold_services keeps it from
# starting by the policy file that Debian's maintainer scripts ask; release_services takes that file
# away and the service out of the boot. A policy of the host's own (containers have one) is left.
hold_services() {
  local policy=/usr/sbin/policy-rc.d
  held_policy='' held_service=''
  [[ $manager == apt-get && " $* " == *" prometheus "* ]] || return 0
  held_service=prometheus
  [[ ! -e $policy ]] || return 0
  held_policy=$policy
  trap release_services EXIT
  # shellcheck disable=SC2016 # $1 is the policy's own
  printf '%s\n' '#!/bin/sh' \
    '# Written by verify of bhlat while it installs packages; may be deleted afterwards.' \
    'case $1 in prometheus*) exit 101 ;; esac' >"$policy"
  chmod 755 "$policy"
}

release_services() {
  [[ -n $held_service ]] || return 0
  if [[ -n $held_policy ]]; then
    rm -f "$held_policy"
    trap - EXIT
  fi
  # Of systemd and of SysV init alike; the service is not there when installing it failed.
  if [[ -e /etc/init.d/$held_service ]] && ! update-rc.d "$held_service" disable >/dev/null; then
    say "cannot take the service $held_service out of the boot; do it by hand"
  fi
  held_service=
}
