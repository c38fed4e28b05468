/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Named by libbcc's headers; nothing of it is used. */
