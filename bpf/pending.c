/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stamps of what was queued and has not started: work items and tasklets, by address.
 *
 * The kernel clears an item's pending bit shortly before the event of its start, so that it can be
 * queued again before that start is seen: two queueings of one item may be outstanding, never three.
 * They lie under the item's address and under SECOND_STAMP of it, in either order; take_stamp tells
 * which of them a start belongs to. Every stamp leaves the map exactly once, by a deletion that
 * succeeded, and whoever deleted it counts it: queued = started + pending + lost whatever the order of
 * things.
 */

/* Items are aligned; an odd key is the other stamp of the item before it. */
#define SECOND_STAMP(item) ((item) | 1)

/* WORK_STRUCT_PENDING of work_struct.data, and TASKLET_STATE_SCHED of tasklet_struct.state */
#define PENDING_BIT 1

/*
 * Item -> stamp; removed at start, or by the agent when it grew too old (cancelled items leave theirs
 * behind); full: LOSS_PENDING_FULL
 */
BPF_TABLE("hash", u64, struct stamp, pending, MAX_PENDING);

/* 0 -> how many second stamps there are, about: while there are none, none is looked for */
BPF_ARRAY(second_stamps, u64, 1);

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

/* The fast pool's key for what mixes it by a work item or a tasklet. */
static inline u64 mixing_key(struct stamp *stamp)
{
	return stamp_is_of_tasklet(stamp) ? KEY_FAST_POOL_TASKLET : KEY_FAST_POOL_WORKQUEUE;
}

/* A loss of a queued item, which is one of the fast pool's too if it mixes it. */
static inline void lose_stamp(struct cpu_counts *cpu, struct stamp *stamp, u32 reason)
{
	count_lost(cpu, stamp_key(stamp), reason);
	if (stamp->fast_pool)
		count_lost(cpu, mixing_key(stamp), reason);
}

static inline u64 *second_stamp_count(void)
{
	u32 only = 0;

	return second_stamps.lookup(&only);
}

/* The second stamp of an item, if it has one. */
static inline struct stamp *second_stamp(u64 item)
{
	u64 second = SECOND_STAMP(item);
	u64 *count = second_stamp_count();

	return count && *count ? pending.lookup(&second) : 0;
}

/* Takes a stamp that was found under that key out of the map. False: somebody was faster. */
static inline bool take(u64 key, struct stamp *found, struct stamp *stamp)
{
	*stamp = *found;
	if (pending.delete(&key))
		return false;
	if (key & 1) {
		u64 *count = second_stamp_count();

		if (count)
			__sync_fetch_and_add(count, -1);
	}
	return true;
}

/* Takes out a stamp whose start will not come: it was cancelled, or its start was not seen. */
static inline void drop(struct cpu_counts *cpu, u64 key, struct stamp *found)
{
	struct stamp stamp;

	if (take(key, found, &stamp))
		lose_stamp(cpu, &stamp,
			   stamp_is_of_tasklet(&stamp) ? LOSS_START_MISSED : LOSS_CANCELLED);
}

/* The key of the older of an item's two stamps. */
static inline u64 older_key(u64 item, struct stamp *first, struct stamp *second)
{
	return second->queued_ns < first->queued_ns ? SECOND_STAMP(item) : item;
}

static inline int store(u64 key, struct stamp *stamp)
{
	int error = pending.insert(&key, stamp);

	if (!error && key & 1) {
		u64 *count = second_stamp_count();

		if (count)
			__sync_fetch_and_add(count, 1);
	}
	return error;
}

/* Both places are taken, but two queueings at most are outstanding: the older is stale. */
static inline int store_instead_of_older(struct cpu_counts *cpu, u64 item, struct stamp *stamp)
{
	u64 second_key = SECOND_STAMP(item);
	struct stamp *first = pending.lookup(&item);
	struct stamp *second = pending.lookup(&second_key);
	u64 key = item;

	if (first && second)
		key = older_key(item, first, second);
	if (key == item && first)
		drop(cpu, key, first);
	else if (key == second_key && second)
		drop(cpu, key, second);
	return store(key, stamp);
}

static inline void count_stamp_queued(struct cpu_counts *cpu, struct stamp *stamp)
{
	count_queued(cpu, stamp_key(stamp));
	if (stamp->fast_pool)
		count_queued(cpu, mixing_key(stamp));
}

/* Counts an item as queued and remembers when. */
static inline void add_stamp(struct cpu_counts *cpu, u64 item, struct stamp *stamp)
{
	int error;

	count_stamp_queued(cpu, stamp);
	error = store(item, stamp);
	if (error == -EEXIST)
		error = store(SECOND_STAMP(item), stamp);
	if (error == -EEXIST)
		error = store_instead_of_older(cpu, item, stamp);
	if (error)
		lose_stamp(cpu, stamp, error == -E2BIG ? LOSS_PENDING_FULL : LOSS_PENDING_BUSY);
}

/*
 * Which of an item's two stamps belongs to a start. If its bit at pending_word is set, it was queued again
 * while the kernel was about to start it, and this start belongs to the older. Otherwise nothing but this
 * start is due, and it belongs to the newer.
 */
static inline bool start_is_of_older(struct stamp *newer, u64 pending_word, u64 now_ns)
{
	return newer->queued_ns > now_ns || read_u64(pending_word) & PENDING_BIT;
}

/* Takes the stamp that belongs to the start of an item. False: there is none. */
static inline bool take_stamp(struct cpu_counts *cpu, u64 item, u64 pending_word, u64 now_ns,
			      struct stamp *stamp)
{
	struct stamp *first = pending.lookup(&item);
	struct stamp *second = second_stamp(item);
	bool takes_second = !first;

	if (first && second) {
		bool second_is_older = older_key(item, first, second) != item;
		bool is_of_older = start_is_of_older(second_is_older ? first : second, pending_word,
						     now_ns);

		takes_second = second_is_older == is_of_older;
		if (!is_of_older && second_is_older)
			drop(cpu, SECOND_STAMP(item), second);
		else if (!is_of_older)
			drop(cpu, item, first);
	}
	if (takes_second)
		return second && take(SECOND_STAMP(item), second, stamp);
	return first && take(item, first, stamp);
}

/* Counts the start of an item that has its stamp. */
static inline void count_stamped_start(struct cpu_counts *cpu, struct stamp *stamp, u64 now_ns)
{
	u64 key = stamp_key(stamp);

	if (count_start(cpu, key, QUEUE_HISTOGRAM(key), stamp->queued_ns, now_ns))
		count_function_queue_latency(stamp->function, now_ns - stamp->queued_ns);
	if (stamp->fast_pool)
		count_mixing(cpu, mixing_key(stamp), stamp->queued_ns, now_ns);
}
