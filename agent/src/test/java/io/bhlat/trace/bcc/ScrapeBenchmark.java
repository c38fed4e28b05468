// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import io.bhlat.metrics.AgentMetrics;
import io.bhlat.metrics.GuardedCollectors;
import io.bhlat.metrics.KernelMetrics;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.Snapshot;
import io.bhlat.model.SoftirqVector;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.MapSizes;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.State;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * What a scrape costs on a host of many CPUs: maps in the layout of the kernel's, filled here, are
 * read and written as a scrape does. A program, not a test: {@code main} takes the number of CPUs,
 * of functions and of scrapes, and prints the median time of each step and format; a fourth
 * argument is a regular expression of those wanted.
 *
 * <pre>
 * java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp CLASSPATH \
 *     io.bhlat.trace.bcc.ScrapeBenchmark 256 64 20
 * </pre>
 *
 * <p>Every CPU has the histograms that a busy host's have, 38 of them with 40 buckets in use each:
 * work items, both kinds of tasklets, the fast pool by timer, all softirq vectors at irq exit and
 * in ksoftirqd.
 */
final class ScrapeBenchmark {

  private static final Instant ATTACHED_AT = Instant.parse("2026-11-30T10:00:00Z");
  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  private static final String OPEN_METRICS = "application/openmetrics-text;version=1.0.0";
  private static final int BUCKETS_IN_USE = 40;

  /** Every histogram counts in this cell. */
  private static final int COMMON_CELL = 40;

  private final int cpus;
  private final MapSizes sizes;
  private final Memory cpuBytes;
  private final Memory functionBytes;
  private final LongBuffer cpuLongs;
  private final LongBuffer functionLongs;
  private final List<Integer> used = positionsInUse();
  private final CpuCountsReader reader;
  private final FunctionCountsReader functions;
  private final Random random = new Random(1);
  private long takenAtNs;

  private ScrapeBenchmark(int cpus, int functions) {
    this.cpus = cpus;
    this.sizes = new MapSizes(cpus, Math.min(8, cpus), 4 + 4 * functions, 24);
    cpuBytes = new Memory((long) cpus * CountsLayout.CPU_BYTES);
    cpuBytes.clear();
    functionBytes =
        new Memory(
            (long) sizes.functionShards() * sizes.functionIndexes() * CountsLayout.FUNCTION_BYTES);
    functionBytes.clear();
    cpuLongs = longs(cpuBytes);
    functionLongs = longs(functionBytes);
    reader = new CpuCountsReader(MappedMemory.over(cpuBytes, cpuBytes.size()), cpus, false);
    this.functions =
        new FunctionCountsReader(MappedMemory.over(functionBytes, functionBytes.size()), sizes);
    fill();
  }

  private static LongBuffer longs(Memory memory) {
    return memory.getByteBuffer(0, memory.size()).order(ByteOrder.nativeOrder()).asLongBuffer();
  }

  private void fill() {
    for (int cpu = 0; cpu < cpus; cpu++) {
      long histogramsAt = (long) cpu * CountsLayout.CPU_BYTES + CountsLayout.CPU_HISTOGRAMS_OFFSET;
      for (int position : used) {
        fillHistogram(cpuBytes, histogramsAt + (long) position * CountsLayout.HISTOGRAM_BYTES);
      }
    }
    int all = sizes.functionShards() * sizes.functionIndexes();
    for (int index = 0; index < all; index++) {
      long at = (long) index * CountsLayout.FUNCTION_BYTES;
      fillHistogram(functionBytes, at);
      fillHistogram(functionBytes, at + CountsLayout.FUNCTION_SERVICE_TIME_OFFSET);
    }
  }

  private static List<Integer> positionsInUse() {
    List<Integer> positions = new ArrayList<>();
    for (WorkKey key : WorkKey.ALL) {
      boolean used =
          key.mechanism().map(mechanism -> mechanism == FastPoolMechanism.TIMER).orElse(true);
      if (!used || key.workClass() == WorkClass.BH_WORKQUEUE) {
        continue;
      }
      positions.add(CountsLayout.serviceHistogram(key));
      if (key.hasContexts()) {
        positions.add(CountsLayout.queueHistogram(key, CountsLayout.CONTEXT_ANY_TASK));
        positions.add(CountsLayout.queueHistogram(key, CountsLayout.CONTEXT_KSOFTIRQD));
      } else {
        positions.add(CountsLayout.queueHistogram(key));
      }
      if (CountsLayout.hasActivation(key)) {
        positions.add(CountsLayout.activationHistogram(key));
      }
    }
    positions.add(CountsLayout.RANDOMNESS_HISTOGRAM);
    return positions;
  }

