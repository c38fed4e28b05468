// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes frames of one recording, one after the other: texts are written when they are first used
 * and numbered from then on. docs/RECORDING.md has the bytes. Used by one thread.
 */
final class GrowthEncoder {

  /** The frame needs none before it. */
  static final int FRESH = 1;

  /** The frame tells the CPUs. */
  static final int CPUS = 2;

  static final int QUEUED = 1;
  static final int FLUSH_BARRIERS = 2;
  static final int LOST = 4;
  static final int QUEUE_LATENCY = 8;
  static final int IN_CONTEXTS = 16;
  static final int ACTIVATION = 32;
  static final int SERVICE_TIME = 64;

  /** The queue latency's cells and sum are those of the only context; its maximum is told. */
  static final int AS_ITS_CONTEXT = 128;

  private final Map<String, Integer> texts = new HashMap<>();
  private final ByteSink newTexts = new ByteSink();
  private final ByteSink body = new ByteSink();
  private int newTextCount;
  private Optional<Growth> last = Optional.empty();

  /** Forgets what was written: the next frame can be read without the ones before. */
  void restart() {
    last = Optional.empty();
  }

  /** Adds the payload of the next frame. */
  void encode(Growth growth, ByteSink out) {
    boolean fresh = last.filter(earlier -> earlier.to().equals(growth.from())).isEmpty();
    if (fresh) {
      texts.clear();
    }
    boolean cpus =
        fresh
            || last.filter(
                    earlier ->
                        earlier.cpus().equals(growth.cpus())
                            && earlier.timedCpus().equals(growth.timedCpus()))
                .isEmpty();
    last = Optional.of(growth);
    newTexts.clear();
    newTextCount = 0;
    body.clear();
    putCounts(growth);
    out.putNumber((fresh ? FRESH : 0) | (cpus ? CPUS : 0));
    putTimes(growth, fresh, out);
    if (cpus) {
      out.putText(growth.cpus().toString());
      out.putText(growth.timedCpus().toString());
    }
    out.putNumber(newTextCount);
    out.putAll(newTexts);
    out.putAll(body);
  }

  private static void putTimes(Growth growth, boolean fresh, ByteSink out) {
    Instant wall = growth.from().wall();
    if (fresh) {
      out.putInstant(wall);
      out.putSigned(growth.from().ns());
    }
    out.putNumber(growth.durationNs());
    // Nearly 0, unless the wall clock was set.
    out.putSigned(
        Duration.between(wall, growth.to().wall()).minusNanos(growth.durationNs()).toNanos());
  }

  private void putCounts(Growth growth) {
    body.putNumber(growth.byCpu().size());
    growth.byCpu().forEach(this::putCpu);
    body.putNumber(growth.lostAnywhere().size());
    growth
        .lostAnywhere()
        .forEach(
            (key, lost) -> {
              body.putNumber(key.index());
              putLost(lost);
            });
    body.putNumber(growth.lostByClass().size());
    growth
        .lostByClass()
        .forEach(
            (workClass, lost) -> {
              body.putNumber(workClass.ordinal());
              putLost(lost);
            });
    body.putNumber(growth.functions().size());
    growth.functions().forEach(this::putFunction);
    body.putNumber(growth.timeInInterrupt().size());
    growth
        .timeInInterrupt()
        .forEach(
            (cpu, time) -> {
              body.putNumber(cpu);
              putHistogram(time);
            });
    body.putNumber(growth.interrupts().size());
    growth.interrupts().forEach(this::putInterrupt);
    body.putNumber(growth.queueWorkOn().size());
    growth.queueWorkOn().forEach(this::putQueueCall);
    body.putNumber(growth.programs().size());
    growth.programs().forEach(this::putProgram);
  }

  private void putCpu(int cpu, List<WorkGrowth> keys) {
    body.putNumber(cpu);
    body.putNumber(keys.size());
    keys.forEach(this::putWork);
  }

