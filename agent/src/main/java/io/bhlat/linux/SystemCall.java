// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.Pointer;

/**
 * System calls that the C library has no function for, by their number on this architecture. Any
 * thread; they return what the kernel does, -1 with {@link Libc#errno} set when it fails.
 */
public final class SystemCall {

  private static final boolean ARM64 = System.getProperty("os.arch", "").equals("aarch64");

  private static final long BPF = ARM64 ? 280 : 321;
  private static final long PERF_EVENT_OPEN = ARM64 ? 241 : 298;
  private static final long CAPSET = ARM64 ? 91 : 126;

  private SystemCall() {}

  /** bpf(2). */
  public static int bpf(int command, Pointer attributes, int attributesBytes) {
    return (int) Libc.syscall(BPF, command, Pointer.nativeValue(attributes), attributesBytes, 0, 0);
  }

  /** perf_event_open(2): a descriptor. */
  public static int perfEventOpen(Pointer attributes, int pid, int cpu, int group, long flags) {
    return (int)
        Libc.syscall(PERF_EVENT_OPEN, Pointer.nativeValue(attributes), pid, cpu, group, flags);
  }

  /** capset(2). */
  static int capset(Pointer header, Pointer sets) {
    return (int)
        Libc.syscall(CAPSET, Pointer.nativeValue(header), Pointer.nativeValue(sets), 0, 0, 0);
  }
}
