/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A second observer of the tracepoints that bhlat counts, sharing none of its code: a plain count an
 * event. Position 0..9: softirq entries by vector, then the work items.
 */
BPF_ARRAY(seen, u64, 16);

#define QUEUED 10
#define STARTED 11
#define ENDED 12

static inline void see(u32 position)
{
	u64 *count = seen.lookup(&position);

	if (count)
		__sync_fetch_and_add(count, 1);
}

RAW_TRACEPOINT_PROBE(softirq_entry)
{
	see(ctx->args[0]);
	return 0;
}

RAW_TRACEPOINT_PROBE(workqueue_queue_work)
{
	see(QUEUED);
	return 0;
}

RAW_TRACEPOINT_PROBE(workqueue_execute_start)
{
	see(STARTED);
	return 0;
}

RAW_TRACEPOINT_PROBE(workqueue_execute_end)
{
	see(ENDED);
	return 0;
}
