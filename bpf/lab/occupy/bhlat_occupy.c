// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Takes the one place for a direct call that ftrace has at the entry of __tasklet_hi_schedule, and does
 * nothing there. While the module is loaded fentry programs cannot be attached to that function (EBUSY);
 * kprobes can. For tests of what is told then. x86-64; Linux 5.10 to 6.3, whose ftrace takes the two
 * addresses.
 */
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/linkage.h>
#include <linux/module.h>
#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/ibt.h>
#else
#define ASM_ENDBR
#endif

void bhlat_return_at_once(void);

asm(".pushsection .text, \"ax\", @progbits\n"
    ".type bhlat_return_at_once, @function\n"
    ".globl bhlat_return_at_once\n"
    "bhlat_return_at_once:\n"
    ASM_ENDBR
    ASM_RET
    ".size bhlat_return_at_once, .-bhlat_return_at_once\n"
    ".popsection\n");

static int __init bhlat_occupy_init(void)
{
	return register_ftrace_direct((unsigned long)__tasklet_hi_schedule, (unsigned long)bhlat_return_at_once);
}

static void __exit bhlat_occupy_exit(void)
{
	unregister_ftrace_direct((unsigned long)__tasklet_hi_schedule, (unsigned long)bhlat_return_at_once);
}

module_init(bhlat_occupy_init);
module_exit(bhlat_occupy_exit);
MODULE_DESCRIPTION("occupies the entry of __tasklet_hi_schedule");
MODULE_LICENSE("Dual BSD/GPL");
