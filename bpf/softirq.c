/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Softirqs, per CPU and vector: first raise since the last entry -> entry -> exit.
 *
 * softirq_raise fires on every raise, also of a vector that is pending already, with interrupts
 * off. The kernel takes the pending bits of all vectors at once and then runs one after the other:
 * a raise between the two belongs to the next run of its vector, though it is seen before this
 * one's entry. So the last raise while one was pending is kept, and serves the entry that has no
 * other.
 *
 * Vectors and keys are u64 throughout: narrowing them would make the compiler keep an unchecked copy,
 * and the verifier refuse it.
 */

RAW_TRACEPOINT_PROBE(softirq_raise)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 vector = ctx->args[0];

	if (!cpu || vector >= SOFTIRQ_VECTORS)
		return 0;
	if (cpu->softirq[vector].raised_ns) {
		cpu->softirq[vector].reraised_ns = now_ns;
		return 0;
	}
	cpu->softirq[vector].raised_ns = now_ns;
	cpu->softirq[vector].reraised_ns = 0;
	count_queued(cpu, KEY_SOFTIRQ + vector);
	return 0;
}

RAW_TRACEPOINT_PROBE(softirq_entry)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 vector = ctx->args[0];
	u64 raised_ns;

	if (!cpu || vector >= SOFTIRQ_VECTORS)
		return 0;
	raised_ns = cpu->softirq[vector].raised_ns;
	cpu->softirq[vector].raised_ns = 0;
	if (!raised_ns) {
		raised_ns = cpu->softirq[vector].reraised_ns;
		cpu->softirq[vector].reraised_ns = 0;
		if (raised_ns)
			count_queued(cpu, KEY_SOFTIRQ + vector);
	}
	cpu->softirq[vector].entered_ns = now_ns;
	cpu->softirq_vector = vector;
	cpu->softirq_raised_ns = raised_ns;
	count_start(cpu, KEY_SOFTIRQ + vector, SOFTIRQ_HISTOGRAM(vector, run_context(cpu)), raised_ns,
		    now_ns);
	return 0;
}

/*
 * A vector ends whose entry was not seen, because its program was skipped. The raise that led to it must
 * not wait for the next entry, which it has nothing to do with; a later raise may.
 */
static inline void drop_missed_start(struct cpu_counts *cpu, u64 vector)
{
	if (!cpu->softirq[vector].raised_ns)
		return;
	cpu->softirq[vector].raised_ns = 0;
	count_lost(cpu, KEY_SOFTIRQ + vector, LOSS_START_MISSED);
}

RAW_TRACEPOINT_PROBE(softirq_exit)
{
	u64 now_ns = bpf_ktime_get_ns();
	struct cpu_counts *cpu = this_cpu();
	u64 vector = ctx->args[0];
	u64 entered_ns;

	if (!cpu || vector >= SOFTIRQ_VECTORS)
		return 0;
	entered_ns = cpu->softirq[vector].entered_ns;
	cpu->softirq[vector].entered_ns = 0;
	if (!count_end(cpu, KEY_SOFTIRQ + vector, entered_ns, now_ns))
		drop_missed_start(cpu, vector);
	return 0;
}
