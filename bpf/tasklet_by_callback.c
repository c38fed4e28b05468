/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasklets where functions can be probed, but neither tasklet_entry nor tasklet_clear_sched exists (5.13
 * and earlier): __tasklet_schedule or __tasklet_hi_schedule -> the function that the tasklet runs. The
 * agent probes those functions as it finds them; until then their queueings are lost at once.
 *
 * A function sees its argument only: since 5.9 the tasklet (use_callback), else the tasklet's data. In the
 * second case the stamp lies under a name made of function and argument. Tasklets that share both are
 * taken for one that is queued again: while they are pending together, the older's stamp is lost.
 */
#if defined(bpf_target_x86)
#define PROBE_OFFSET 1  /* the breakpoint is behind the instruction pointer */
#else
#define PROBE_OFFSET 0
#endif

#define MAX_CALLBACKS 512

/* TASKLET_STATE_RUN of tasklet_struct.state */
#define TASKLET_RUN_BIT 2

#define CALLBACK_FOUND 0
#define CALLBACK_PROBED 1 /* by the agent; else it found that this cannot be */

struct callback {
	u32 module_unloads; /* when it was found or probed: it may have gone with a module since */
	u32 state;
};

/*
 * A tasklet's function -> what the agent made of it; added when first queued, removed by the agent when
 * it is gone; full: it is not probed
 */
BPF_TABLE("hash", u64, struct callback, callbacks, MAX_CALLBACKS);

/* 0 -> how many functions were found so far; 1 -> how many modules were unloaded */
BPF_ARRAY(callback_changes, u32, 2);

/* 0 -> the stack pointer with which the running tasklet's function began */
BPF_PERCPU_ARRAY(callback_stack, u64, 1);

static inline u32 *callback_change(u32 which)
{
	return callback_changes.lookup(&which);
}

/* Whether the start of what is queued now will be seen. */
static inline bool callback_is_probed(u64 function)
{
	struct callback *known = callbacks.lookup(&function);
	struct callback added = {.state = CALLBACK_FOUND};
	u32 *unloads = callback_change(1);
	u32 *found = callback_change(0);

	if (!unloads)
		return false;
	if (known)
		return known->state == CALLBACK_PROBED && known->module_unloads == *unloads;
	added.module_unloads = *unloads;
	if (callbacks.insert(&function, &added) == 0 && found)
		__sync_fetch_and_add(found, 1);
	return false;
}

/* Before its memory is used again: functions of another module may then be at the same addresses. */
int module_free_for_callbacks(struct bpf_raw_tracepoint_args *ctx)
{
	u32 *unloads = callback_change(1);

	if (unloads)
		__sync_fetch_and_add(unloads, 1);
	return 0;
}

/* A name that is no kernel address (those have the highest bit) and leaves the lowest to stamps. */
static inline u64 callback_name(u64 function, u64 given)
{
	u64 mixed = (given * 0x9e3779b97f4a7c15ULL ^ function) * 0xff51afd7ed558ccdULL;

	return (mixed ^ mixed >> 32) >> 1 & ~1ULL;
}

static inline u64 callback_argument(u64 tasklet)
{
#ifdef TASKLET_STRUCT_USE_CALLBACK_OFFSET
	bool use_callback = false;

	bpf_probe_read_kernel(&use_callback, sizeof(use_callback),
			      (void *)(tasklet + TASKLET_STRUCT_USE_CALLBACK_OFFSET));
	if (use_callback)
		return tasklet;
#endif
	return read_u64(tasklet + TASKLET_STRUCT_DATA_OFFSET);
}

/* Counts what is queued, and at once that its start will not be seen. */
static inline void lose_queueing(struct cpu_counts *cpu, struct stamp *stamp)
{
	count_stamp_queued(cpu, stamp);
	lose_stamp(cpu, stamp, LOSS_START_MISSED);
}

static inline int tasklet_queued_for_callback(u64 tasklet, u64 key)
{
	struct stamp stamp = {
		.queued_ns = bpf_ktime_get_ns(), .activated_ns = tasklet, .key = key};
	struct cpu_counts *cpu = this_cpu();
	u64 function = read_u64(tasklet + TASKLET_STRUCT_FUNC_OFFSET);
	u64 given = callback_argument(tasklet);

	if (!cpu)
		return 0;
	stamp.function = tasklet_function(function, key);
	stamp.fast_pool = mixes_fast_pool(cpu, function);
	if (callback_is_probed(function))
		add_stamp(cpu, given == tasklet ? tasklet : callback_name(function, given), &stamp);
	else
		lose_queueing(cpu, &stamp);
	return 0;
}

/* The function that a probe is at the entry of; 0: none of a tasklet. */
static inline u64 probed_callback(u64 instruction_pointer)
{
	u64 function = instruction_pointer - PROBE_OFFSET;

	if (callbacks.lookup(&function))
		return function;
	function -= 4; /* behind endbr64 or bti */
	return callbacks.lookup(&function) ? function : 0;
}

/*
 * Whether the kernel runs this tasklet, rather than its driver calling the function by itself: it holds
 * the tasklet (not without SMP), and took its SCHED bit away, which somebody may have set again.
 */
static inline bool tasklet_runs_now(u64 tasklet)
{
	u64 state = read_u64(tasklet + TASKLET_STRUCT_STATE_OFFSET);

	return state & TASKLET_RUN_BIT || !(state & PENDING_BIT);
}

/* A call without a stamp is not counted: it may be the driver's own. */
int kprobe_tasklet_callback(struct pt_regs *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();
	u64 given = PT_REGS_PARM1(ctx);
	u64 function = probed_callback(PT_REGS_IP(ctx));
	u32 only = 0;
	u64 *stack = callback_stack.lookup(&only);
	struct stamp *found;
	u64 tasklet;
	u64 item;

	if (!function || !stack)
		return 0;
	item = read_u64(given + TASKLET_STRUCT_FUNC_OFFSET) == function ?
		       given : callback_name(function, given);
	found = pending.lookup(&item);
	if (!found)
		found = second_stamp(item);
	if (!found)
		return 0;
	tasklet = found->activated_ns;
	if (!tasklet_runs_now(tasklet))
		return 0;
	*stack = PT_REGS_SP(ctx);
	return tasklet_starts(item, tasklet + TASKLET_STRUCT_STATE_OFFSET, now_ns);
}

/* The return of the function that started, and not of one that it called. */
int kretprobe_tasklet_callback(struct pt_regs *ctx)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u32 only = 0;
	u64 *stack = callback_stack.lookup(&only);

	if (!cpu || !stack || PT_REGS_SP(ctx) != *stack + RETURN_ADDRESS_BYTES)
		return 0;
	*stack = 0;
	return tasklet_ends(cpu, now_ns);
}

/* As in tasklet_by_function.c. */
int fentry_tasklet_schedule(u64 *ctx)
{
	return tasklet_queued_for_callback(argument(ctx, 0), KEY_TASKLET);
}

int fentry_tasklet_hi_schedule(u64 *ctx)
{
	return tasklet_queued_for_callback(argument(ctx, 0), KEY_HI_TASKLET);
}

int kprobe_tasklet_schedule(struct pt_regs *ctx)
{
	return tasklet_queued_for_callback(PT_REGS_PARM1(ctx), KEY_TASKLET);
}

int kprobe_tasklet_hi_schedule(struct pt_regs *ctx)
{
	return tasklet_queued_for_callback(PT_REGS_PARM1(ctx), KEY_HI_TASKLET);
}
