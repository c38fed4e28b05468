/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bpf/buckets.h on the host's compiler: reads latencies in nanoseconds from stdin, one a line, and
 * prints the cell of each. The BUCKET_* constants come from the agent by -D.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t u32;
typedef uint64_t u64;

#include "buckets.h"

int main(void)
{
	u64 latency_ns;

	while (scanf("%" SCNu64, &latency_ns) == 1)
		printf("%" PRIu32 "\n", bucket_cell(latency_ns));
	return 0;
}
