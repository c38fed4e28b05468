# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # shares its variables with overhead
#
# What bpf/bench/overhead compares. To add one, call contender once more.

# contender NAME EVENTS READY WHAT COMMAND...
#   NAME    one word, for the command line
#   EVENTS  on how many of softirq_raise, softirq_entry and softirq_exit it has a program
#   READY   what it prints, on stdout or stderr, once everything is attached
#   WHAT    for the table, at most 40 characters
#   COMMAND runs until SIGTERM, or until its standard input ends
# The first one attaches nothing; all are compared with it.
names=()
declare -A events ready_text what command_of
contender() {
  names+=("$1")
  events[$1]=$2
  ready_text[$1]=$3
  what[$1]=$4
  printf -v "command_of[$1]" '%q ' "${@:5}"
}

softirq=(softirq_raise softirq_entry softirq_exit)
bench_probes=("$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m
  -cp "$work/classes:$root/agent/target/bhlat.jar" io.bhlat.trace.bcc.BenchProbes)
serve=("$root/agent/bin/bhlat" serve --web.listen-address 127.0.0.1:0)

contender nothing 0 '' 'nothing attached' true
contender empty 3 attached 'three empty programs' \
  "${bench_probes[@]}" "$root/bpf/bench/empty.c" "${softirq[@]}"
contender clock 3 attached 'three that take the clock: the floor' \
  "${bench_probes[@]}" "$root/bpf/bench/clock.c" "${softirq[@]}"
contender bhlat-softirq 3 'serving on' 'bhlat serve --class softirq' "${serve[@]}" --class softirq
contender bhlat-all 3 'serving on' 'bhlat serve' "${serve[@]}"

# The contender that the others' ratios are of.
floor=clock
