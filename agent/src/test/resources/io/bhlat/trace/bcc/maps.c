/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One map of each kind that the agent reads, and programs that fill them. */

BPF_TABLE("hash", u64, u64, squares, 64);
BPF_F_TABLE("array", u32, u64, totals, 4, BPF_F_MMAPABLE);
BPF_QUEUE(numbers, u32, 2);

RAW_TRACEPOINT_PROBE(add_square)
{
	u64 number = ctx->args[0];
	u64 square = number * number;

	return squares.update(&number, &square);
}

RAW_TRACEPOINT_PROBE(add_to_total)
{
	u32 last = 3;
	u64 *total = totals.lookup(&last);

	if (total)
		__sync_fetch_and_add(total, ctx->args[0]);
	return 0;
}

RAW_TRACEPOINT_PROBE(take_number)
{
	u32 number = 0;

	numbers.pop(&number);
	return number;
}
