// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What happens to tasklets beside being queued and run; see scenarios.c. */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "truth.h"

static void bhlat_truth_requeued_tasklet(struct tasklet_struct *unused);
static void bhlat_truth_contended_tasklet(struct tasklet_struct *unused);
static void bhlat_truth_disabled(struct tasklet_struct *unused);

static DECLARE_TASKLET(requeued_tasklet, bhlat_truth_requeued_tasklet);
static DECLARE_TASKLET(contended_tasklet, bhlat_truth_contended_tasklet);
static DECLARE_TASKLET(disabled_tasklet, bhlat_truth_disabled);
static struct tasklet_struct data_tasklets[2];
static u64 queueing_ns; /* of the one that is queued */
static u64 data_queueing_ns[2];

static void queue_requeued_tasklet(void)
{
	atomic_inc(&queued);
	queueing_ns = now_ns();
	if (kind == REQUEUED_HI_TASKLET)
		tasklet_hi_schedule(&requeued_tasklet);
	else
		tasklet_schedule(&requeued_tasklet);
}

static noinline void bhlat_truth_requeued_tasklet(struct tasklet_struct *unused)
{
	item_starts(queueing_ns);
	if (atomic_read(&queued) < count)
		queue_requeued_tasklet();
}

void make_requeued_tasklet(void)
{
	queue_requeued_tasklet();
	wait_for_all();
}

static noinline void bhlat_truth_contended_tasklet(struct tasklet_struct *unused)
{
	contended_starts();
}

/* As tasklet_schedule(), which does not say whether it queued. */
static void contend_for_tasklet(void)
{
	u64 limit_ns = now_ns() + PATIENCE_NS;

	while (atomic_read(&queued) < count && now_ns() < limit_ns) {
		u64 attempt_ns = now_ns();

		if (!test_and_set_bit(TASKLET_STATE_SCHED, &contended_tasklet.state)) {
			contended_queued(attempt_ns);
			__tasklet_schedule(&contended_tasklet);
		}
		cond_resched();
	}
}

static void bhlat_truth_contend(struct work_struct *unused)
{
	contend_for_tasklet();
}

static DECLARE_WORK(contend, bhlat_truth_contend);

void make_contended_tasklet(void)
{
	queue_work_on(other_cpu(), system_highpri_wq, &contend);
	contend_for_tasklet();
	flush_work(&contend);
	wait_for_all();
}

static noinline void bhlat_truth_disabled(struct tasklet_struct *unused)
{
	item_starts(queueing_ns);
}

void make_disabled_tasklet(void)
{
	u32 i;

	for (i = 0; i < count; i++) {
		tasklet_disable(&disabled_tasklet);
		atomic_inc(&queued);
		queueing_ns = now_ns();
		tasklet_schedule(&disabled_tasklet);
		usleep_range(hold_us, hold_us + 50);
		tasklet_enable(&disabled_tasklet);
		if (!wait_for_all())
			return;
	}
}

/* Not by the kernel, but by its driver, it is called outside of softirqs. */
static noinline void bhlat_truth_data(unsigned long data)
{
	if (in_serving_softirq())
		item_starts(data_queueing_ns[data]);
}

static void queue_data_tasklet(u32 which)
{
	struct tasklet_struct *tasklet = &data_tasklets[which];

	tasklet->func(tasklet->data);
	atomic_inc(&queued);
	data_queueing_ns[which] = now_ns();
	tasklet_schedule(tasklet);
	tasklet->func(tasklet->data);
}

void make_data_tasklet(void)
{
	u32 which;

	for (which = 0; which < 2; which++)
		tasklet_init(&data_tasklets[which], bhlat_truth_data, which);
	while (atomic_read(&queued) < count) {
		local_bh_disable();
		for (which = 0; which < 2; which++)
			queue_data_tasklet(which);
		local_bh_enable();
		if (!wait_for_all())
			return;
	}
}
