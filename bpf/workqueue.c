/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Work items: queue -> activate -> start -> end, by the item's address, whatever CPU each happens
 * on. Threaded and BH workqueues are told apart by the workqueue's flags.
 *
 * The kernel clears PENDING before workqueue_execute_start, so that an item can be queued again
 * before its first start is seen. Its second stamp then waits under SECOND_STAMP(work); see
 * take_stamp. Every stamp leaves the map exactly once, by a deletion that succeeded, and whoever
 * deleted it counts it: queued = started + pending + lost whatever the order of things.
 *
 * Flush barriers are queued by insert_work without workqueue_queue_work: they are told by function.
 */

/* Work items are aligned; an odd key is the second stamp of the item before it. */
#define SECOND_STAMP(work) ((work) | 1)

#define WORK_STRUCT_PENDING 1
#define WQ_BH 1 /* since 6.9; the bit was unused before */

/*
 * Work item -> stamp; removed at start, or by the agent when it grew too old (cancelled items leave
 * theirs behind); full: LOSS_PENDING_FULL
 */
BPF_TABLE("hash", u64, struct work_stamp, pending, MAX_PENDING);

/* Work item and task -> start; removed at end; full: LOSS_RUNNING_FULL */
BPF_TABLE("hash", struct running_key, struct running_value, running, MAX_RUNNING);

static inline u64 read_u64(u64 address)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (void *)address);
	return value;
}

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
static inline void stamp_function(struct work_stamp *stamp, u64 function, u64 pool_workqueue)
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

/* A loss of a queued item, which is one of the fast pool's too if it mixes it. */
static inline void lose(struct cpu_counts *cpu, u32 key, u8 fast_pool, u32 reason)
{
	count_lost(cpu, key, reason);
	if (fast_pool)
		count_lost(cpu, KEY_FAST_POOL, reason);
}

static inline void lose_unstored(struct cpu_counts *cpu, struct work_stamp *stamp, int error)
{
	lose(cpu, stamp->key, stamp->fast_pool,
	     error == -E2BIG ? LOSS_PENDING_FULL : LOSS_PENDING_BUSY);
}

/* The item has a stamp: it is queued again before its start was seen, or was cancelled. */
static inline void add_second_stamp(struct cpu_counts *cpu, u64 work, struct work_stamp *stamp)
{
	u64 second = SECOND_STAMP(work);
	struct work_stamp *first = pending.lookup(&work);
	int error;

	if (first)
		first->requeued = 1;
	error = pending.insert(&second, stamp);
	if (error == -EEXIST) {
		lose(cpu, stamp->key, stamp->fast_pool, LOSS_REQUEUED);
	} else if (error) {
		lose_unstored(cpu, stamp, error);
	}
}

RAW_TRACEPOINT_PROBE(workqueue_queue_work)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 work = ctx->args[2];
	struct work_stamp stamp = {.queued_ns = now_ns};
	u64 function = read_u64(work + WORK_STRUCT_FUNC_OFFSET);
	int error;

	if (!cpu)
		return 0;
	stamp_function(&stamp, function, ctx->args[1]);
	if (stamp.key != KEY_BH_WORKQUEUE)
		stamp.key = KEY_WORKQUEUE; /* bounds for the verifier */
	count_queued(cpu, stamp.key);
#ifdef MIX_BY_WORKQUEUE
	if (function == MIX_FUNCTION) {
		stamp.fast_pool = 1;
		count_queued(cpu, KEY_FAST_POOL);
	}
#endif
	error = pending.insert(&work, &stamp);
	if (error == -EEXIST)
		add_second_stamp(cpu, work, &stamp);
	else if (error)
		lose_unstored(cpu, &stamp, error);
	return 0;
}

/* Follows queue_work at once unless max_active is reached. */
RAW_TRACEPOINT_PROBE(workqueue_activate_work)
{
	u64 now_ns = bpf_ktime_get_ns();
	u64 work = ctx->args[0];
	struct work_stamp *stamp = pending.lookup(&work);

	if (stamp && !stamp->activated_ns)
		stamp->activated_ns = now_ns;
	return 0;
}

