// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deferred work of known latency: an hrtimer in hard interrupt context queues an item of one kind,
 * and the clock is read at queueing and first thing in the item's function. What bhlat says of the
 * same items is compared with that. The clock is that of bpf_ktime_get_ns().
 *
 * /sys/kernel/debug/bhlat_truth/
 *   kind         0 hi tasklet, 1 tasklet, 2 work item on system_highpri_wq, 3 work item on an unbound
 *                workqueue (bhlat_unbound), 4 timer whose expiry is now; and scenarios, from a thread:
 *                5 work items cancelled before they run, then queued again; 6 cancelled for good;
 *                7 a work item, 8 a tasklet, 9 a hi tasklet that queues itself when it runs; 10 a work
 *                item that another CPU runs, queued again as soon as possible; 11 a tasklet that all
 *                CPUs try to queue; 12 work items on a queue whose max_active is 1 (bhlat_limited),
 *                each holds it for hold_us; 13 work items that free themselves; 14 a tasklet, disabled
 *                for hold_us after it was queued; 15 work items queued for another CPU; 16 all items
 *                pending at once; 17 two tasklets of one function, which takes a number for its argument
 *                and is also called without being queued; 18 a tasklet, 19 a hi tasklet, 20 work items
 *                queued for another CPU, which goes offline before they run, and then comes back
 *   count        items to queue, one after the other
 *   cpu          CPU that queues
 *   pause_us     from one item's end to the next one's queueing, at least
 *   hold_irq_us  the interrupt goes on for so long after queueing: nothing else runs on that CPU
 *   hold_bh_us   bottom halves stay disabled on that CPU for so long after queueing
 *   hold_us      see kinds 12, 14 and 20
 *   run          write 1: forgets the pairs and makes new ones; returns when done, EINTR when killed
 *   pairs        a line for each: kind, ns before queueing, ns after (0 in scenarios), ns at start, CPU
 *                of the start
 *   summary      how many were queued, started and cancelled; least, median and greatest latency
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "truth.h"

/* An item that has not run by then counts as lost and ends the run: it may not be queued twice. */
#define ITEM_PATIENCE_NS (5ULL * NSEC_PER_SEC)
#define UNTIL_INTERRUPT_NS (50 * NSEC_PER_USEC)

u32 kind, cpu, count = 1000, hold_us = 2000;
static u32 pause_us = 500, hold_irq_us, hold_bh_us;

static const struct {
	const char *name;
	u32 *value;
} settings[] = {
	{"kind", &kind},         {"count", &count},
	{"cpu", &cpu},           {"pause_us", &pause_us},
	{"hold_us", &hold_us},   {"hold_irq_us", &hold_irq_us},
	{"hold_bh_us", &hold_bh_us},
};

/* Of one run: by one maker thread, its interrupt and its item, one after the other. */
struct pair *pairs;
u32 pair_count;
atomic_t queued, started, cancelled;
static struct pair current_pair;
static bool interrupted, item_ran;

static struct hrtimer interrupt;
static struct tasklet_struct tasklet;
static struct work_struct work;
static struct timer_list timer;
static struct workqueue_struct *unbound;
static struct dentry *folder;
DEFINE_MUTEX(run_mutex);

static void spin_until(u64 end_ns)
{
	while (now_ns() < end_ns)
		cpu_relax();
}

static void item_started(u64 ns)
{
	current_pair.started_ns = ns;
	current_pair.cpu = raw_smp_processor_id();
	smp_store_release(&item_ran, true);
}

static noinline void bhlat_truth_tasklet(struct tasklet_struct *unused)
{
	item_started(now_ns());
}

static noinline void bhlat_truth_work(struct work_struct *unused)
{
	item_started(now_ns());
}

static noinline void bhlat_truth_timer(struct timer_list *unused)
{
	item_started(now_ns());
}

static void queue_item(void)
{
	switch (current_pair.kind) {
	case HI_TASKLET:
		tasklet_hi_schedule(&tasklet);
		break;
	case TASKLET:
		tasklet_schedule(&tasklet);
		break;
	case HIGHPRI_WORK:
		queue_work_on(smp_processor_id(), system_highpri_wq, &work);
		break;
	case UNBOUND_WORK:
		queue_work(unbound, &work);
		break;
	default:
		timer.expires = jiffies;
		add_timer_on(&timer, smp_processor_id());
	}
}

static enum hrtimer_restart bhlat_truth_interrupt(struct hrtimer *unused)
{
	u64 queueing_ns = now_ns();

	current_pair.queueing_ns = queueing_ns;
	queue_item();
	current_pair.queued_ns = now_ns();
	spin_until(queueing_ns + hold_irq_us * NSEC_PER_USEC);
	smp_store_release(&interrupted, true);
	return HRTIMER_NORESTART;
}

