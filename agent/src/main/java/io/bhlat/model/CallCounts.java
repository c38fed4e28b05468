// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Calls of the functions that queue, where they are probed. Immutable.
 *
 * @param timeInInterrupt add_interrupt_randomness, entry → exit in the hard interrupt, by CPU
 * @param interrupts calls of add_interrupt_randomness
 * @param queueWorkOn calls of queue_work_on
 */
public record CallCounts(
    NavigableMap<Integer, LatencyHistogram> timeInInterrupt,
    NavigableMap<InterruptKey, InterruptCalls> interrupts,
    NavigableMap<QueueCallKey, Long> queueWorkOn) {

  /** No call. */
  public static final CallCounts NONE =
      new CallCounts(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  public CallCounts {
    timeInInterrupt = Collections.unmodifiableNavigableMap(new TreeMap<>(timeInInterrupt));
    interrupts = Collections.unmodifiableNavigableMap(new TreeMap<>(interrupts));
    queueWorkOn = Collections.unmodifiableNavigableMap(new TreeMap<>(queueWorkOn));
  }

  /** The time in the interrupt over all CPUs. */
  public LatencyHistogram totalTimeInInterrupt() {
    return timeInInterrupt.values().stream().reduce(LatencyHistogram.EMPTY, LatencyHistogram::plus);
  }

  /** The calls of add_interrupt_randomness over all CPUs and interrupts. */
  public InterruptCalls totalInterrupts() {
    return interrupts.values().stream().reduce(InterruptCalls.NONE, InterruptCalls::plus);
  }

  /**
   * Calls of queue_work_on as seen from the CPU that called.
   *
   * @param cpu the CPU that called
   * @param request which CPU it asked for
   * @param queued whether the item was queued; else it was pending already
   */
  public record QueueRequest(int cpu, QueueCallKey.Request request, boolean queued)
      implements Comparable<QueueRequest> {

    private static final Comparator<QueueRequest> ORDER =
        Comparator.comparingInt(QueueRequest::cpu)
            .thenComparing(QueueRequest::request)
            .thenComparing(QueueRequest::queued);

    /** The value of the {@code result} label. */
    public String resultLabel() {
      return QueueCallKey.resultLabel(queued);
    }

    @Override
    public int compareTo(QueueRequest other) {
      return ORDER.compare(this, other);
    }
  }

  /** The calls of queue_work_on as seen from the CPUs that called. */
  public NavigableMap<QueueRequest, Long> queueWorkOnByRequest() {
    NavigableMap<QueueRequest, Long> byRequest = new TreeMap<>();
    queueWorkOn.forEach(
        (key, count) ->
            byRequest.merge(
                new QueueRequest(key.cpu(), key.request(), key.queued()), count, Long::sum));
    return byRequest;
  }

  /** The calls of queue_work_on that asked for such a CPU and ended so, over all CPUs. */
  public long queueWorkOn(QueueCallKey.Request request, boolean queued) {
    return queueWorkOnByRequest().entrySet().stream()
        .filter(entry -> entry.getKey().request() == request && entry.getKey().queued() == queued)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * What was counted since an earlier state of the same source, without calls that did not happen.
   *
   * @throws IllegalArgumentException if a count of the earlier state is larger
   */
  CallCounts since(CallCounts earlier) {
    NavigableMap<InterruptKey, InterruptCalls> called =
        since(interrupts, earlier.interrupts, InterruptCalls.NONE, InterruptCalls::since);
    called.values().removeIf(InterruptCalls.NONE::equals);
    NavigableMap<QueueCallKey, Long> queued =
        since(queueWorkOn, earlier.queueWorkOn, 0L, (now, then) -> now - then);
    queued.values().removeIf(calls -> calls == 0);
    return new CallCounts(
        since(
            timeInInterrupt,
            earlier.timeInInterrupt,
            LatencyHistogram.EMPTY,
            LatencyHistogram::since),
        called,
        queued);
  }

  private static <K, V> NavigableMap<K, V> since(
      Map<K, V> now, Map<K, V> earlier, V none, BinaryOperator<V> difference) {
    NavigableMap<K, V> since = new TreeMap<>();
    now.forEach(
        (key, value) -> since.put(key, difference.apply(value, earlier.getOrDefault(key, none))));
    return since;
  }
}
