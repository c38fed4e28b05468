/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the parts of the module share: the settings, and what a run leaves behind for its output. */
#ifndef BHLAT_TRUTH_H
#define BHLAT_TRUTH_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#define MAX_PAIRS 100000
/* How long a scenario may take. */
#define PATIENCE_NS (30ULL * NSEC_PER_SEC)

/* The order of the names in output.c and of the table in scenarios.c. */
enum kind {
	HI_TASKLET,
	TASKLET,
	HIGHPRI_WORK,
	UNBOUND_WORK,
	TIMER,
	FIRST_SCENARIO,
	CANCELLED = FIRST_SCENARIO,
	ABANDONED,
	REQUEUED_WORK,
	REQUEUED_TASKLET,
	REQUEUED_HI_TASKLET,
	CONTENDED_WORK,
	CONTENDED_TASKLET,
	LIMITED,
	FREED,
	DISABLED_TASKLET,
	OTHER_CPU,
	MANY,
	DATA_TASKLET,
	MOVED_TASKLET,
	MOVED_HI_TASKLET,
	MOVED_WORK,
	KINDS
};

struct pair {
	u64 queueing_ns; /* just before */
	u64 queued_ns;   /* just after; 0 in scenarios, where it may start before */
	u64 started_ns;
	u32 kind;
	u32 cpu; /* that ran it */
};

extern u32 kind, cpu, count, hold_us;

extern struct mutex run_mutex; /* one run, or one reader, at a time; guards what follows */
extern struct pair *pairs;
extern u32 pair_count;
/* Of one run: what was queued, what of that began to run, and what was cancelled before. */
extern atomic_t queued, started, cancelled;
extern atomic_t pairs_taken; /* by a scenario, so far */

extern const struct file_operations pairs_fops, summary_fops;

static inline u64 now_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/* For scenarios: a CPU that is not that of the setting, if there is one. */
u32 other_cpu(void);
/* Keeps the pair of an item that begins to run. */
void item_starts(u64 queueing_ns);
/* The same for an item that is queued again and again, in two parts. */
void contended_queued(u64 queueing_ns);
void contended_starts(void);
/* False: what was queued and not cancelled has not all run. */
bool wait_for_all(void);

void make_requeued_tasklet(void);
void make_contended_tasklet(void);
void make_disabled_tasklet(void);
void make_data_tasklet(void);
void make_moved_tasklet(void);

int scenarios_init(void);
void scenarios_exit(void);
/* Makes what the setting kind names; called by a thread that is bound to the CPU. */
void run_scenario(void);

#endif