  private void putWork(WorkGrowth work) {
    boolean asContext =
        work.queueLatencyIn().size() == 1
            && work.queueLatency()
                .filter(q -> sameCounts(q, work.queueLatencyIn().values().iterator().next()))
                .isPresent();
    int fields =
        (work.queued() == 0 ? 0 : QUEUED)
            | (work.flushBarriers() == 0 ? 0 : FLUSH_BARRIERS)
            | (work.lost().isNone() ? 0 : LOST)
            | (work.queueLatency().isEmpty() ? 0 : QUEUE_LATENCY)
            | (work.queueLatencyIn().isEmpty() ? 0 : IN_CONTEXTS)
            | (work.activationLatency().isEmpty() ? 0 : ACTIVATION)
            | (work.serviceTime().isEmpty() ? 0 : SERVICE_TIME)
            | (asContext ? AS_ITS_CONTEXT : 0);
    body.putNumber(work.key().index());
    body.putNumber(fields);
    if (work.queued() != 0) {
      body.putNumber(work.queued());
    }
    if (work.flushBarriers() != 0) {
      body.putNumber(work.flushBarriers());
    }
    if (!work.lost().isNone()) {
      putLost(work.lost());
    }
    if (!work.queueLatencyIn().isEmpty()) {
      body.putNumber(work.queueLatencyIn().size());
      work.queueLatencyIn().forEach(this::putContext);
    }
    if (asContext) {
      work.queueLatency().ifPresent(this::putMaximum);
    } else {
      work.queueLatency().ifPresent(this::putHistogram);
    }
    work.activationLatency().ifPresent(this::putHistogram);
    work.serviceTime().ifPresent(this::putHistogram);
  }

  private void putContext(RunContext context, HistogramGrowth latency) {
    body.putNumber(context.ordinal());
    putHistogram(latency);
  }

  private static boolean sameCounts(HistogramGrowth one, HistogramGrowth other) {
    return one.sumNs() == other.sumNs()
        && Arrays.equals(one.cells(), other.cells())
        && Arrays.equals(one.counts(), other.counts());
  }

  private void putHistogram(HistogramGrowth growth) {
    putMaximum(growth);
    body.putNumber(growth.sumNs());
    body.putNumber(growth.cells().length);
    int next = 0;
    for (int i = 0; i < growth.cells().length; i++) {
      body.putNumber(growth.cells()[i] - next);
      body.putNumber(growth.counts()[i]);
      next = growth.cells()[i] + 1;
    }
  }

  /** Most maxima stand for long: they look alike in every frame, which compresses well. */
  private void putMaximum(HistogramGrowth growth) {
    boolean rose = growth.maxBeforeNs() != growth.maxNs();
    body.putNumber((rose ? 1 : 0) | (growth.maxExact() ? 2 : 0));
    body.putNumber(growth.maxNs());
    if (rose) {
      body.putNumber(growth.maxBeforeNs() - HistogramGrowth.NOTHING_BEFORE);
    }
  }

  private void putLost(LossCounts lost) {
    int reasons = 0;
    for (LossReason reason : LossReason.values()) {
      reasons += lost.count(reason) == 0 ? 0 : 1;
    }
    body.putNumber(reasons);
    for (LossReason reason : LossReason.values()) {
      if (lost.count(reason) != 0) {
        body.putNumber(reason.ordinal());
        body.putNumber(lost.count(reason));
      }
    }
  }

  private void putFunction(FunctionGrowth function) {
    FunctionKey key = function.key();
    body.putNumber(key.workClass().ordinal());
    body.putNumber(number(key.function()));
    body.putNumber(key.workqueue().map(name -> number(name) + 1).orElse(0));
    body.putNumber(
        (function.queueLatency().isEmpty() ? 0 : QUEUE_LATENCY)
            | (function.serviceTime().isEmpty() ? 0 : SERVICE_TIME));
    function.queueLatency().ifPresent(this::putHistogram);
    function.serviceTime().ifPresent(this::putHistogram);
  }

  private void putInterrupt(InterruptKey key, InterruptCalls calls) {
    body.putNumber(key.cpu());
    body.putSigned(key.irq());
    body.putNumber(number(key.device()));
    body.putNumber(calls.calls());
    body.putNumber(calls.mixings());
  }

  private void putQueueCall(QueueCallKey key, long calls) {
    body.putNumber(key.cpu());
    body.putSigned(key.requested());
    body.putNumber(key.queued() ? 1 : 0);
    body.putNumber(calls);
  }

  private void putProgram(String name, ProgramRuns runs) {
    body.putNumber(number(name));
    body.putNumber(runs.runs());
    body.putNumber(runs.runTimeNs());
  }

  private int number(String text) {
    Integer known = texts.get(text);
    if (known != null) {
      return known;
    }
    int number = texts.size();
    texts.put(text, number);
    newTexts.putText(text);
    newTextCount++;
    return number;
  }
}
