// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What happens to work items beside being queued and run: they are cancelled, queued again, held up,
 * freed. Each scenario has a function of its own, by which bhlat tells it from the rest.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#include "truth.h"

#define MAX_ABANDONED 1000

/* Said explicitly since 6.17, the default before. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define PER_CPU_QUEUE WQ_PERCPU
#else
#define PER_CPU_QUEUE 0
#endif

/* Delayed without a delay: of those alone can every kernel cancel one without waiting. */
struct item {
	struct delayed_work delayed;
	u64 queueing_ns;
};

static struct workqueue_struct *bound;       /* bhlat_bound */
static struct workqueue_struct *limited;     /* bhlat_limited: max_active is 1 */
static struct item *items;                   /* MAX_PAIRS */
static struct item abandoned[MAX_ABANDONED]; /* no other scenario queues them */
static DECLARE_COMPLETION(gate);

static struct item *item_of(struct work_struct *work)
{
	return container_of(to_delayed_work(work), struct item, delayed);
}

static void queue_item_on(u32 on_cpu, struct workqueue_struct *workqueue, struct item *item)
{
	item->queueing_ns = now_ns();
	if (queue_delayed_work_on(on_cpu, workqueue, &item->delayed, 0))
		atomic_inc(&queued);
}

static noinline void bhlat_truth_cancelled(struct work_struct *work)
{
	item_starts(item_of(work)->queueing_ns);
}

static noinline void bhlat_truth_abandoned(struct work_struct *work)
{
	item_starts(item_of(work)->queueing_ns);
}

/* With preemption off, the CPU's worker cannot be faster. */
static void queue_and_cancel(struct item *item)
{
	preempt_disable();
	queue_item_on(cpu, bound, item);
	if (cancel_delayed_work(&item->delayed))
		atomic_inc(&cancelled);
	preempt_enable();
}

static void make_cancelled(void)
{
	u32 i;

	for (i = 0; i < count; i++) {
		INIT_DELAYED_WORK(&items[i].delayed, bhlat_truth_cancelled);
		queue_and_cancel(&items[i]);
		queue_item_on(cpu, bound, &items[i]);
		if (!wait_for_all())
			return;
	}
}

static void make_abandoned(void)
{
	u32 i;

	for (i = 0; i < min_t(u32, count, MAX_ABANDONED); i++) {
		INIT_DELAYED_WORK(&abandoned[i].delayed, bhlat_truth_abandoned);
		queue_and_cancel(&abandoned[i]);
	}
}

static noinline void bhlat_truth_requeued(struct work_struct *work)
{
	struct item *item = item_of(work);

	item_starts(item->queueing_ns);
	if (atomic_read(&queued) < count)
		queue_item_on(cpu, bound, item);
}

static void make_requeued_work(void)
{
	INIT_DELAYED_WORK(&items[0].delayed, bhlat_truth_requeued);
	queue_item_on(cpu, bound, &items[0]);
	wait_for_all();
}

static noinline void bhlat_truth_contended(struct work_struct *unused)
{
	contended_starts();
}

static void make_contended_work(void)
{
	struct work_struct *work = &items[0].delayed.work;
	u64 limit_ns = now_ns() + PATIENCE_NS;

	INIT_DELAYED_WORK(&items[0].delayed, bhlat_truth_contended);
	while (atomic_read(&queued) < count && now_ns() < limit_ns) {
		u64 queueing_ns = now_ns();

		if (queue_work_on(other_cpu(), bound, work))
			contended_queued(queueing_ns);
		cond_resched();
	}
	wait_for_all();
}

static noinline void bhlat_truth_limited(struct work_struct *work)
{
	item_starts(item_of(work)->queueing_ns);
	usleep_range(hold_us, hold_us + 50);
}

static void make_limited(void)
{
	u32 i;

	for (i = 0; i < count; i++) {
		INIT_DELAYED_WORK(&items[i].delayed, bhlat_truth_limited);
		queue_item_on(cpu, limited, &items[i]);
	}
	wait_for_all();
}

