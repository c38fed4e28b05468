/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The floor of any latency measurement: programs on the three softirq tracepoints that only take
 * the clock. The compiler sees a call through a pointer, which it cannot leave out; the benchmark
 * prints how many instructions the kernel verified, which would show it.
 */

RAW_TRACEPOINT_PROBE(softirq_raise)
{
	bpf_ktime_get_ns();
	return 0;
}

RAW_TRACEPOINT_PROBE(softirq_entry)
{
	bpf_ktime_get_ns();
	return 0;
}

RAW_TRACEPOINT_PROBE(softirq_exit)
{
	bpf_ktime_get_ns();
	return 0;
}
