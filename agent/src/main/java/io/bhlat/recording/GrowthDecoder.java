// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.ProgramRuns;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.RunContext;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Reads what a {@link GrowthEncoder} wrote, frame after frame. Used by one thread. */
final class GrowthDecoder {

  private static final int MOST_CPUS = 1 << 16;
  private static final int KNOWN_FLAGS = GrowthEncoder.FRESH | GrowthEncoder.CPUS;

  private final Tables tables;
  private final List<String> texts = new ArrayList<>();
  private Optional<Moment> end = Optional.empty();
  private CpuSet cpus = CpuSet.of();
  private CpuSet timedCpus = CpuSet.of();

  GrowthDecoder(Tables tables) {
    this.tables = tables;
  }

  /**
   * Reads a payload; what follows what this version knows is left.
   *
   * @throws RecordingException if it is none, or needs a frame that was not read
   */
  Growth decode(ByteSource source) throws RecordingException {
    try {
      return decodeChecked(source);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new RecordingException("a frame that holds no counts: " + e.getMessage(), e);
    }
  }

  private Growth decodeChecked(ByteSource source) throws RecordingException {
    int flags = source.takeIndex(Integer.MAX_VALUE);
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw new RecordingException("a frame of a kind that this version does not know");
    }
    Moment from = takeBeginning(source, (flags & GrowthEncoder.FRESH) != 0);
    long durationNs = source.takeNumber();
    Instant wall = plus(plus(from.wall(), durationNs), source.takeSigned());
    Moment to = new Moment(wall, from.ns() + durationNs);
    if (durationNs <= 0) {
      throw new RecordingException("a frame that does not last");
    }
    end = Optional.of(to);
    if ((flags & GrowthEncoder.CPUS) != 0) {
      cpus = HeaderCodec.cpus(source.takeText());
      timedCpus = HeaderCodec.cpus(source.takeText());
    }
    for (int left = source.takeCount(); left > 0; left--) {
      texts.add(source.takeText());
    }
    return new Growth(
        from,
        to,
        cpus,
        timedCpus,
        takeCpus(source),
        takeLostAnywhere(source),
        takeLostByClass(source),
        takeFunctions(source),
        takeTimes(source),
        takeInterrupts(source),
        takeQueueCalls(source),
        takePrograms(source));
  }

  private Moment takeBeginning(ByteSource source, boolean fresh) throws RecordingException {
    if (fresh) {
      texts.clear();
      return new Moment(source.takeInstant(), source.takeSigned());
    }
    return end.orElseThrow(
        () -> new RecordingException("a frame that continues one that is not there"));
  }

  private static Instant plus(Instant wall, long nanos) throws RecordingException {
    try {
      return wall.plusNanos(nanos);
    } catch (java.time.DateTimeException e) {
      throw new RecordingException("a time that is none", e);
    }
  }

  private NavigableMap<Integer, List<WorkGrowth>> takeCpus(ByteSource source)
      throws RecordingException {
    NavigableMap<Integer, List<WorkGrowth>> byCpu = new TreeMap<>();
    for (int left = source.takeCount(); left > 0; left--) {
      int cpu = source.takeIndex(MOST_CPUS);
      int count = source.takeCount();
      List<WorkGrowth> keys = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(takeWork(source));
      }
      byCpu.put(cpu, keys);
    }
    return byCpu;
  }

  private WorkGrowth takeWork(ByteSource source) throws RecordingException {
    WorkKey key = tables.keys().get(source.takeIndex(tables.keys().size()));
    int fields = source.takeIndex(2 * GrowthEncoder.AS_ITS_CONTEXT);
    long queued = has(fields, GrowthEncoder.QUEUED) ? source.takeNumber() : 0;
    long barriers = has(fields, GrowthEncoder.FLUSH_BARRIERS) ? source.takeNumber() : 0;
    LossCounts lost = has(fields, GrowthEncoder.LOST) ? takeLost(source) : LossCounts.NONE;
    Map<RunContext, HistogramGrowth> in = new EnumMap<>(RunContext.class);
    if (has(fields, GrowthEncoder.IN_CONTEXTS)) {
      for (int left = source.takeCount(); left > 0; left--) {
        RunContext context = tables.contexts().get(source.takeIndex(tables.contexts().size()));
        in.put(context, takeHistogram(source));
      }
    }
    return new WorkGrowth(
        key,
        queued,
        barriers,
        lost,
        takeQueueLatency(source, fields, in),
        in,
        takeOptional(source, fields, GrowthEncoder.ACTIVATION),
        takeOptional(source, fields, GrowthEncoder.SERVICE_TIME));
  }

  private static Optional<HistogramGrowth> takeQueueLatency(
      ByteSource source, int fields, Map<RunContext, HistogramGrowth> in)
      throws RecordingException {
    if (!has(fields, GrowthEncoder.AS_ITS_CONTEXT)) {
      return takeOptional(source, fields, GrowthEncoder.QUEUE_LATENCY);
    }
    if (in.size() != 1) {
      throw new RecordingException("a queue latency as in one of " + in.size() + " contexts");
    }
    HistogramGrowth same = in.values().iterator().next();
    Maximum maximum = takeMaximum(source);
    return Optional.of(
        new HistogramGrowth(
            same.cells(),
            same.counts(),
            same.sumNs(),
            maximum.beforeNs,
            maximum.ns,
            maximum.exact));
  }

  private static boolean has(int fields, int field) {
    return (fields & field) != 0;
  }

  private static Optional<HistogramGrowth> takeOptional(ByteSource source, int fields, int field)
      throws RecordingException {
    return has(fields, field) ? Optional.of(takeHistogram(source)) : Optional.empty();
  }

  private static HistogramGrowth takeHistogram(ByteSource source) throws RecordingException {
    Maximum maximum = takeMaximum(source);
    long sumNs = source.takeNumber();
    int grown = source.takeIndex(LatencyBuckets.CELLS + 1);
    int[] cells = new int[grown];
    long[] counts = new long[grown];
    int next = 0;
    for (int i = 0; i < grown; i++) {
      cells[i] = next + source.takeIndex(LatencyBuckets.CELLS - next);
      counts[i] = source.takeNumber();
      next = cells[i] + 1;
    }
    return new HistogramGrowth(cells, counts, sumNs, maximum.beforeNs, maximum.ns, maximum.exact);
  }

  private record Maximum(long beforeNs, long ns, boolean exact) {}

  private static Maximum takeMaximum(ByteSource source) throws RecordingException {
    int flags = source.takeIndex(4);
    long ns = source.takeNumber();
    long beforeNs = (flags & 1) == 0 ? ns : source.takeNumber() + HistogramGrowth.NOTHING_BEFORE;
    return new Maximum(beforeNs, ns, (flags & 2) != 0);
  }

  private LossCounts takeLost(ByteSource source) throws RecordingException {
    long[] lost = new long[LossReason.values().length];
    for (int left = source.takeCount(); left > 0; left--) {
      LossReason reason = tables.reasons().get(source.takeIndex(tables.reasons().size()));
      lost[reason.ordinal()] = source.takeNumber();
    }
    return LossCounts.of(lost);
  }

  private Map<WorkKey, LossCounts> takeLostAnywhere(ByteSource source) throws RecordingException {
    Map<WorkKey, LossCounts> lost = new TreeMap<>(java.util.Comparator.comparing(WorkKey::index));
    for (int left = source.takeCount(); left > 0; left--) {
      lost.put(tables.keys().get(source.takeIndex(tables.keys().size())), takeLost(source));
    }
    return lost;
  }

  private Map<WorkClass, LossCounts> takeLostByClass(ByteSource source) throws RecordingException {
    Map<WorkClass, LossCounts> lost = new EnumMap<>(WorkClass.class);
    for (int left = source.takeCount(); left > 0; left--) {
      lost.put(takeClass(source), takeLost(source));
    }
    return lost;
  }

  private WorkClass takeClass(ByteSource source) throws RecordingException {
    return tables.classes().get(source.takeIndex(tables.classes().size()));
  }

  private List<FunctionGrowth> takeFunctions(ByteSource source) throws RecordingException {
    List<FunctionGrowth> functions = new ArrayList<>();
    for (int left = source.takeCount(); left > 0; left--) {
      WorkClass workClass = takeClass(source);
      String function = takeKnownText(source);
      int workqueue = source.takeIndex(texts.size() + 1);
      int fields = source.takeIndex(2 * GrowthEncoder.AS_ITS_CONTEXT);
      functions.add(
          new FunctionGrowth(
              new FunctionKey(
                  workClass,
                  function,
                  workqueue == 0 ? Optional.empty() : Optional.of(texts.get(workqueue - 1))),
              takeOptional(source, fields, GrowthEncoder.QUEUE_LATENCY),
              takeOptional(source, fields, GrowthEncoder.SERVICE_TIME)));
    }
    return functions;
  }

  private String takeKnownText(ByteSource source) throws RecordingException {
    return texts.get(source.takeIndex(texts.size()));
  }

  private static NavigableMap<Integer, HistogramGrowth> takeTimes(ByteSource source)
      throws RecordingException {
    NavigableMap<Integer, HistogramGrowth> times = new TreeMap<>();
    for (int left = source.takeCount(); left > 0; left--) {
      times.put(source.takeIndex(MOST_CPUS), takeHistogram(source));
    }
    return times;
  }

  private NavigableMap<InterruptKey, InterruptCalls> takeInterrupts(ByteSource source)
      throws RecordingException {
    NavigableMap<InterruptKey, InterruptCalls> interrupts = new TreeMap<>();
    for (int left = source.takeCount(); left > 0; left--) {
      int cpu = source.takeIndex(MOST_CPUS);
      int irq = Math.toIntExact(source.takeSigned());
      InterruptKey key = new InterruptKey(cpu, irq, takeKnownText(source));
      interrupts.put(key, new InterruptCalls(source.takeNumber(), source.takeNumber()));
    }
    return interrupts;
  }

  private static NavigableMap<QueueCallKey, Long> takeQueueCalls(ByteSource source)
      throws RecordingException {
    NavigableMap<QueueCallKey, Long> calls = new TreeMap<>();
    for (int left = source.takeCount(); left > 0; left--) {
      int cpu = source.takeIndex(MOST_CPUS);
      int requested = Math.toIntExact(source.takeSigned());
      calls.put(new QueueCallKey(cpu, requested, source.takeNumber() != 0), source.takeNumber());
    }
    return calls;
  }

  private NavigableMap<String, ProgramRuns> takePrograms(ByteSource source)
      throws RecordingException {
    NavigableMap<String, ProgramRuns> programs = new TreeMap<>();
    for (int left = source.takeCount(); left > 0; left--) {
      programs.put(
          takeKnownText(source), new ProgramRuns(source.takeNumber(), source.takeNumber()));
    }
    return programs;
  }
}
