/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fast pool where a timer mixes it (mainline since 6.1): timer_start -> timer_expire_entry ->
 * timer_expire_exit of the timer whose function is MIX_FUNCTION.
 *
 * Each CPU has one such timer, pinned to it and expiring at once: it waits for the next tick. It is
 * told by its function until its address is known, then by its address.
 */

static inline bool is_mix_timer(struct cpu_counts *cpu, u64 timer)
{
	if (cpu->mix_timer)
		return cpu->mix_timer == timer;
	if (read_u64(timer + TIMER_LIST_FUNCTION_OFFSET) != MIX_FUNCTION)
		return false;
	cpu->mix_timer = timer;
	return true;
}

RAW_TRACEPOINT_PROBE(timer_start)
{
	struct cpu_counts *cpu = this_cpu();
	u64 timer = ctx->args[0];

	if (!cpu || !is_mix_timer(cpu, timer))
		return 0;
	if (cpu->mix_queued_ns)
		count_lost(cpu, KEY_FAST_POOL, LOSS_CANCELLED); /* moved away when its CPU went offline */
	cpu->mix_queued_ns = bpf_ktime_get_ns();
	count_queued(cpu, KEY_FAST_POOL);
	return 0;
}

RAW_TRACEPOINT_PROBE(timer_expire_entry)
{
	struct cpu_counts *cpu = this_cpu();
	u64 timer = ctx->args[0];
	u64 now_ns;
	u64 queued_ns;

	if (!cpu || cpu->mix_timer != timer)
		return 0;
	now_ns = bpf_ktime_get_ns();
	queued_ns = cpu->mix_queued_ns;
	cpu->mix_queued_ns = 0;
	cpu->mix_started_ns = now_ns;
	count_start(cpu, KEY_FAST_POOL, queued_ns, now_ns);
	return 0;
}

RAW_TRACEPOINT_PROBE(timer_expire_exit)
{
	struct cpu_counts *cpu = this_cpu();
	u64 timer = ctx->args[0];
	u64 started_ns;

	if (!cpu || cpu->mix_timer != timer)
		return 0;
	started_ns = cpu->mix_started_ns;
	cpu->mix_started_ns = 0;
	count_end(cpu, KEY_FAST_POOL, started_ns, bpf_ktime_get_ns());
	return 0;
}
