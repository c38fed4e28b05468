/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CPUs that go offline. What their softirqs had raised is dropped by the kernel, and their fast pool's
 * timer goes to another CPU: neither must wait, in our books, until the CPU comes back.
 *
 * The last steps down are taken by another CPU when this one is dead, from takedown_cpu on.
 */

RAW_TRACEPOINT_PROBE(cpuhp_enter)
{
	u32 number = ctx->args[0];
	struct cpu_counts *cpu = cpu_counts.lookup(&number);

	if (cpu)
		cpu->goes_offline = (u32)ctx->args[1] == 0; /* the target: CPUHP_OFFLINE */
	return 0;
}

RAW_TRACEPOINT_PROBE(cpuhp_exit)
{
	u32 number = ctx->args[0];
	struct cpu_counts *cpu = cpu_counts.lookup(&number);
	u64 vector;

	if (!cpu || !cpu->goes_offline || number == bpf_get_smp_processor_id())
		return 0;
#pragma unroll
	for (vector = 0; vector < SOFTIRQ_VECTORS; vector++) {
		if (!cpu->softirq[vector].raised_ns)
			continue;
		cpu->softirq[vector].raised_ns = 0;
		count_lost(cpu, KEY_SOFTIRQ + vector, LOSS_CANCELLED);
	}
	if (cpu->mix_queued_ns) {
		cpu->mix_queued_ns = 0;
		count_lost(cpu, KEY_FAST_POOL_TIMER, LOSS_CANCELLED);
	}
	return 0;
}
