/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which context runs a softirq: a thread that the kernel has for it, an irq thread on its way out of a
 * section with bottom halves disabled, or whatever task was interrupted or enabled them again. The
 * last two cannot be told from one another by the current task; PREEMPT_RT has only the second.
 *
 * A thread's kind never changes. The one looked at last is remembered, so that names are seldom read.
 */

#define NAME_BYTES 16

/* The first bytes of the names of threads, as the number that they make in memory. */
#define NAME_8(a, b, c, d, e, f, g, h)                                                            \
	((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 |            \
	 (u64)(f) << 40 | (u64)(g) << 48 | (u64)(h) << 56)
#define NAME_KSOFTIRQD NAME_8('k', 's', 'o', 'f', 't', 'i', 'r', 'q')   /* ksoftirqd/0 */
#define NAME_KTIMERS NAME_8('k', 't', 'i', 'm', 'e', 'r', 's', '/')     /* ktimers/0 */
#define NAME_KTIMERSOFTD NAME_8('k', 't', 'i', 'm', 'e', 'r', 's', 'o') /* its name before 5.0 */
#define NAME_IRQ NAME_8('i', 'r', 'q', '/', 0, 0, 0, 0)                 /* irq/27-mlx4-1 */
#define FIRST_4_BYTES 0xffffffffULL

static inline u32 context_of_current(void)
{
	u64 name[NAME_BYTES / sizeof(u64)] = {};

	bpf_get_current_comm(name, NAME_BYTES);
	if (name[0] == NAME_KSOFTIRQD)
		return CONTEXT_KSOFTIRQD;
	if (name[0] == NAME_KTIMERS || name[0] == NAME_KTIMERSOFTD)
		return CONTEXT_KTIMERS;
	if ((name[0] & FIRST_4_BYTES) == NAME_IRQ)
		return CONTEXT_IRQ_THREAD;
	return CONTEXT_ANY_TASK;
}

/* What runs now, one of CONTEXTS. */
static inline u64 run_context(struct cpu_counts *cpu)
{
	u32 pid = bpf_get_current_pid_tgid();

	if (!pid) /* the idle task is always interrupted */
		return CONTEXT_ANY_TASK;
	if (pid != cpu->context_pid) {
		cpu->context = context_of_current();
		cpu->context_pid = pid;
	}
	return cpu->context & (CONTEXTS - 1);
}
