/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasklets where functions can be probed: __tasklet_schedule or __tasklet_hi_schedule -> the tasklet's
 * own start. tasklet_schedule() is inline and calls those only if the tasklet was not queued already:
 * one call is one queueing.
 *
 * The start is tasklet_entry, or, on kernels that lack it (5.14 to 6.1.158), tasklet_clear_sched, which
 * is called just before the callback; then no end is seen.
 *
 * Disabled tasklets, and those that run on another CPU at the moment, are put back on the list without
 * a call: they wait on, and their stamp with them. CPU hotplug moves tasklets likewise.
 */

static inline int tasklet_queued(u64 tasklet, u64 key)
{
	struct stamp stamp = {.queued_ns = bpf_ktime_get_ns(), .key = key};
	struct cpu_counts *cpu = this_cpu();
	u64 function = read_u64(tasklet + TASKLET_STRUCT_FUNC_OFFSET);

	if (!cpu)
		return 0;
	stamp.function = tasklet_function(function, key);
	stamp.fast_pool = mixes_fast_pool(cpu, function);
	add_stamp(cpu, tasklet, &stamp);
	return 0;
}

/* pending_word: where its SCHED bit tells whether it is queued again; 0 where it cannot be yet. */
static inline int tasklet_starts(u64 tasklet, u64 pending_word, u64 now_ns)
{
	struct cpu_counts *cpu = this_cpu();
	struct stamp stamp = {};
	u64 key;

	if (!cpu)
		return 0;
	if (!take_stamp(cpu, tasklet, pending_word, now_ns, &stamp)) {
		cpu->tasklet_started_ns = 0;
		count_lost(cpu, KEY_TASKLET, LOSS_NO_QUEUE_SEEN);
		return 0;
	}
	key = stamp.key == KEY_HI_TASKLET ? KEY_HI_TASKLET : KEY_TASKLET;
	tasklet_runs(cpu, key, stamp.function, stamp.fast_pool, now_ns);
	count_stamped_start(cpu, &stamp, now_ns);
	return 0;
}

int tasklet_entry_after_schedule(struct bpf_raw_tracepoint_args *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();

	return tasklet_starts(ctx->args[0], ctx->args[0] + TASKLET_STRUCT_STATE_OFFSET, now_ns);
}

int kfunc____tasklet_schedule(u64 *ctx)
{
	return tasklet_queued(argument(ctx, 0), KEY_TASKLET);
}

int kfunc____tasklet_hi_schedule(u64 *ctx)
{
	return tasklet_queued(argument(ctx, 0), KEY_HI_TASKLET);
}

int kfunc__tasklet_clear_sched(u64 *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();

	return tasklet_starts(argument(ctx, 0), 0, now_ns);
}

/* The same for kprobes. */
int kprobe____tasklet_schedule(struct pt_regs *ctx)
{
	return tasklet_queued(PT_REGS_PARM1(ctx), KEY_TASKLET);
}

int kprobe____tasklet_hi_schedule(struct pt_regs *ctx)
{
	return tasklet_queued(PT_REGS_PARM1(ctx), KEY_HI_TASKLET);
}

int kprobe__tasklet_clear_sched(struct pt_regs *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();

	return tasklet_starts(PT_REGS_PARM1(ctx), 0, now_ns);
}