  private void fillHistogram(Memory memory, long at) {
    memory.setLong(at, 1_000_000L + random.nextInt(1_000_000_000));
    memory.setLong(at + Long.BYTES, 1_000_000);
    int first = COMMON_CELL - random.nextInt(10);
    for (int cell = first; cell < first + BUCKETS_IN_USE; cell++) {
      memory.setLong(
          at + CountsLayout.HISTOGRAM_CELLS_OFFSET + (long) cell * Long.BYTES,
          1 + random.nextInt(100_000));
    }
  }

  private Snapshot snapshot() {
    countOn();
    Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
    TreeMap<Integer, LatencyHistogram> timeInInterrupt = new TreeMap<>();
    reader.readHistograms();
    for (int cpu = 0; cpu < cpus; cpu++) {
      byCpu.put(cpu, reader.of(cpu));
      timeInInterrupt.put(cpu, reader.timeInInterrupt(cpu));
    }
    Map<FunctionKey, FunctionCounts> functions = new TreeMap<>();
    for (int index = 0; index < sizes.functionIndexes(); index++) {
      functions.put(
          new FunctionKey(WorkClass.WORKQUEUE, "function_" + index, Optional.of("events")),
          this.functions.at(index));
    }
    takenAtNs += 15_000_000_000L;
    return new Snapshot(
        ATTACHED_AT.plusNanos(takenAtNs),
        takenAtNs,
        ATTACHED_AT,
        new Counts(
            byCpu,
            Map.of(),
            functions,
            new CallCounts(timeInInterrupt, new TreeMap<>(), new TreeMap<>())));
  }

  private static ProbePlan plan() {
    return new ProbePlan(
        FastPoolMechanism.TIMER,
        Arrays.stream(Measurement.values())
            .map(m -> new Planned(m, State.ATTACHED, List.of(), true, List.of()))
            .toList());
  }

  /** Something was counted in every histogram since the last snapshot, as on a busy host. */
  private void countOn() {
    for (int cpu = 0; cpu < cpus; cpu++) {
      int histogramsAt =
          (cpu * CountsLayout.CPU_BYTES + CountsLayout.CPU_HISTOGRAMS_OFFSET) / Long.BYTES;
      for (int position : used) {
        countOn(cpuLongs, histogramsAt + position * CountsLayout.HISTOGRAM_BYTES / Long.BYTES);
      }
    }
    int all = sizes.functionShards() * sizes.functionIndexes();
    for (int index = 0; index < all; index++) {
      int at = index * CountsLayout.FUNCTION_BYTES / Long.BYTES;
      countOn(functionLongs, at);
      countOn(functionLongs, at + CountsLayout.FUNCTION_SERVICE_TIME_OFFSET / Long.BYTES);
    }
  }

  private static void countOn(LongBuffer longs, int histogram) {
    int cell = histogram + CountsLayout.HISTOGRAM_CELLS_OFFSET / Long.BYTES + COMMON_CELL;
    longs.put(histogram, longs.get(histogram) + 1_000);
    longs.put(cell, longs.get(cell) + 1);
  }

  public static void main(String... arguments) throws IOException {
    int functions = Integer.parseInt(arguments[1]);
    int scrapes = Integer.parseInt(arguments[2]);
    ScrapeBenchmark host = new ScrapeBenchmark(Integer.parseInt(arguments[0]), functions);
    System.out.printf(
        Locale.ROOT,
        "%d CPUs, %d functions, %d vectors, %d histograms a CPU; heap %d MB%n",
        host.cpus,
        functions,
        SoftirqVector.values().length,
        positionsInUse().size(),
        Runtime.getRuntime().maxMemory() >> 20);
    try (AgentMetrics agent = new AgentMetrics()) {
      agent
          .registry()
          .register(
              new GuardedCollectors(
                  Map.of("kernel", new KernelMetrics(host::snapshot, plan(), functions))));
      StepTimes times = new StepTimes(arguments.length > 3 ? arguments[3] : ".*");
      times.measure("snapshot", scrapes, host::snapshot);
      times.measure("collect", scrapes, () -> agent.registry().scrape());
      for (String accept : List.of("text/plain", OPEN_METRICS, PROTOBUF)) {
        ExpositionFormatWriter writer = ExpositionFormats.init().findWriter(accept);
        CountingStream out = new CountingStream();
        times.measure(
            accept.substring(0, Math.min(28, accept.length())),
            scrapes,
            () -> {
              MetricSnapshots all = agent.registry().scrape();
              out.bytes = 0;
              try {
                writer.write(out, all);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
              return out;
            });
        if (out.bytes > 0) {
          System.out.printf(Locale.ROOT, "%36d bytes%n", out.bytes);
        }
      }
    }
  }

  /** Takes what is written, as a socket does, and keeps nothing. */
  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
      bytes += length;
    }
  }
}
