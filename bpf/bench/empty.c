/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The cost of being called at all: programs on the three softirq tracepoints that do nothing. */

RAW_TRACEPOINT_PROBE(softirq_raise)
{
	return 0;
}

RAW_TRACEPOINT_PROBE(softirq_entry)
{
	return 0;
}

RAW_TRACEPOINT_PROBE(softirq_exit)
{
	return 0;
}
