# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Finds a Java that is new enough, without starting it, and what to tell it. Sourced
# by the launchers: that of a checkout (through needs.sh) and that of the packages.

readonly JAVA_LEAST=17

# find_program NAME: sets program to the path of NAME on PATH, "" when there is none. Forks nothing.
find_program() {
  program=
  if hash "$1" 2>/dev/null; then
    program=${BASH_CMDS[$1]}
  fi
}

# java_version BINARY: sets full_version (17.0.15), feature_version (17; 0 when it cannot be told) and
# java_home of a java or javac. Reads the release file that every JDK since 7 carries: asking the binary itself
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
  # shellcheck disable=SC2034 # for the caller
  full_version=${version//[!0-9A-Za-z.+_-]/}
  version=${version%%[!0-9]*} # 1 for the 1.8 of Java 8: as old as it is
  feature_version=${version:-0}
}

# find_java NAME: sets found to a java or javac that is new enough, java_home to its home and full_version
# to its version.
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
      # shellcheck disable=SC2034 # for the caller
      found=$candidate
      return 0
    fi
  done
  return 1
}

# terminal_options: sets terminal_options to what the agent is told about its standard streams: whether
# progress can be shown, and how wide the terminal is.
terminal_options() {
  local size
  terminal_options=()
  if [[ -t 2 ]]; then
    terminal_options+=(-Dbhlat.stderr.terminal=true)
  fi
  if [[ -t 1 ]] && { size=$(stty size <&3 2>/dev/null); } 3<&1 && [[ ${size#* } -gt 0 ]]; then
    terminal_options+=("-Dbhlat.columns=${size#* }")
  fi
}

# jvm_options COMMAND: sets jvm_options to the JVM's options for a command of bhlat, and exports what its
# C library is told. The quick compiler and the smallest collector start fastest and keep least.
jvm_options() {
  jvm_options=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k -XX:-UsePerfData) # no file in /tmp for each process
  if [[ $1 == serve ]]; then
    # Reading a distribution's 250,000 symbols takes more than 32 MB of heap once; then the daemon executes
    # itself with a limit of its own in this one's place. It stays for months: the heap grows only when
    # collecting does not help, and what seldom runs is not compiled.
    jvm_options+=(-Xmx128m -Xms8m -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 -XX:CompileThresholdScaling=4)
    export MALLOC_ARENA_MAX=1
  else
    jvm_options+=(-Xmx128m)
  fi
}