/*
 * An item with two stamps starts. If it is pending again, it was queued while the kernel was about
 * to start it, and this start belongs to the first. Otherwise nothing but this start is due: the
 * first was cancelled, and the second is this one's.
 */
static inline bool first_was_cancelled(u64 work)
{
	return !(read_u64(work + WORK_STRUCT_DATA_OFFSET) & WORK_STRUCT_PENDING);
}

/* Takes the stamp under that key out of the map. False: there is none, or the agent was faster. */
static inline bool take(u64 key, struct work_stamp *stamp)
{
	struct work_stamp *found = pending.lookup(&key);

	if (!found)
		return false;
	*stamp = *found;
	return pending.delete(&key) == 0;
}

/* Takes the stamp that belongs to this start. */
static inline bool take_stamp(struct cpu_counts *cpu, u64 work, struct work_stamp *stamp)
{
	struct work_stamp second;

	if (!take(work, stamp))
		return take(SECOND_STAMP(work), stamp);
	if (stamp->requeued && first_was_cancelled(work) && take(SECOND_STAMP(work), &second)) {
		lose(cpu, stamp->key == KEY_BH_WORKQUEUE ? KEY_BH_WORKQUEUE : KEY_WORKQUEUE,
		     stamp->fast_pool, LOSS_CANCELLED);
		*stamp = second;
	}
	return true;
}

static inline void count_work_start(struct cpu_counts *cpu, struct work_stamp *stamp, u32 key,
				    u64 now_ns)
{
	if (count_start(cpu, key, stamp->queued_ns, now_ns))
		count_function_queue_latency(stamp->function, now_ns - stamp->queued_ns);
	if (stamp->fast_pool)
		count_start(cpu, KEY_FAST_POOL, stamp->queued_ns, now_ns);
	if (stamp->activated_ns >= stamp->queued_ns)
		count_latency(&cpu->histograms[ACTIVATION_HISTOGRAM(key)],
			      stamp->activated_ns - stamp->queued_ns);
}

RAW_TRACEPOINT_PROBE(workqueue_execute_start)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 work = ctx->args[0];
	struct running_key key = {.work = work, .task = bpf_get_current_task()};
	struct running_value value = {.started_ns = now_ns, .key = KEY_WORKQUEUE};
	struct work_stamp stamp = {};

	if (!cpu)
		return 0;
	if (take_stamp(cpu, work, &stamp)) {
		value.key = stamp.key == KEY_BH_WORKQUEUE ? KEY_BH_WORKQUEUE : KEY_WORKQUEUE;
		value.function = stamp.function;
		value.fast_pool = stamp.fast_pool;
		count_work_start(cpu, &stamp, value.key, now_ns);
#ifdef FLUSH_BARRIER_FUNCTION
	} else if (read_u64(work + WORK_STRUCT_FUNC_OFFSET) == FLUSH_BARRIER_FUNCTION) {
		__sync_fetch_and_add(&cpu->counts[KEY_WORKQUEUE].flush_barriers, 1);
		return 0;
#endif
	} else {
		value.function = OTHER_INDEX(KEY_WORKQUEUE);
		count_lost(cpu, KEY_WORKQUEUE, LOSS_NO_QUEUE_SEEN);
	}
	if (running.update(&key, &value))
		count_lost(cpu, value.key, LOSS_RUNNING_FULL);
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
	if (value.key != KEY_BH_WORKQUEUE)
		value.key = KEY_WORKQUEUE; /* bounds for the verifier */
	count_end(cpu, value.key, value.started_ns, now_ns);
	count_function_service_time(value.function, now_ns - value.started_ns);
	if (value.fast_pool)
		count_end(cpu, KEY_FAST_POOL, value.started_ns, now_ns);
	return 0;
}
