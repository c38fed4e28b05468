// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which devices have which interrupt. They come and go: /proc/interrupts, which takes a while to
 * read on large hosts, is read again when it was read {@link #MAX_AGE} ago, or for a number that
 * was not asked for before. Not thread-safe.
 */
public final class InterruptDevices {

  /** For so long a name is taken to be true. */
  static final Duration MAX_AGE = Duration.ofSeconds(10);

  private final HostFiles host;
  private final Map<Integer, String> devices = new HashMap<>();
  private long readAtNs;

  /** Reads nothing yet. */
  public InterruptDevices(HostFiles host) {
    this.host = host;
  }

  /**
   * The devices of an interrupt, separated by commas; empty if none has it.
   *
   * @param nowNs a monotonic clock
   * @throws HostReadException if /proc/interrupts cannot be read
   */
  public String of(int irq, long nowNs) {
    boolean known = devices.containsKey(irq);
    if (!known || nowNs - readAtNs > MAX_AGE.toNanos()) {
      read(nowNs);
    }
    return devices.computeIfAbsent(irq, none -> "");
  }

  private void read(long nowNs) {
    Map<Integer, String> now = new HashMap<>();
    for (Interrupt interrupt : InterruptTable.read(host).interrupts()) {
      interrupt
          .number()
          .ifPresent(number -> now.put(number, String.join(",", interrupt.devices())));
    }
    devices.replaceAll((irq, gone) -> "");
    devices.putAll(now);
    readAtNs = nowNs;
  }
}
