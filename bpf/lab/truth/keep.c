// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all scenarios need: the pairs are kept, and waited for. */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/smp.h>

#include "truth.h"

atomic_t pairs_taken;

u32 other_cpu(void)
{
	u32 other = cpumask_next(cpu, cpu_online_mask);

	return other < nr_cpu_ids ? other : cpumask_first(cpu_online_mask);
}

void item_starts(u64 queueing_ns)
{
	u64 started_ns = now_ns();
	u32 place = atomic_inc_return(&pairs_taken) - 1;

	if (place < MAX_PAIRS)
		pairs[place] = (struct pair){.kind = kind,
					     .queueing_ns = queueing_ns,
					     .started_ns = started_ns,
					     .cpu = raw_smp_processor_id()};
	atomic_inc_return(&started); /* after the pair: ordered */
}

/* Queueings and starts of one item alternate: those of the same number belong together. */
void contended_queued(u64 queueing_ns)
{
	u32 place = atomic_inc_return(&queued) - 1;

	if (place < MAX_PAIRS) {
		pairs[place].kind = kind;
		pairs[place].queueing_ns = queueing_ns;
	}
}

void contended_starts(void)
{
	u64 started_ns = now_ns();
	u32 place = atomic_read(&started);

	if (place < MAX_PAIRS) {
		pairs[place].started_ns = started_ns;
		pairs[place].cpu = raw_smp_processor_id();
	}
	atomic_set(&pairs_taken, place + 1);
	atomic_inc_return(&started); /* after the pair: ordered */
}

bool wait_for_all(void)
{
	u64 limit_ns = now_ns() + PATIENCE_NS;

	while (atomic_read(&started) + atomic_read(&cancelled) < atomic_read(&queued)) {
		if (now_ns() > limit_ns)
			return false;
		usleep_range(100, 200);
	}
	return true;
}
