/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel's integer types, as far as libbcc's helpers.h and uapi/linux/bpf.h use them. */
#ifndef BHLAT_LINUX_TYPES_H
#define BHLAT_LINUX_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;

typedef __s8 s8;
typedef __u8 u8;
typedef __s16 s16;
typedef __u16 u16;
typedef __s32 s32;
typedef __u32 u32;
typedef __s64 s64;
typedef __u64 u64;

typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u16 __le16;
typedef __u32 __le32;
typedef __u64 __le64;
typedef __u64 __attribute__((aligned(8))) __aligned_u64;
typedef __u16 __sum16;
typedef __u32 __wsum;

typedef unsigned long size_t;
typedef unsigned long uintptr_t;
typedef int pid_t;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

/* Registers at a function probe, in the order of the kernel's struct pt_regs. */
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86) || defined(bpf_target_x86)
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};
#define RETURN_ADDRESS_BYTES 8 /* on the stack from the entry of a function to its return */
#else
struct pt_regs {
	unsigned long regs[31];
	unsigned long sp, pc, pstate;
};
#define RETURN_ADDRESS_BYTES 0 /* in a register */
#endif

#endif