/* Waits in the interrupt's CPU with bottom halves off, so that the item cannot run there. */
static void hold_bottom_halves(u64 limit_ns)
{
	local_bh_disable();
	hrtimer_start(&interrupt, ns_to_ktime(UNTIL_INTERRUPT_NS), HRTIMER_MODE_REL_PINNED_HARD);
	while (!smp_load_acquire(&interrupted) && now_ns() < limit_ns)
		cpu_relax();
	spin_until(current_pair.queueing_ns + hold_bh_us * NSEC_PER_USEC);
	local_bh_enable();
}

/* False: the item did not run. */
static bool make_pair(void)
{
	u64 limit_ns = now_ns() + ITEM_PATIENCE_NS;

	interrupted = false;
	item_ran = false;
	current_pair = (struct pair){.kind = kind};
	if (hold_bh_us)
		hold_bottom_halves(limit_ns);
	else
		hrtimer_start(&interrupt, ns_to_ktime(UNTIL_INTERRUPT_NS), HRTIMER_MODE_REL_PINNED_HARD);
	/* Both: an item may start on another CPU before the interrupt is through with it. */
	while (!smp_load_acquire(&item_ran) || !smp_load_acquire(&interrupted)) {
		if (now_ns() > limit_ns)
			return false;
		usleep_range(100, 200);
	}
	pairs[pair_count++] = current_pair;
	atomic_inc(&started);
	return true;
}

static void make_pairs(void)
{
	while (pair_count < count && !kthread_should_stop()) {
		atomic_inc(&queued);
		if (!make_pair())
			break;
		usleep_range(pause_us, pause_us + 50);
	}
}

static int maker_thread(void *finished)
{
	if (kind < FIRST_SCENARIO)
		make_pairs();
	else
		run_scenario();
	complete(finished);
	while (!kthread_should_stop()) /* a thread that has ended cannot be stopped */
		schedule_timeout_interruptible(HZ);
	return 0;
}

static int make(void)
{
	DECLARE_COMPLETION_ONSTACK(finished);
	struct task_struct *maker;
	int error;

	if (kind >= KINDS || count > MAX_PAIRS || !cpu_online(cpu))
		return -EINVAL;
	pair_count = 0;
	atomic_set(&queued, 0);
	atomic_set(&started, 0);
	atomic_set(&cancelled, 0);
	maker = kthread_create(maker_thread, &finished, "bhlat_truth");
	if (IS_ERR(maker))
		return PTR_ERR(maker);
	kthread_bind(maker, cpu);
	wake_up_process(maker);
	error = wait_for_completion_killable(&finished);
	kthread_stop(maker);
	return error;
}

static int run_set(void *unused, u64 value)
{
	int error = mutex_lock_killable(&run_mutex);

	if (error)
		return error;
	if (value)
		error = make();
	mutex_unlock(&run_mutex);
	return error;
}

DEFINE_DEBUGFS_ATTRIBUTE(run_operations, NULL, run_set, "%llu\n");

static void make_files(void)
{
	u32 i;

	folder = debugfs_create_dir("bhlat_truth", NULL);
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		debugfs_create_u32(settings[i].name, 0600, folder, settings[i].value);
	debugfs_create_file("run", 0200, folder, NULL, &run_operations);
	debugfs_create_file("pairs", 0400, folder, NULL, &pairs_fops);
	debugfs_create_file("summary", 0400, folder, NULL, &summary_fops);
}

static int __init bhlat_truth_init(void)
{
	pairs = vzalloc(MAX_PAIRS * sizeof(*pairs));
	unbound = alloc_workqueue("bhlat_unbound", WQ_UNBOUND, 0);
	if (!pairs || !unbound || scenarios_init()) {
		if (unbound)
			destroy_workqueue(unbound);
		vfree(pairs);
		return -ENOMEM;
	}
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&interrupt, bhlat_truth_interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	interrupt.function = bhlat_truth_interrupt;
#endif
	tasklet_setup(&tasklet, bhlat_truth_tasklet);
	INIT_WORK(&work, bhlat_truth_work);
	timer_setup(&timer, bhlat_truth_timer, TIMER_PINNED);
	make_files();
	return 0;
}

static void __exit bhlat_truth_exit(void)
{
	debugfs_remove_recursive(folder); /* waits for the files' users */
	hrtimer_cancel(&interrupt);
	tasklet_kill(&tasklet);
	cancel_work_sync(&work);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	timer_delete_sync(&timer);
#else
	del_timer_sync(&timer);
#endif
	destroy_workqueue(unbound);
	scenarios_exit();
	vfree(pairs);
}

module_init(bhlat_truth_init);
module_exit(bhlat_truth_exit);
MODULE_DESCRIPTION("deferred work of known latency, to check bhlat against");
MODULE_LICENSE("Dual BSD/GPL");
