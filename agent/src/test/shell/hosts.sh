# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables are shared with the tests
#
# Made-up hosts for the tests of the launcher. PATH holds only the few real tools that the launcher
# uses, and stubs of java, javac, mvn, the package managers and id. The stubs write what they were
# called with to $calls; the package managers "install" by sourcing this and making further stubs.

passed=0
failed=0
here=$(CDPATH='' cd -P -- "${BASH_SOURCE[0]%/*}" && pwd)
# Set already where a stub sources this.
: "${scratch:=$(mktemp -d)}"
path=$scratch/path
host=$scratch/host             # stands for / : libraries and /usr/lib/jvm
checkout="$scratch/a checkout" # with a blank, as users have
calls=$scratch/calls
output=$scratch/output
errors=$scratch/errors

# stub NAME SCRIPT: an executable on PATH.
stub() {
  rm -f "$path/$1" # not to write through a link
  printf '#!/bin/bash\n%s\n' "$2" >"$path/$1"
  chmod +x "$path/$1"
}

# put_jdk VERSION: a JDK in the distribution's directory, linked from PATH as distributions do.
put_jdk() {
  put_java "$1"
  local home=$host/usr/lib/jvm/java-$1
  cp "$home/bin/java" "$home/bin/javac"
  ln -sf "$home/bin/javac" "$path/javac"
}

# put_java VERSION: prints its arguments, one a line in angle brackets; exits with $JAVA_EXIT.
put_java() {
  local home=$host/usr/lib/jvm/java-$1
  mkdir -p "$home/bin"
  printf 'IMPLEMENTOR="stub"\nJAVA_VERSION="%s"\n' "$1" >"$home/release"
  # shellcheck disable=SC2016 # expanded by the stub
  stub java 'echo "java $*" >>"$calls"; printf "<%s>\n" "$@"; exit "${JAVA_EXIT:-0}"'
  mv "$path/java" "$home/bin/java"
  ln -sf "$home/bin/java" "$path/java"
}

# put_libbcc CLASS: \x02 in its header for a 64-bit library, \x01 for a 32-bit one.
put_libbcc() {
  mkdir -p "$host/usr/lib64"
  printf '\x7fELF%b' "$1" >"$host/usr/lib64/libbcc.so.0"
}

# put_maven VERSION: builds by creating the jar.
put_maven() {
  # shellcheck disable=SC2016 # expanded by the stub
  stub mvn 'if [[ $* == *-version* ]]; then echo "Apache Maven '"$1"' (stub)"; exit; fi
    echo "mvn $*" >>"$calls"; sleep "${MVN_SECONDS:-0}"
    if [[ ${MVN_EXIT:-0} != 0 ]]; then echo "[ERROR] cannot find symbol"; exit "$MVN_EXIT"; fi
    mkdir -p agent/target; : >agent/target/bhlat.jar'
}

# put_manager NAME: fails when $MANAGER_EXIT is set; knows no package before an update when
# $LISTS_MISSING is set; installs what the package names say.
put_manager() {
  # shellcheck disable=SC2016 # expanded by the stub
  stub "$1" 'source "$hosts"; echo "'"$1"' $*" >>"$calls"
    [[ -e $calls.announced ]] || cp "$errors" "$calls.announced"
    if [[ $* == *update* ]]; then : >"$calls.updated"; exit; fi
    if [[ -n ${LISTS_MISSING:-} && ! -e $calls.updated ]]; then exit 100; fi
    if [[ -n ${MANAGER_EXIT:-} ]]; then echo "E: the mirror is down"; exit "$MANAGER_EXIT"; fi
    for package in "$@"; do
      case $package in
        libbpfcc | bcc) put_libbcc "\\x02" ;;
        openjdk-17-jre-headless | java-17-openjdk-headless) put_java 17.0.1 ;;
        openjdk-17-jdk-headless | java-17-openjdk-devel) put_jdk 17.0.1 ;;
        maven) put_maven "${MAVEN_OFFERED:-3.8.7}" ;;
      esac
    done'
}

# fresh_host: a checkout never built, root, apt-get, and nothing that bhlat needs.
fresh_host() {
  rm -rf "$path" "$host" "$checkout" "$calls"*
  mkdir -p "$path" "$host" "$checkout/agent/bin" "$checkout/agent/src/main/java" "$checkout/bpf/include"
  : >"$calls"
  local tool
  for tool in bash cat chmod cp find flock ln mkdir mktemp mv readlink rm sleep tail touch; do
    ln -s "$(type -P "$tool")" "$path/$tool"
  done
  cp "$here/../../../bin/bhlat" "$here/../../../bin/"{java,needs,setup}.sh "$checkout/agent/bin"
  touch "$checkout"/{pom.xml,agent/pom.xml,agent/src/main/java/Main.java,bpf/work.c,bpf/include/work.h}
  stub id 'echo 0'
  put_manager apt-get
}

# ready_host: as fresh_host, with all that is needed, and built.
ready_host() {
  fresh_host
  put_jdk 17.0.1
  put_libbcc '\x02'
  put_maven 3.8.7
  run hist
  : >"$calls"
}

# run [NAME=VALUE...] [ARGUMENT...]: starts bhlat on the made-up host; leaves code, $output, $errors.
run() {
  local settings=()
  while [[ ${1:-} == [A-Z]*=* ]]; do
    settings+=("$1")
    shift
  done
  code=0
  env -i PATH="$path" BHLAT_SETUP_ROOT="$host" scratch="$scratch" calls="$calls" \
    hosts="$here/hosts.sh" "${settings[@]}" "$checkout/agent/bin/bhlat" "$@" >"$output" 2>"$errors" || code=$?
}

# expect CONDITION...: the test that runs holds only when all of them do.
expect() {
  if ! "$@"; then
    held=false
    echo "  does not hold: $*"
  fi
}

has() { grep -qF -- "$2" "$1"; }
lacks() { ! has "$@"; }
# before FILE A B: A stands in an earlier line than B.
before() { [[ $(<"$1") == *"$2"*"$3"* ]]; }
exits() { ((code == $1)); }
lines() { (($(wc -l <"$1") == $2)); }

# run_tests: runs the functions named test_..., in the order of their names; fails when one of them does.
run_tests() {
  trap 'rm -rf "$scratch"' EXIT
  local name
  for name in $(compgen -A function test_); do
    name=${name#test_}
    held=true
    "test_$name"
    if $held; then
      passed=$((passed + 1))
      echo "ok $name"
    else
      failed=$((failed + 1))
      echo "not ok $name"
      sed 's/^/  stderr: /' "$errors"
    fi
  done

  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}
