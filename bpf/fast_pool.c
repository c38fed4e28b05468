/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognising the mixing of the fast pool, however it is deferred: whatever is queued inside
 * add_interrupt_randomness on this CPU is it. Where functions cannot be probed, that is not seen, and
 * the mixing is told by its function alone.
 */

static inline bool is_mix_function(u64 function)
{
#ifdef MIX_FUNCTION
	return function == MIX_FUNCTION;
#else
	return false;
#endif
}

/* Whether what is being queued on this CPU, to run this function, mixes the fast pool. */
static inline bool mixes_fast_pool(struct cpu_counts *cpu, u64 function)
{
	if (!cpu->randomness_entered_ns)
		return is_mix_function(function);
	cpu->randomness_mixings++;
	return true;
}

/* The start of a mixing. */
static inline bool count_mixing(struct cpu_counts *cpu, u64 key, u64 queued_ns, u64 now_ns)
{
	return count_start(cpu, key, FAST_POOL_HISTOGRAM(key, run_context(cpu)), queued_ns, now_ns);
}
