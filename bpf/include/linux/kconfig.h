/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Included by libbcc before everything else. Only what libbcc's own helpers.h asks for: the small
 * header tree stands in for the kernel's, so that no host needs kernel headers.
 */
#ifndef BHLAT_LINUX_KCONFIG_H
#define BHLAT_LINUX_KCONFIG_H

#define CONFIG_BPF_SYSCALL 1
#define CONFIG_CC_STACKPROTECTOR 1

#endif
