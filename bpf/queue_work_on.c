/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of queue_work_on: from which CPU, for which, and whether the item was queued or pending
 * already. The items' latencies are workqueue.c's, by tracepoints, since other functions queue too.
 */

/* Kind of call -> how many; added at the first, never removed; full: untold_queue_calls of the CPU */
BPF_TABLE("hash", struct queue_call_key, u64, queue_calls, MAX_QUEUE_CALLS);

static inline int queue_work_called(u32 requested, u64 queued)
{
	struct cpu_counts *cpu = this_cpu();
	struct queue_call_key key = {
		.cpu = bpf_get_smp_processor_id(),
		.requested = requested < MAX_CPUS ? requested : QUEUE_UNBOUND,
		.queued = queued,
	};
	u64 *calls = queue_calls.lookup(&key);
	u64 none = 0;

	if (!cpu)
		return 0;
	if (!calls) {
		queue_calls.insert(&key, &none); /* or what interrupts this was faster */
		calls = queue_calls.lookup(&key);
	}
	if (!calls)
		calls = &cpu->untold_queue_calls[queued & 1];
	__sync_fetch_and_add(calls, 1);
	return 0;
}

/* Arguments: CPU, workqueue, work item; then what it returned. */
int kretfunc__queue_work_on(u64 *ctx)
{
	return queue_work_called(argument(ctx, 0), argument(ctx, 3) & 1);
}

/*
 * By kprobes the return does not see the arguments. Calls nest, since interrupts queue work too, and a
 * task may be moved to another CPU between the two: task and stack pointer tell one from another.
 */
struct queue_call {
	u64 task;
	u64 stack; /* where the return address lies */
};

/* Call -> requested CPU; removed at the return; full: the call is not counted */
BPF_TABLE("hash", struct queue_call, u32, queue_calls_inside, MAX_QUEUE_CALLS_INSIDE);

int kprobe__queue_work_on(struct pt_regs *ctx)
{
	struct queue_call call = {.task = bpf_get_current_task(), .stack = PT_REGS_SP(ctx)};
	u32 requested = PT_REGS_PARM1(ctx);

	queue_calls_inside.update(&call, &requested);
	return 0;
}

int kretprobe__queue_work_on(struct pt_regs *ctx)
{
	struct queue_call call = {
		.task = bpf_get_current_task(),
		.stack = PT_REGS_SP(ctx) - RETURN_ADDRESS_BYTES,
	};
	u32 *requested = queue_calls_inside.lookup(&call);

	if (!requested)
		return 0;
	queue_work_called(*requested, PT_REGS_RC(ctx) & 1);
	queue_calls_inside.delete(&call);
	return 0;
}

/* Where functions cannot be probed: whatever queues an item, and only if it was not pending. */
int queue_work_traced(struct bpf_raw_tracepoint_args *ctx)
{
	return queue_work_called(ctx->args[0], 1);
}
