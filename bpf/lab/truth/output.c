// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files that show what a run found. */
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "truth.h"

static const char *const kind_names[KINDS] = {
	"hi_tasklet",       "tasklet",        "highpri_work",      "unbound_work",
	"timer",            "cancelled",      "abandoned",         "requeued_work",
	"requeued_tasklet", "requeued_hi_tasklet", "contended_work", "contended_tasklet",
	"limited",          "freed",          "disabled_tasklet",  "other_cpu",
	"many",             "data_tasklet",   "moved_tasklet",     "moved_hi_tasklet",
	"moved_work",
};

static int pairs_show(struct seq_file *file, void *unused)
{
	u32 i;

	mutex_lock(&run_mutex);
	for (i = 0; i < pair_count; i++)
		seq_printf(file, "%s %llu %llu %llu %u\n", kind_names[pairs[i].kind], pairs[i].queueing_ns,
			   pairs[i].queued_ns, pairs[i].started_ns, pairs[i].cpu);
	mutex_unlock(&run_mutex);
	return 0;
}

static int pairs_open(struct inode *inode, struct file *file)
{
	return single_open(file, pairs_show, NULL);
}

const struct file_operations pairs_fops = {
	.owner = THIS_MODULE,
	.open = pairs_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static int compare_latencies(const void *a, const void *b)
{
	u64 left = *(const u64 *)a, right = *(const u64 *)b;

	return left < right ? -1 : left > right;
}

static int summary_show(struct seq_file *file, void *unused)
{
	u64 *latencies = vmalloc(MAX_PAIRS * sizeof(*latencies));
	u32 i;

	if (!latencies)
		return -ENOMEM;
	mutex_lock(&run_mutex);
	for (i = 0; i < pair_count; i++)
		latencies[i] = pairs[i].started_ns - pairs[i].queueing_ns;
	sort(latencies, pair_count, sizeof(*latencies), compare_latencies, NULL);
	seq_printf(file, "%s queued %d started %d cancelled %d", kind_names[kind < KINDS ? kind : 0], atomic_read(&queued),
		   atomic_read(&started), atomic_read(&cancelled));
	if (pair_count)
		seq_printf(file, " min_ns %llu median_ns %llu max_ns %llu", latencies[0],
			   latencies[(pair_count - 1) / 2], latencies[pair_count - 1]);
	seq_putc(file, '\n');
	mutex_unlock(&run_mutex);
	vfree(latencies);
	return 0;
}

static int summary_open(struct inode *inode, struct file *file)
{
	return single_open(file, summary_show, NULL);
}

const struct file_operations summary_fops = {
	.owner = THIS_MODULE,
	.open = summary_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
