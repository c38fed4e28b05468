// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.RunContext;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what every CPU counts, by {@link CountsLayout}. Not thread-safe.
 *
 * <p>What started is read before what was queued, of all CPUs: so an item that is queued and starts
 * meanwhile is pending for that snapshot, and pending items, summed over all CPUs, never come out
 * below zero.
 */
final class CpuCountsReader {

  private static final int CPU_LONGS = CountsLayout.CPU_BYTES / Long.BYTES;
  private static final int HISTOGRAMS_LONG = CountsLayout.CPU_HISTOGRAMS_OFFSET / Long.BYTES;
  private static final int HISTOGRAM_LONGS = CountsLayout.HISTOGRAM_BYTES / Long.BYTES;

  private final MappedMemory memory;
  private final int cpus;
  private final boolean preemptRt;
  private final long[] before = new long[HISTOGRAMS_LONG];
  private final HistogramReader reader = new HistogramReader();
  private final List<CpuCounts> counts = new ArrayList<>();
  private final long[] lost = new long[LossReason.values().length];

  /** What was read of one CPU last. Of what does not change, the next reading gives it again. */
  private static final class CpuCounts {
    private final LatencyHistogram[] histograms = new LatencyHistogram[CountsLayout.HISTOGRAMS];
    private final boolean[] changed = new boolean[CountsLayout.HISTOGRAMS];
    private final long[] before = new long[HISTOGRAMS_LONG];
    private List<WorkCounts> all = Collections.nCopies(WorkKey.ALL.size(), WorkCounts.NONE);

    CpuCounts() {
      Arrays.fill(histograms, LatencyHistogram.EMPTY);
    }
  }

  /**
   * Reads the counts of CPUs 0 to {@code cpus} - 1.
   *
   * @param preemptRt whether the kernel runs softirqs in tasks only
   */
  CpuCountsReader(MappedMemory memory, int cpus, boolean preemptRt) {
    this.memory = memory;
    this.cpus = cpus;
    this.preemptRt = preemptRt;
    for (int cpu = 0; cpu < cpus; cpu++) {
      counts.add(new CpuCounts());
    }
  }

  /** Reads the histograms of all CPUs as they are now; the rest is read by {@link #of}. */
  void readHistograms() {
    for (int cpu = 0; cpu < cpus; cpu++) {
      CpuCounts last = counts.get(cpu);
      int first = cpu * CPU_LONGS + HISTOGRAMS_LONG;
      for (int position = 0; position < CountsLayout.HISTOGRAMS; position++) {
        LatencyHistogram earlier = last.histograms[position];
        LatencyHistogram now = reader.read(memory, first + position * HISTOGRAM_LONGS, earlier);
        last.histograms[position] = now;
        // Not cleared here but by of(), which need not follow.
        last.changed[position] |= !now.equals(earlier);
      }
    }
  }

  /** The counts of one CPU, in the order of {@link WorkKey#ALL}. */
  List<WorkCounts> of(int cpu) {
    memory.copy(cpu * CPU_LONGS, before, 0, before.length);
    CpuCounts last = counts.get(cpu);
    List<WorkCounts> all = new ArrayList<>(WorkKey.ALL.size());
    for (WorkKey key : WorkKey.ALL) {
      all.add(
          isAsBefore(last, key)
              ? last.all.get(key.index())
              : key.hasContexts() ? byContext(cpu, key) : counts(cpu, key));
    }
    last.all = List.copyOf(all);
    System.arraycopy(before, 0, last.before, 0, before.length);
    Arrays.fill(last.changed, false);
    return last.all;
  }

  private boolean isAsBefore(CpuCounts last, WorkKey key) {
    int first = countsOf(key);
    int end = first + CountsLayout.WORK_COUNTS_BYTES / Long.BYTES;
    if (!Arrays.equals(before, first, end, last.before, first, end)
        || last.changed[CountsLayout.serviceHistogram(key)]) {
      return false;
    }
    if (!key.hasContexts()) {
      return !last.changed[CountsLayout.queueHistogram(key)]
          && !(CountsLayout.hasActivation(key)
              && last.changed[CountsLayout.activationHistogram(key)]);
    }
    for (int context = 0; context < CountsLayout.CONTEXTS; context++) {
      if (last.changed[CountsLayout.queueHistogram(key, context)]) {
        return false;
      }
    }
    return true;
  }

  /** The time that add_interrupt_randomness took on a CPU. */
  LatencyHistogram timeInInterrupt(int cpu) {
    return histogram(cpu, CountsLayout.RANDOMNESS_HISTOGRAM);
  }

  /** The calls that the CPU of the last {@link #of} had no room to tell apart. */
  CallReader.UntoldCalls untold() {
    int interrupts = CountsLayout.CPU_UNTOLD_INTERRUPTS_OFFSET / Long.BYTES;
    int queueCalls = CountsLayout.CPU_UNTOLD_QUEUE_CALLS_OFFSET / Long.BYTES;
    return new CallReader.UntoldCalls(
        new InterruptCalls(before[interrupts], before[interrupts + 1]),
        before[queueCalls],
        before[queueCalls + 1]);
  }

  private WorkCounts counts(int cpu, WorkKey key) {
    int counts = countsOf(key);
    return new WorkCounts(
        before[counts],
        before[counts + 1],
        lost(counts),
        histogram(cpu, CountsLayout.queueHistogram(key)),
        CountsLayout.hasActivation(key)
            ? histogram(cpu, CountsLayout.activationHistogram(key))
            : LatencyHistogram.EMPTY,
        histogram(cpu, CountsLayout.serviceHistogram(key)));
  }

  private WorkCounts byContext(int cpu, WorkKey key) {
    int counts = countsOf(key);
    Map<RunContext, LatencyHistogram> latencies = new EnumMap<>(RunContext.class);
    for (int context = 0; context < CountsLayout.CONTEXTS; context++) {
      LatencyHistogram latency = histogram(cpu, CountsLayout.queueHistogram(key, context));
      if (!latency.isEmpty()) {
        latencies.put(contextOf(key, context), latency);
      }
    }
    return WorkCounts.byContext(
        before[counts],
        lost(counts),
        latencies,
        histogram(cpu, CountsLayout.serviceHistogram(key)));
  }

  private RunContext contextOf(WorkKey key, int context) {
    return switch (context) {
      case CountsLayout.CONTEXT_KSOFTIRQD -> RunContext.KSOFTIRQD;
      case CountsLayout.CONTEXT_KTIMERS -> RunContext.KTIMERS;
      case CountsLayout.CONTEXT_IRQ_THREAD -> RunContext.IRQ_THREAD;
      default -> {
        if (key.mechanism().filter(m -> m == FastPoolMechanism.WORKQUEUE).isPresent()) {
          yield RunContext.KWORKER;
        }
        yield preemptRt ? RunContext.TASK : RunContext.IRQ_EXIT;
      }
    };
  }

  private static int countsOf(WorkKey key) {
    return (CountsLayout.CPU_COUNTS_OFFSET + key.index() * CountsLayout.WORK_COUNTS_BYTES)
        / Long.BYTES;
  }

  private LossCounts lost(int counts) {
    System.arraycopy(before, counts + CountsLayout.LOST_OFFSET / Long.BYTES, lost, 0, lost.length);
    return LossCounts.of(lost);
  }

  private LatencyHistogram histogram(int cpu, int position) {
    return counts.get(cpu).histograms[position];
  }
}
