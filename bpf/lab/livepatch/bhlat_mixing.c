// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A live patch: while it is enabled, add_interrupt_randomness defers the mixing of the fast pool to a
 * work item on system_highpri_wq (as 5.18 to 6.0 do) or to a hi tasklet (as was proposed in September
 * 2022), whatever the running kernel does itself. For measuring one against the other on the same
 * host without a reboot.
 *
 *   insmod bhlat_mixing.ko mechanism=workqueue|tasklet [interrupts=64]
 *   echo 0 >/sys/kernel/livepatch/bhlat_mixing/enabled    back to the kernel's own way; then, once
 *                                                         that folder is gone: rmmod bhlat_mixing
 *
 * The pool here is a stand-in for the kernel's, which a module cannot reach: the time of each
 * interrupt is folded into it and what comes out goes to add_device_randomness. While the patch is
 * enabled, interrupts credit no entropy: for test machines, once their random pool is initialised.
 */
#include <linux/bitops.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/workqueue.h>

static char *mechanism = "workqueue";
module_param(mechanism, charp, 0444);
MODULE_PARM_DESC(mechanism, "what mixes: workqueue or tasklet");

static unsigned int interrupts = 64;
module_param(interrupts, uint, 0644);
MODULE_PARM_DESC(interrupts, "mix after so many interrupts of a CPU, or after a second (kernels: 64 or 1024)");

#define POOL_WORDS 4

/* One CPU's; written by its hard interrupts, and by the mixing, which runs there with them enabled. */
struct interrupt_pool {
	unsigned long words[POOL_WORDS];
	unsigned long mixed_at; /* jiffies */
	unsigned int count;     /* interrupts since */
	bool deferred;          /* the mixing waits */
	struct work_struct work;
	struct tasklet_struct tasklet;
};

static DEFINE_PER_CPU(struct interrupt_pool, interrupt_pools);
static bool by_tasklet;

/* May run while an interrupt folds into the pool: randomness takes no harm from that. */
static void mix(struct interrupt_pool *pool)
{
	unsigned long words[POOL_WORDS];

	memcpy(words, pool->words, sizeof(words));
	pool->count = 0;
	pool->mixed_at = jiffies;
	WRITE_ONCE(pool->deferred, false); /* from here on it may be queued again, as in the kernel */
	add_device_randomness(words, sizeof(words));
}

static void bhlat_mix_work(struct work_struct *work)
{
	mix(container_of(work, struct interrupt_pool, work));
}

static void bhlat_mix_tasklet(struct tasklet_struct *tasklet)
{
	mix(container_of(tasklet, struct interrupt_pool, tasklet));
}

static bool is_due(const struct interrupt_pool *pool)
{
	return pool->count >= READ_ONCE(interrupts) || time_after(jiffies, pool->mixed_at + HZ);
}

/* In the place of the kernel's, in hard interrupts. Older kernels pass a second argument: unused. */
static void bhlat_add_interrupt_randomness(int irq)
{
	struct interrupt_pool *pool = this_cpu_ptr(&interrupt_pools);
	unsigned long *word = &pool->words[pool->count % POOL_WORDS];

	*word = rol64(*word, 19) ^ random_get_entropy() ^ (unsigned long)irq;
	pool->count++;
	if (pool->deferred || !is_due(pool))
		return;
	pool->deferred = true;
	if (by_tasklet)
		tasklet_hi_schedule(&pool->tasklet);
	else
		queue_work_on(raw_smp_processor_id(), system_highpri_wq, &pool->work);
}

static struct klp_func functions[] = {
	{.old_name = "add_interrupt_randomness", .new_func = bhlat_add_interrupt_randomness},
	{},
};

static struct klp_object objects[] = {
	{.funcs = functions}, /* no name: of the kernel itself */
	{},
};

static struct klp_patch patch = {.mod = THIS_MODULE, .objs = objects};

static int __init bhlat_mixing_init(void)
{
	int cpu;

	by_tasklet = !strcmp(mechanism, "tasklet");
	if (!by_tasklet && strcmp(mechanism, "workqueue")) {
		pr_err("mechanism=%s: neither workqueue nor tasklet\n", mechanism);
		return -EINVAL;
	}
	for_each_possible_cpu(cpu) {
		struct interrupt_pool *pool = per_cpu_ptr(&interrupt_pools, cpu);

		pool->mixed_at = jiffies;
		INIT_WORK(&pool->work, bhlat_mix_work);
		tasklet_setup(&pool->tasklet, bhlat_mix_tasklet);
	}
	return klp_enable_patch(&patch);
}

/* The patch is disabled by now and no CPU runs its function, but a mixing may still wait. */
static void __exit bhlat_mixing_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct interrupt_pool *pool = per_cpu_ptr(&interrupt_pools, cpu);

		cancel_work_sync(&pool->work);
		tasklet_kill(&pool->tasklet);
	}
}

module_init(bhlat_mixing_init);
module_exit(bhlat_mixing_exit);
MODULE_DESCRIPTION("mixes interrupt randomness by a work item or a hi tasklet");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_INFO(livepatch, "Y");
