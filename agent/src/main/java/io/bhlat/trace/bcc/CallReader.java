// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.CallCounts;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.QueueCallKey;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls of functions that queue. Not thread-safe.
 *
 * <p>The kernel counts by interrupt number. A call belongs to the devices that have the interrupt
 * when it is read, so that a number given to another device begins a new count.
 */
final class CallReader {

  private record Place(int cpu, int irq) {}

  private final @Nullable BccMap interrupts;
  private final @Nullable BccMap queueCalls;
  private final IntFunction<String> devicesOf;
  private final Map<Place, InterruptCalls> lastRead = new HashMap<>();
  private final TreeMap<InterruptKey, InterruptCalls> interruptCalls = new TreeMap<>();

  /**
   * Reads these maps, of which each may be absent.
   *
   * @param devicesOf the devices that have an interrupt
   */
  CallReader(
      @Nullable BccMap interrupts, @Nullable BccMap queueCalls, IntFunction<String> devicesOf) {
    this.interrupts = interrupts;
    this.queueCalls = queueCalls;
    this.devicesOf = devicesOf;
  }

  /**
   * The calls so far.
   *
   * @param timeInInterrupt of add_interrupt_randomness, by CPU
   * @param untold of each CPU, what its maps had no room for
   */
  CallCounts read(
      NavigableMap<Integer, LatencyHistogram> timeInInterrupt, Map<Integer, UntoldCalls> untold)
      throws BpfException {
    TreeMap<QueueCallKey, Long> queueWorkOn = new TreeMap<>();
    if (interrupts != null) {
      for (BccMap.Entry entry : interrupts.entries()) {
        readInterrupt(entry.key(), entry.value());
      }
    }
    if (queueCalls != null) {
      for (BccMap.Entry entry : queueCalls.entries()) {
        queueWorkOn.put(queueCallKey(entry.key()), entry.value().getLong(0));
      }
    }
    untold.forEach(
        (cpu, calls) -> {
          addInterrupts(new Place(cpu, InterruptKey.OTHER), calls.interrupts());
          putUntold(queueWorkOn, cpu, false, calls.alreadyPending());
          putUntold(queueWorkOn, cpu, true, calls.queued());
        });
    return new CallCounts(timeInInterrupt, interruptCalls, queueWorkOn);
  }

  /** Calls of one CPU that found no room in a map. */
  record UntoldCalls(InterruptCalls interrupts, long alreadyPending, long queued) {}

  private void readInterrupt(ByteBuffer key, ByteBuffer value) {
    addInterrupts(
        new Place(key.getInt(0), key.getInt(Integer.BYTES)),
        new InterruptCalls(value.getLong(0), value.getLong(Long.BYTES)));
  }

  private void addInterrupts(Place place, InterruptCalls now) {
    InterruptCalls before = lastRead.getOrDefault(place, InterruptCalls.NONE);
    if (now.equals(before)) {
      return;
    }
    lastRead.put(place, now);
    String devices = place.irq() == InterruptKey.OTHER ? "" : devicesOf.apply(place.irq());
    interruptCalls.merge(
        new InterruptKey(place.cpu(), place.irq(), devices),
        now.since(before),
        InterruptCalls::plus);
  }

  private static QueueCallKey queueCallKey(ByteBuffer key) {
    int requested = key.getInt(Integer.BYTES);
    return new QueueCallKey(
        key.getInt(0),
        requested == CountsLayout.QUEUE_UNBOUND ? QueueCallKey.UNBOUND : requested,
        key.getInt(2 * Integer.BYTES) != 0);
  }

  private static void putUntold(
      Map<QueueCallKey, Long> calls, int cpu, boolean queued, long count) {
    if (count > 0) {
      calls.put(new QueueCallKey(cpu, QueueCallKey.OTHER, queued), count);
    }
  }
}
