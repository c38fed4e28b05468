/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stamps of what was queued and has not started: work items and tasklets, by address.
 *
 * The kernel clears an item's pending bit shortly before the event of its start, so that it can be
 * queued again before that start is seen. Its second stamp then waits under SECOND_STAMP(item); see
 * take_stamp. Every stamp leaves the map exactly once, by a deletion that succeeded, and whoever
 * deleted it counts it: queued = started + pending + lost whatever the order of things.
 */

/* Items are aligned; an odd key is the second stamp of the item before it. */
#define SECOND_STAMP(item) ((item) | 1)

/* WORK_STRUCT_PENDING of work_struct.data, and TASKLET_STATE_SCHED of tasklet_struct.state */
#define PENDING_BIT 1

/*
 * Item -> stamp; removed at start, or by the agent when it grew too old (cancelled items leave theirs
 * behind); full: LOSS_PENDING_FULL
 */
BPF_TABLE("hash", u64, struct stamp, pending, MAX_PENDING);

static inline u64 read_u64(u64 address)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (void *)address);
	return value;
}

/* The key of a stamp, within bounds that the verifier can follow. */
static inline u64 stamp_key(struct stamp *stamp)
{
	switch (stamp->key) {
	case KEY_BH_WORKQUEUE:
		return KEY_BH_WORKQUEUE;
	case KEY_HI_TASKLET:
		return KEY_HI_TASKLET;
	case KEY_TASKLET:
		return KEY_TASKLET;
	default:
		return KEY_WORKQUEUE;
	}
}

/* Tasklets are never cancelled: one that was queued runs. */
static inline bool stamp_is_of_tasklet(struct stamp *stamp)
{
	return stamp->key == KEY_TASKLET || stamp->key == KEY_HI_TASKLET;
}

/* A loss of a queued item, which is one of the fast pool's too if it mixes it. */
static inline void lose_stamp(struct cpu_counts *cpu, struct stamp *stamp, u32 reason)
{
	count_lost(cpu, stamp_key(stamp), reason);
	if (stamp->fast_pool)
		count_lost(cpu, KEY_FAST_POOL, reason);
}

static inline void lose_unstored(struct cpu_counts *cpu, struct stamp *stamp, int error)
{
	lose_stamp(cpu, stamp, error == -E2BIG ? LOSS_PENDING_FULL : LOSS_PENDING_BUSY);
}

/* The item has a stamp: it is queued again before its start was seen, or was cancelled. */
static inline void add_second_stamp(struct cpu_counts *cpu, u64 item, struct stamp *stamp)
{
	u64 second = SECOND_STAMP(item);
	struct stamp *first = pending.lookup(&item);
	int error;

	if (first)
		first->requeued = 1;
	error = pending.insert(&second, stamp);
	if (error == -EEXIST)
		lose_stamp(cpu, stamp, LOSS_REQUEUED);
	else if (error)
		lose_unstored(cpu, stamp, error);
}

/* Counts an item as queued and remembers when. */
static inline void add_stamp(struct cpu_counts *cpu, u64 item, struct stamp *stamp)
{
	int error;

	count_queued(cpu, stamp_key(stamp));
	if (stamp->fast_pool)
		count_queued(cpu, KEY_FAST_POOL);
	error = pending.insert(&item, stamp);
	if (error == -EEXIST)
		add_second_stamp(cpu, item, stamp);
	else if (error)
		lose_unstored(cpu, stamp, error);
}

/* Takes the stamp under that key out of the map. False: there is none, or the agent was faster. */
static inline bool take(u64 key, struct stamp *stamp)
{
	struct stamp *found = pending.lookup(&key);

	if (!found)
		return false;
	*stamp = *found;
	return pending.delete(&key) == 0;
}

/*
 * Takes the stamp that belongs to the start of an item. An item with two stamps whose bit at
 * pending_word is set again was queued while the kernel was about to start it, and this start belongs
 * to the first. Otherwise nothing but this start is due: the first was cancelled, or its start was not
 * seen, and the second is this one's.
 */
static inline bool take_stamp(struct cpu_counts *cpu, u64 item, u64 pending_word, struct stamp *stamp)
{
	struct stamp second;

	if (!take(item, stamp))
		return take(SECOND_STAMP(item), stamp);
	if (stamp->requeued && !(read_u64(pending_word) & PENDING_BIT) &&
	    take(SECOND_STAMP(item), &second)) {
		lose_stamp(cpu, stamp, stamp_is_of_tasklet(stamp) ? LOSS_START_MISSED : LOSS_CANCELLED);
		*stamp = second;
	}
	return true;
}

/* Counts the start of an item that has its stamp. */
static inline void count_stamped_start(struct cpu_counts *cpu, struct stamp *stamp, u64 now_ns)
{
	if (count_start(cpu, stamp_key(stamp), stamp->queued_ns, now_ns))
		count_function_queue_latency(stamp->function, now_ns - stamp->queued_ns);
	if (stamp->fast_pool)
		count_start(cpu, KEY_FAST_POOL, stamp->queued_ns, now_ns);
}
