/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * add_interrupt_randomness, which every device interrupt calls in hard interrupt context, after its
 * handlers: how often, for which interrupt, how long it takes, and whether it queues a mixing.
 *
 * Hard interrupts do not nest, so that a CPU is inside at most once. The time contains what our own
 * programs take that what it queues sets off.
 */

/* CPU and interrupt -> calls; added at the first call, never removed; full: untold_interrupts of the CPU */
BPF_TABLE("hash", struct interrupt_key, struct interrupt_calls, interrupts, MAX_INTERRUPTS);

static inline void count_interrupt(struct cpu_counts *cpu, u32 irq, bool mixes)
{
	struct interrupt_key key = {.cpu = bpf_get_smp_processor_id(), .irq = irq};
	struct interrupt_calls first = {.calls = 1, .mixings = mixes};
	struct interrupt_calls *known = interrupts.lookup(&key);

	if (!known) {
		if (interrupts.insert(&key, &first) == 0)
			return;
		known = &cpu->untold_interrupts;
	}
	known->calls++;
	known->mixings += mixes;
}

static inline int randomness_enters(u64 irq)
{
	struct cpu_counts *cpu = this_cpu();

	if (!cpu)
		return 0;
	cpu->randomness_irq = irq;
	cpu->randomness_mixings = 0;
	cpu->randomness_entered_ns = bpf_ktime_get_ns();
	return 0;
}

static inline int randomness_exits(void)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 entered_ns;

	if (!cpu)
		return 0;
	entered_ns = cpu->randomness_entered_ns;
	cpu->randomness_entered_ns = 0;
	if (!entered_ns) /* it was inside when the probes came */
		return 0;
	count_latency(&cpu->histograms[RANDOMNESS_HISTOGRAM], now_ns - entered_ns);
	count_interrupt(cpu, cpu->randomness_irq, cpu->randomness_mixings);
	return 0;
}

int kfunc__add_interrupt_randomness(u64 *ctx)
{
	return randomness_enters(argument(ctx, 0));
}

int kretfunc__add_interrupt_randomness(u64 *ctx)
{
	return randomness_exits();
}

int kprobe__add_interrupt_randomness(struct pt_regs *ctx)
{
	return randomness_enters(PT_REGS_PARM1(ctx));
}

int kretprobe__add_interrupt_randomness(struct pt_regs *ctx)
{
	return randomness_exits();
}

/*
 * Where functions cannot be probed: the last handler of an interrupt begins, which the call follows.
 * Interrupts that are shared have several handlers.
 */
RAW_TRACEPOINT_PROBE(irq_handler_entry)
{
	struct cpu_counts *cpu = this_cpu();

#ifdef IRQACTION_NEXT_OFFSET
	if (read_u64(ctx->args[1] + IRQACTION_NEXT_OFFSET))
		return 0;
#endif
	if (cpu)
		count_interrupt(cpu, ctx->args[0], false);
	return 0;
}
