// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which devices have which interrupt. They come and go: /proc/interrupts, which takes a while to
 * read on large hosts, is read again when it was read {@link #MAX_AGE} ago, or for a number that
 * was not asked for before. While it cannot be read, what was read last is taken to be true.
 * Thread-safe.
 */
public final class InterruptDevices {

  /** For so long a name is taken to be true. */
  static final Duration MAX_AGE = Duration.ofSeconds(10);

  private final HostFiles host;
  private final Map<Integer, String> devices = new HashMap<>();
  private final ReadErrors errors;
  private long readAtNs;

  /**
   * Reads nothing yet.
   *
   * @param errors told when the file cannot be read
   */
  public InterruptDevices(HostFiles host, ReadErrors errors) {
    this.host = host;
    this.errors = errors;
  }

  /**
   * The devices of an interrupt, separated by commas; empty if none has it.
   *
   * @param nowNs a monotonic clock
   */
  public synchronized String of(int irq, long nowNs) {
    boolean known = devices.containsKey(irq);
    if (!known || nowNs - readAtNs > MAX_AGE.toNanos()) {
      read(nowNs);
    }
    return devices.computeIfAbsent(irq, none -> "");
  }

  private void read(long nowNs) {
    readAtNs = nowNs;
    Map<Integer, String> now = new HashMap<>();
    try {
      readInto(now);
      errors.afterReading(ReadErrors.Kind.INTERRUPTS, List.of());
    } catch (HostReadException e) {
      errors.afterReading(ReadErrors.Kind.INTERRUPTS, List.of(String.valueOf(e.getMessage())));
      return;
    }
    devices.replaceAll((irq, gone) -> "");
    devices.putAll(now);
  }

  private void readInto(Map<Integer, String> now) {
    for (Interrupt interrupt : InterruptTable.read(host).interrupts()) {
      interrupt
          .number()
          .ifPresent(number -> now.put(number, String.join(",", interrupt.devices())));
    }
  }
}
