/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasklets and hi tasklets: raise of their vector -> tasklet_entry -> tasklet_exit. Needs softirq.c,
 * which keeps the vector that runs and the raise that led to it.
 *
 * A tasklet of its own has no queue tracepoint: several that run in one softirq share its raise, and
 * one that was queued into a softirq which was pending already seems to have waited since then.
 * Queueings are not counted. tasklet_entry: 6.1.159 (stable) and 6.4 or later.
 */

static inline u32 tasklet_key(struct cpu_counts *cpu)
{
	return cpu->softirq_vector == 0 ? KEY_HI_TASKLET : KEY_TASKLET;
}

/* The index of a tasklet function's counts; the owner of the key is the class. */
static inline u32 tasklet_function(u64 function, u32 key)
{
#ifdef COUNT_FUNCTIONS
	struct function_key function_key = {.function = function, .owner = key};
	struct function_value *known = functions.lookup(&function_key);
	struct function_value added = {.key = key};

	return known ? known->index : add_function(&function_key, &added);
#else
	return 0;
#endif
}

RAW_TRACEPOINT_PROBE(tasklet_entry)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 function = ctx->args[1];
	u64 raised_ns;
	u32 key;

	if (!cpu)
		return 0;
	key = tasklet_key(cpu);
	raised_ns = cpu->softirq_raised_ns;
	cpu->tasklet_started_ns = now_ns;
	cpu->tasklet_function = tasklet_function(function, key);
	if (count_start(cpu, key, raised_ns, now_ns))
		count_function_queue_latency(cpu->tasklet_function, now_ns - raised_ns);
#ifdef MIX_BY_TASKLET
	if (function == MIX_FUNCTION)
		count_start(cpu, KEY_FAST_POOL, raised_ns, now_ns);
#endif
	return 0;
}

RAW_TRACEPOINT_PROBE(tasklet_exit)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 started_ns;

	if (!cpu)
		return 0;
	started_ns = cpu->tasklet_started_ns;
	cpu->tasklet_started_ns = 0;
	if (count_end(cpu, tasklet_key(cpu), started_ns, now_ns))
		count_function_service_time(cpu->tasklet_function, now_ns - started_ns);
#ifdef MIX_BY_TASKLET
	if (ctx->args[1] == MIX_FUNCTION)
		count_end(cpu, KEY_FAST_POOL, started_ns, now_ns);
#endif
	return 0;
}
