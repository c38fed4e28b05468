/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* libbcc carries the BPF interface that it was built for. */
#include <linux/types.h>
#include <bcc/bpf.h>
