/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
BPF_TABLE("hash", u64, u64, callbacks, 4);
BPF_ARRAY(callback_changes, u32, 2);
