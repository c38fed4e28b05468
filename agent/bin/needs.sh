# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What bhlat can need of a host, how to tell that it is there, and in which package it comes. Sourced by
# setup.sh. A need is one word (java, jdk, maven, libbcc, ...): to add one, see meets, need_text and
# package_of.

# shellcheck source-path=SCRIPTDIR source=java.sh
source "${BASH_SOURCE[0]%/*}/java.sh"

readonly MAVEN_LEAST=3.8
# What bpf/lab needs to boot kernels; for those that source this file.
# shellcheck disable=SC2034
readonly -a lab_needs=(qemu busybox cpio kmod xz make gcc)
# What bpf/lab needs to build kernels, beside those.
# shellcheck disable=SC2034
readonly -a kernel_build_needs=(flex bison bc pahole patch libelf)

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
    libelf) [[ -r ${BHLAT_SETUP_ROOT:-}/usr/include/libelf.h ]] ;;
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
    flex | bison | bc | patch) echo "$1, to build the lab's own kernels" ;;
    pahole) echo "pahole, to describe the lab's own kernels (BTF)" ;;
    libelf) echo "libelf's headers, to build the lab's own kernels" ;;
    shellcheck) echo "ShellCheck, to check the shell scripts" ;;
    node) echo "Node.js 18 or newer, to check the dashboards" ;;
    npm) echo "npm, to get what checks the dashboards" ;;
    prometheus) echo "a Prometheus server, to scrape the agent in a test (not left running)" ;;
  esac
}

# package_of NEED: its package for the package manager found.
package_of() {
  # shellcheck disable=SC2154 # manager: set by find_manager
  case $manager:$1 in
    apt-get:java) echo openjdk-17-jre-headless ;;
    apt-get:jdk) echo openjdk-17-jdk-headless ;;
    apt-get:libbcc) echo libbpfcc ;;
    apt-get:libc-headers) echo libc6-dev ;;
    apt-get:kernel-headers) echo linux-headers-amd64 ;;
    apt-get:qemu) echo qemu-system-x86 ;;
    apt-get:busybox) echo busybox-static ;;
    apt-get:xz) echo xz-utils ;;
    *:node) echo nodejs ;;
    apt-get:libelf) echo libelf-dev ;;
    dnf:libelf) echo elfutils-libelf-devel ;;
    dnf:pahole) echo dwarves ;;
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
