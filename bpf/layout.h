/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the agent maps and reads. io.bhlat.trace.bcc.CountsLayout is the same in Java, gives every
 * constant used here (KEYS, LOSS_REASONS, HISTOGRAMS, BUCKET_CELLS, ...) and the offsets asserted
 * at the end, so that the two cannot drift apart.
 */
#ifndef BHLAT_LAYOUT_H
#define BHLAT_LAYOUT_H

#define SOFTIRQ_VECTORS 10

/* Latencies in cells; 31 cache lines, so that neighbours never share one. The count is their sum. */
struct latency_histogram {
	u64 sum_ns;
	u64 max_ns;
	u64 cells[BUCKET_CELLS];
	u64 unused[4];
};

/* Counts of one work key on one CPU; two cache lines. */
struct work_counts {
	u64 queued;
	u64 flush_barriers;
	u64 lost[LOSS_REASONS];
	u64 unused[14 - LOSS_REASONS];
};

/* A softirq vector on one CPU. */
struct softirq_state {
	u64 raised_ns;   /* first raise since the last entry; 0: none */
	u64 reraised_ns; /* last raise while raised_ns was set: may be for the entry after next */
	u64 entered_ns;  /* 0: not running */
	u64 unused;
};

/* Where add_interrupt_randomness is called: a CPU and an interrupt. */
struct interrupt_key {
	u32 cpu;
	u32 irq;
};

struct interrupt_calls {
	u64 calls;
	u64 mixings; /* of those, how many queued a mixing of the fast pool */
};

/* A kind of call of queue_work_on. */
struct queue_call_key {
	u32 cpu;
	u32 requested; /* a CPU, or QUEUE_UNBOUND */
	u32 queued;    /* 1: the item was queued; 0: it was pending already */
};

/* Everything one CPU counts. Written by that CPU only, by programs that may interrupt each other. */
struct cpu_counts {
	struct softirq_state softirq[SOFTIRQ_VECTORS];
	u64 softirq_vector;       /* the vector that runs, for tasklets */
	u64 softirq_raised_ns;    /* the raise that led to it; 0: not seen */
	u64 tasklet_started_ns;   /* 0: none runs */
	u32 tasklet_function;     /* index of its counts in function_counts */
	u8 tasklet_key;           /* its work key */
	u8 tasklet_mixes;         /* it mixes the fast pool */
	u8 goes_offline;
	u8 unused_byte;
	u64 mix_timer;            /* this CPU's fast pool timer, once seen */
	u64 mix_queued_ns;        /* 0: not pending */
	u64 mix_started_ns;       /* 0: not running */
	u64 randomness_entered_ns; /* 0: not inside add_interrupt_randomness */
	u32 randomness_irq;       /* the interrupt that it was called for */
	u32 randomness_mixings;   /* queued since it was entered */
	u32 context_pid;          /* the thread that was looked at last */
	u32 context;              /* and what it is: CONTEXT_... */
	struct interrupt_calls untold_interrupts; /* that found no room in their map */
	u64 untold_queue_calls[2]; /* likewise: pending already, queued */
	u64 unused[2];
	struct work_counts counts[KEYS];
	/* an odd number of lines in all, so that CPUs spread over the sets of a cache */
	struct latency_histogram histograms[HISTOGRAMS];
};

/* Everything counted for one function by a group of CPUs. */
struct function_counts {
	struct latency_histogram queue_latency;
	struct latency_histogram service_time;
};

/* A function that runs deferred work. */
struct function_key {
	u64 function; /* address */
	u64 owner;    /* address of the workqueue; for tasklets their work key */
};

struct function_value {
	u32 index;    /* of its counts in function_counts */
	u32 key;      /* work key */
	char workqueue[WORKQUEUE_NAME_SIZE];
};

/* A queued work item or tasklet. */
struct stamp {
	u64 queued_ns;
	u64 activated_ns; /* 0: not yet; tasklet_by_callback.c keeps the tasklet's address here */
	u32 function;     /* index of its counts in function_counts */
	u8 key;           /* work key */
	u8 fast_pool;     /* it mixes the fast pool */
	u8 unused[2];
};

/* A running work item. A task runs one at a time; BH work runs on top of whatever task it met. */
struct running_key {
	u64 work;
	u64 task;
};

struct running_value {
	u64 started_ns;
	u32 function;
	u8 key;
	u8 fast_pool;
	u8 unused[2];
};

#define ASSERT_LAYOUT(type, member, offset) \
	_Static_assert(__builtin_offsetof(struct type, member) == (offset), #type "." #member)

ASSERT_LAYOUT(latency_histogram, cells, LAYOUT_HISTOGRAM_CELLS);
ASSERT_LAYOUT(work_counts, lost, LAYOUT_COUNTS_LOST);
ASSERT_LAYOUT(cpu_counts, untold_interrupts, LAYOUT_CPU_UNTOLD_INTERRUPTS);
ASSERT_LAYOUT(cpu_counts, untold_queue_calls, LAYOUT_CPU_UNTOLD_QUEUE_CALLS);
ASSERT_LAYOUT(cpu_counts, counts, LAYOUT_CPU_COUNTS);
ASSERT_LAYOUT(cpu_counts, histograms, LAYOUT_CPU_HISTOGRAMS);
ASSERT_LAYOUT(function_counts, service_time, LAYOUT_FUNCTION_SERVICE_TIME);
ASSERT_LAYOUT(function_value, workqueue, LAYOUT_FUNCTION_WORKQUEUE);

#endif
