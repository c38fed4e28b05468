/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a run leaves behind, for its output. */
#ifndef BHLAT_TRUTH_H
#define BHLAT_TRUTH_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/types.h>

#define MAX_PAIRS 100000

enum kind { HI_TASKLET, TASKLET, HIGHPRI_WORK, UNBOUND_WORK, TIMER, KINDS };

struct pair {
	u64 queueing_ns; /* just before */
	u64 queued_ns;   /* just after */
	u64 started_ns;
	u32 kind;
	u32 cpu; /* that ran it */
};

extern struct mutex run_mutex; /* one run, or one reader, at a time; guards what follows */
extern struct pair *pairs;
extern u32 pair_count, never_ran;

extern const struct file_operations pairs_fops, summary_fops;

#endif
