/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Maps and counting, shared by all probes. The agent compiles this file first, then those of the
 * measurements in its plan, as one source (libbcc rewrites map calls in the main file only).
 *
 * Nothing here is ever cleared while counting: an interval is the difference of two readings.
 */
#include "layout.h"
#include "buckets.h"

/* For what ran without a queueing seen, so that its workqueue is not known */
#define NO_FUNCTION 0xffffffff

#define EEXIST 17
#define E2BIG 7

/* CPU -> its counts; preallocated, mapped by the agent; never full: one for each possible CPU */
BPF_F_TABLE("array", u32, struct cpu_counts, cpu_counts, MAX_CPUS, BPF_F_MMAPABLE);

#ifdef COUNT_FUNCTIONS
/*
 * [shard][function index] -> counts; preallocated, mapped by the agent. CPUs share shards, so that
 * memory does not grow with CPUs; the first indexes are "other", one for each class with functions.
 */
BPF_F_TABLE("array", u32, struct function_counts, function_counts,
	    FUNCTION_SHARDS * FUNCTION_INDEXES, BPF_F_MMAPABLE);

/* function and owner -> index and name; added when first queued, never removed; full: "other" */
BPF_TABLE("hash", struct function_key, struct function_value, functions, MAX_FUNCTION_KEYS);

/* indexes of function_counts that no function has yet; filled by the agent; empty: "other" */
BPF_QUEUE(free_function_indexes, u32, FUNCTION_INDEXES);
#endif

/* A word of the kernel's memory; 0 where it cannot be read. */
static inline u64 read_u64(u64 address)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (void *)address);
	return value;
}

/*
 * An argument of a function that an fentry or fexit program is attached to, or behind the arguments what
 * it returned. Read by the helper, since to the verifier ctx[n] is a typed pointer, which cannot become a
 * map's key.
 */
static inline u64 argument(u64 *ctx, u32 n)
{
	return read_u64((u64)(ctx + n));
}

static inline struct cpu_counts *this_cpu(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return cpu_counts.lookup(&cpu);
}

static inline void count_lost(struct cpu_counts *cpu, u64 key, u32 reason)
{
	__sync_fetch_and_add(&cpu->counts[key].lost[reason], 1);
}

static inline void count_queued(struct cpu_counts *cpu, u64 key)
{
	__sync_fetch_and_add(&cpu->counts[key].queued, 1);
}

/*
 * The cell before the maximum: a reader that meets the two half-way sees a maximum that is too low
 * for the highest cell, and knows. The maximum itself is not atomic: of two programs that raise it
 * at the same moment on one CPU the lower may win, which that check finds too.
 */
static inline void count_latency(struct latency_histogram *histogram, u64 latency_ns)
{
	u64 cell = bucket_cell(latency_ns);

	/*
	 * Cannot be, but old verifiers (5.10, 6.1) follow branches that no value takes, and ask.
	 * The empty assembler keeps the compiler from checking one copy and using another.
	 */
	asm volatile("" : "+r"(cell));
	if (cell >= BUCKET_CELLS)
		return;
	__sync_fetch_and_add(&histogram->cells[cell], 1);
	__sync_fetch_and_add(&histogram->sum_ns, latency_ns);
	if (latency_ns > histogram->max_ns)
		histogram->max_ns = latency_ns;
}

#ifdef COUNT_FUNCTIONS
/* The counts of a function on this CPU's shard; none for NO_FUNCTION. */
static inline struct function_counts *function_counts_of(u32 index)
{
	u32 shard = bpf_get_smp_processor_id() & (FUNCTION_SHARDS - 1);
	u32 position = shard * FUNCTION_INDEXES + index;

	return index < FUNCTION_INDEXES ? function_counts.lookup(&position) : 0;
}

/* Gives a function that is queued for the first time an index, or "other" when none is left. */
static inline u32 add_function(struct function_key *key, struct function_value *value)
{
	u32 index;

	if (free_function_indexes.pop(&index) == 0) {
		value->index = index;
		if (functions.insert(key, value) == 0)
			return index;
		free_function_indexes.push(&index, 0); /* another CPU was first, or no room */
	}
	return OTHER_INDEX(value->key);
}
#endif

static inline void count_function_queue_latency(u32 index, u64 latency_ns)
{
#ifdef COUNT_FUNCTIONS
	struct function_counts *counts = function_counts_of(index);

	if (counts)
		count_latency(&counts->queue_latency, latency_ns);
#endif
}

static inline void count_function_service_time(u32 index, u64 service_ns)
{
#ifdef COUNT_FUNCTIONS
	struct function_counts *counts = function_counts_of(index);

	if (counts)
		count_latency(&counts->service_time, service_ns);
#endif
}

/*
 * Queue latency of what was queued at queued_ns (0: not seen) and starts now. The histogram is one of the
 * key's, which may have several, by context.
 */
static inline bool count_start(struct cpu_counts *cpu, u64 key, u64 histogram, u64 queued_ns, u64 now_ns)
{
	if (!queued_ns) {
		count_lost(cpu, key, LOSS_NO_QUEUE_SEEN);
		return false;
	}
	if (now_ns < queued_ns) {
		count_lost(cpu, key, LOSS_NEGATIVE_DELTA);
		return false;
	}
	count_latency(&cpu->histograms[histogram], now_ns - queued_ns);
	return true;
}

/* Service time of what started at started_ns (0: not seen) and ends now. */
static inline bool count_end(struct cpu_counts *cpu, u64 key, u64 started_ns, u64 now_ns)
{
	if (!started_ns) {
		count_lost(cpu, key, LOSS_NO_START_SEEN);
		return false;
	}
	count_latency(&cpu->histograms[SERVICE_HISTOGRAM(key)], now_ns - started_ns);
	return true;
}
