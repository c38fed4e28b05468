/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Work items: queue -> activate -> start -> end, by the item's address, whatever CPU each happens
 * on. Threaded and BH workqueues are told apart by the workqueue's flags.
 *
 * Flush barriers are queued by insert_work without workqueue_queue_work: they are told by function.
 */

#define WQ_BH 1 /* since 6.9; the bit was unused before */

/* Work item and task -> start; removed at end; full: LOSS_RUNNING_FULL */
BPF_TABLE("hash", struct running_key, struct running_value, running, MAX_RUNNING);

static inline u32 workqueue_key(u64 workqueue)
{
#ifdef WORKQUEUE_STRUCT_FLAGS_OFFSET
	u32 flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), (void *)(workqueue + WORKQUEUE_STRUCT_FLAGS_OFFSET));
	return flags & WQ_BH ? KEY_BH_WORKQUEUE : KEY_WORKQUEUE;
#else
	return KEY_WORKQUEUE;
#endif
}

/* Fills in the function's index and the work key of a stamp. */
static inline void stamp_function(struct stamp *stamp, u64 function, u64 pool_workqueue)
{
#ifdef POOL_WORKQUEUE_WQ_OFFSET
	u64 workqueue = read_u64(pool_workqueue + POOL_WORKQUEUE_WQ_OFFSET);
#else
	u64 workqueue = 0;
#endif
#ifdef COUNT_FUNCTIONS
	struct function_key key = {.function = function, .owner = workqueue};
	struct function_value *known = functions.lookup(&key);
	struct function_value added = {};

	if (known) {
		stamp->function = known->index;
		stamp->key = known->key;
		return;
	}
	added.key = workqueue_key(workqueue);
#ifdef WORKQUEUE_STRUCT_NAME_OFFSET
	bpf_probe_read_kernel(added.workqueue, WORKQUEUE_NAME_SIZE,
			      (void *)(workqueue + WORKQUEUE_STRUCT_NAME_OFFSET));
#endif
	stamp->key = added.key;
	stamp->function = add_function(&key, &added);
#else
	stamp->key = workqueue_key(workqueue);
#endif
}

RAW_TRACEPOINT_PROBE(workqueue_queue_work)
{
	struct stamp stamp = {.queued_ns = bpf_ktime_get_ns()};
	struct cpu_counts *cpu = this_cpu();
	u64 work = ctx->args[2];
	u64 function = read_u64(work + WORK_STRUCT_FUNC_OFFSET);

	if (!cpu)
		return 0;
	stamp_function(&stamp, function, ctx->args[1]);
	stamp.fast_pool = mixes_fast_pool(cpu, function);
	add_stamp(cpu, work, &stamp);
	return 0;
}

/* Follows queue_work at once unless max_active is reached. */
RAW_TRACEPOINT_PROBE(workqueue_activate_work)
{
	u64 now_ns = bpf_ktime_get_ns();
	u64 work = ctx->args[0];
	struct stamp *stamp = pending.lookup(&work);

	if (!stamp || stamp->activated_ns)
		stamp = second_stamp(work);
	if (stamp && !stamp->activated_ns)
		stamp->activated_ns = now_ns;
	return 0;
}

static inline void count_activation(struct cpu_counts *cpu, struct stamp *stamp, u64 key)
{
	if (stamp->activated_ns >= stamp->queued_ns)
		count_latency(&cpu->histograms[ACTIVATION_HISTOGRAM(key)],
			      stamp->activated_ns - stamp->queued_ns);
}

/* Of the two, the one that a value read from a map means. */
static inline u64 work_key(u8 key)
{
	return key == KEY_BH_WORKQUEUE ? KEY_BH_WORKQUEUE : KEY_WORKQUEUE;
}

RAW_TRACEPOINT_PROBE(workqueue_execute_start)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 work = ctx->args[0];
	struct running_key key = {.work = work, .task = bpf_get_current_task()};
	struct running_value value = {.started_ns = now_ns, .key = KEY_WORKQUEUE};
	struct stamp stamp = {};

	if (!cpu)
		return 0;
	if (take_stamp(cpu, work, work + WORK_STRUCT_DATA_OFFSET, now_ns, &stamp)) {
		value.key = stamp.key;
		value.function = stamp.function;
		value.fast_pool = stamp.fast_pool;
		count_stamped_start(cpu, &stamp, now_ns);
		count_activation(cpu, &stamp, work_key(stamp.key));
#ifdef FLUSH_BARRIER_FUNCTION
	} else if (read_u64(work + WORK_STRUCT_FUNC_OFFSET) == FLUSH_BARRIER_FUNCTION) {
		__sync_fetch_and_add(&cpu->counts[KEY_WORKQUEUE].flush_barriers, 1);
		return 0;
#endif
	} else {
		value.function = NO_FUNCTION;
		count_lost(cpu, KEY_WORKQUEUE, LOSS_NO_QUEUE_SEEN);
	}
	if (running.update(&key, &value))
		count_lost(cpu, work_key(value.key), LOSS_RUNNING_FULL);
	return 0;
}

/* The item may be freed by now: its address is a name, nothing is read through it. */
RAW_TRACEPOINT_PROBE(workqueue_execute_end)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	struct running_key key = {.work = ctx->args[0], .task = bpf_get_current_task()};
	struct running_value *found;
	struct running_value value;

	if (!cpu)
		return 0;
	found = running.lookup(&key);
	if (!found) {
#if defined(FLUSH_BARRIER_FUNCTION) && !defined(EXECUTE_END_WITHOUT_FUNCTION)
		if (ctx->args[1] == FLUSH_BARRIER_FUNCTION) /* the argument came in 5.10 */
			return 0;
#endif
		count_lost(cpu, KEY_WORKQUEUE, LOSS_NO_START_SEEN);
		return 0;
	}
	value = *found;
	running.delete(&key);
	count_end(cpu, work_key(value.key), value.started_ns, now_ns);
	count_function_service_time(value.function, now_ns - value.started_ns);
	if (value.fast_pool)
		count_end(cpu, KEY_FAST_POOL_WORKQUEUE, value.started_ns, now_ns);
	return 0;
}
