/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No program here depends on a version: what a kernel offers is found by trying. */
#ifndef BHLAT_LINUX_VERSION_H
#define BHLAT_LINUX_VERSION_H

#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#ifndef LINUX_VERSION_CODE
#define LINUX_VERSION_CODE KERNEL_VERSION(5, 10, 0)
#endif

#endif
