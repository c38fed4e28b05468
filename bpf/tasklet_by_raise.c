/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasklets where functions cannot be probed: raise of their vector -> tasklet_entry. Needs softirq.c,
 * which keeps the vector that runs and the raise that led to it.
 *
 * Several tasklets that run in one softirq share its raise, and one that was queued into a softirq which
 * was pending already seems to have waited since then. Queueings are not counted.
 */

int tasklet_entry_after_raise(struct bpf_raw_tracepoint_args *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 function = ctx->args[1];
	bool fast_pool;
	u64 raised_ns;
	u64 key;
	u32 index;

	if (!cpu)
		return 0;
	key = cpu->softirq_vector == 0 ? KEY_HI_TASKLET : KEY_TASKLET;
	raised_ns = cpu->softirq_raised_ns;
	index = tasklet_function(function, key);
	fast_pool = is_mix_function(function);
	tasklet_runs(cpu, key, index, fast_pool, now_ns);
	if (count_start(cpu, key, QUEUE_HISTOGRAM(key), raised_ns, now_ns))
		count_function_queue_latency(index, now_ns - raised_ns);
	if (fast_pool)
		count_mixing(cpu, KEY_FAST_POOL_TASKLET, raised_ns, now_ns);
	return 0;
}
