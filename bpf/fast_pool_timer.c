/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fast pool where a timer mixes it (mainline since 6.1): timer_start -> timer_expire_entry ->
 * timer_expire_exit.
 *
 * Each CPU has one such timer, pinned to it and expiring at once: it waits for the next tick. Once it
 * was recognised when it was queued, it is told by its address.
 */

/* Whether the timer that is being started mixes the fast pool of this CPU. */
static inline bool is_mix_timer(struct cpu_counts *cpu, u64 timer)
{
	if (cpu->randomness_entered_ns) {
		cpu->randomness_mixings++;
		cpu->mix_timer = timer;
		return true;
	}
	if (cpu->mix_timer)
		return cpu->mix_timer == timer;
	if (!is_mix_function(read_u64(timer + TIMER_LIST_FUNCTION_OFFSET)))
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
		count_lost(cpu, KEY_FAST_POOL_TIMER, LOSS_CANCELLED); /* moved away when its CPU went offline */
	cpu->mix_queued_ns = bpf_ktime_get_ns();
	count_queued(cpu, KEY_FAST_POOL_TIMER);
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
	count_mixing(cpu, KEY_FAST_POOL_TIMER, queued_ns, now_ns);
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
	count_end(cpu, KEY_FAST_POOL_TIMER, started_ns, bpf_ktime_get_ns());
	return 0;
}
