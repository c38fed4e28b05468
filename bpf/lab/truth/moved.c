// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tasklets whose CPU goes offline before they run: the kernel moves them to another; see scenarios.c. */
#include <linux/cpu.h>
#include <linux/interrupt.h>
#include <linux/smp.h>

#include "truth.h"

static void bhlat_truth_moved(struct tasklet_struct *unused);

static DECLARE_TASKLET(moved_tasklet, bhlat_truth_moved);
static u64 queueing_ns; /* of the one that is queued */

static noinline void bhlat_truth_moved(struct tasklet_struct *unused)
{
	item_starts(queueing_ns);
}

/* Called on the CPU that will go. */
static void queue_moved_tasklet(void *unused)
{
	atomic_inc(&queued);
	queueing_ns = now_ns();
	if (kind == MOVED_HI_TASKLET)
		tasklet_hi_schedule(&moved_tasklet);
	else
		tasklet_schedule(&moved_tasklet);
}

/* Disabled, it stays on its CPU's list. */
void make_moved_tasklet(void)
{
	u32 other = other_cpu();
	int error = 0;
	u32 i;

	for (i = 0; i < count && other != cpu && !error; i++) {
		tasklet_disable(&moved_tasklet);
		smp_call_function_single(other, queue_moved_tasklet, NULL, true);
		error = remove_cpu(other);
		tasklet_enable(&moved_tasklet);
		if (!wait_for_all())
			error = -ETIMEDOUT;
		add_cpu(other);
	}
}