static noinline void bhlat_truth_freed(struct work_struct *work)
{
	u64 queueing_ns = item_of(work)->queueing_ns;

	kfree(item_of(work));
	item_starts(queueing_ns);
}

static void make_freed(void)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

		if (!item)
			break;
		INIT_DELAYED_WORK(&item->delayed, bhlat_truth_freed);
		queue_item_on(i % 2 ? cpu : other_cpu(), bound, item);
		if (i % 8 == 7 && !wait_for_all())
			return;
	}
	wait_for_all();
}

static noinline void bhlat_truth_other_cpu(struct work_struct *work)
{
	item_starts(item_of(work)->queueing_ns);
}

static void make_other_cpu(void)
{
	u32 i;

	for (i = 0; i < count; i++) {
		INIT_DELAYED_WORK(&items[i].delayed, bhlat_truth_other_cpu);
		queue_item_on(other_cpu(), bound, &items[i]);
		if (!wait_for_all())
			return;
	}
}

static noinline void bhlat_truth_many(struct work_struct *work)
{
	wait_for_completion(&gate);
	item_starts(item_of(work)->queueing_ns);
}

static void make_many(void)
{
	u32 i;

	reinit_completion(&gate);
	for (i = 0; i < count; i++) {
		INIT_DELAYED_WORK(&items[i].delayed, bhlat_truth_many);
		queue_item_on(cpu, limited, &items[i]);
		if (i % 1000 == 999)
			cond_resched();
	}
	complete_all(&gate);
	wait_for_all();
}

static noinline void bhlat_truth_moved_work(struct work_struct *work)
{
	item_starts(item_of(work)->queueing_ns);
	usleep_range(hold_us, hold_us + 50);
}

/* One after the other they would take longer than the CPU stays. */
static void make_moved_work(void)
{
	u32 other = other_cpu();
	u32 i;

	for (i = 0; i < count && other != cpu; i++) {
		INIT_DELAYED_WORK(&items[i].delayed, bhlat_truth_moved_work);
		queue_item_on(other, limited, &items[i]);
		if (i % 25 == 24) {
			bool is_gone = !remove_cpu(other);
			bool all_ran = wait_for_all();

			add_cpu(other);
			if (!is_gone || !all_ran)
				return;
		}
	}
	wait_for_all();
}

static void (*const makers[KINDS])(void) = {
	[CANCELLED] = make_cancelled,
	[ABANDONED] = make_abandoned,
	[REQUEUED_WORK] = make_requeued_work,
	[REQUEUED_TASKLET] = make_requeued_tasklet,
	[REQUEUED_HI_TASKLET] = make_requeued_tasklet,
	[CONTENDED_WORK] = make_contended_work,
	[CONTENDED_TASKLET] = make_contended_tasklet,
	[LIMITED] = make_limited,
	[FREED] = make_freed,
	[DISABLED_TASKLET] = make_disabled_tasklet,
	[OTHER_CPU] = make_other_cpu,
	[MANY] = make_many,
	[DATA_TASKLET] = make_data_tasklet,
	[MOVED_TASKLET] = make_moved_tasklet,
	[MOVED_HI_TASKLET] = make_moved_tasklet,
	[MOVED_WORK] = make_moved_work,
};

void run_scenario(void)
{
	atomic_set(&pairs_taken, 0);
	makers[kind]();
	pair_count = min_t(u32, atomic_read(&pairs_taken), MAX_PAIRS);
}

int scenarios_init(void)
{
	items = vzalloc(MAX_PAIRS * sizeof(*items));
	bound = alloc_workqueue("bhlat_bound", PER_CPU_QUEUE, 0);
	limited = alloc_workqueue("bhlat_limited", PER_CPU_QUEUE, 1);
	if (!items || !bound || !limited) {
		scenarios_exit();
		return -ENOMEM;
	}
	return 0;
}

/* All runs are over: what is still queued starts soon, and destroying a queue waits for it. */
void scenarios_exit(void)
{
	if (bound)
		destroy_workqueue(bound);
	if (limited)
		destroy_workqueue(limited);
	vfree(items);
}
