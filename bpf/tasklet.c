/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasklets and hi tasklets, what all ways of measuring them share: the function that runs and its
 * service time, tasklet_entry -> tasklet_exit. tasklet_entry: 6.1.159 (stable) and 6.4 or later.
 */

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

/* A tasklet runs until tasklet_exit on this CPU. */
static inline void tasklet_runs(struct cpu_counts *cpu, u64 key, u32 function, bool fast_pool, u64 now_ns)
{
	cpu->tasklet_started_ns = now_ns;
	cpu->tasklet_function = function;
	cpu->tasklet_key = key;
	cpu->tasklet_mixes = fast_pool;
}

static inline int tasklet_ends(struct cpu_counts *cpu, u64 now_ns)
{
	u64 started_ns = cpu->tasklet_started_ns;
	u64 key;

	cpu->tasklet_started_ns = 0;
	key = cpu->tasklet_key == KEY_HI_TASKLET ? KEY_HI_TASKLET : KEY_TASKLET;
	if (!count_end(cpu, key, started_ns, now_ns))
		return 0;
	count_function_service_time(cpu->tasklet_function, now_ns - started_ns);
	if (cpu->tasklet_mixes)
		count_end(cpu, KEY_FAST_POOL_TASKLET, started_ns, now_ns);
	return 0;
}

RAW_TRACEPOINT_PROBE(tasklet_exit)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();

	return cpu ? tasklet_ends(cpu, now_ns) : 0;
}
