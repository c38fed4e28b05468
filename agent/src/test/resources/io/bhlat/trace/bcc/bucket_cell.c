/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bpf/buckets.h in the kernel: never attached, run by BPF_PROG_TEST_RUN with a latency. */
#include "buckets.h"

RAW_TRACEPOINT_PROBE(bucket_cell)
{
	return bucket_cell(ctx->args[0]);
}
