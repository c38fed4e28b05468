// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReportWidthTest {

  private static final int REPORTS = 60;
  private static final List<WorkClass> WITH_FUNCTIONS =
      List.of(WorkClass.WORKQUEUE, WorkClass.BH_WORKQUEUE, WorkClass.TASKLET);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noLineIsWiderThanTheTerminalOrEndsInABlank(long seed) {
    Random random = new Random(seed);
    for (int n = 0; n < REPORTS; n++) {
      int columns = 80 + random.nextInt(100);
      Charset charset = random.nextBoolean() ? UTF_8 : US_ASCII;
      String text = report(random, columns, charset);
      assertThat(text.lines())
          .as("seed %d, report %d, %d columns", seed, n, columns)
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns))
          .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
      assertThat(text).endsWith("\n").doesNotContain("\t", "\r", "\u001b", "\u00a0");
      if (charset.equals(US_ASCII)) {
        assertThat(text).isASCII();
      }
    }
  }

  private static String report(Random random, int columns, Charset charset) {
    ReportHeader header =
        new ReportHeader(name(random, 64), name(random, 64), name(random, 64), name(random, 300));
    HistOptions options =
        new HistOptions(
            columns,
            random.nextBoolean() ? Set.of() : Set.of(WorkClass.values()),
            Set.of(WorkClass.values()),
            1 << random.nextInt(4),
            random.nextBoolean(),
            random.nextBoolean(),
            random.nextInt(8));
    return new HistReport(Units.forCharset(charset), options)
        .render(
            header,
            new Interval(Instant.EPOCH, Instant.EPOCH, 1 + magnitude(random), counts(random)),
            random.nextBoolean() ? Example.plan() : Example.incompletePlan());
  }

  private static Counts counts(Random random) {
    Map<Integer, List<WorkCounts>> cpus = new HashMap<>();
    for (int n = random.nextInt(3); n >= 0; n--) {
      cpus.put(
          random.nextInt(8192),
          WorkKey.ALL.stream()
              .map(key -> random.nextInt(3) == 0 ? WorkCounts.NONE : work(random))
              .toList());
    }
    Map<FunctionKey, FunctionCounts> functions = new HashMap<>();
    for (int n = random.nextInt(12); n > 0; n--) {
      WorkClass workClass = WITH_FUNCTIONS.get(random.nextInt(WITH_FUNCTIONS.size()));
      Optional<String> workqueue =
          random.nextBoolean() ? Optional.empty() : Optional.of(name(random, 32));
      functions.put(
          new FunctionKey(workClass, name(random, 128), workqueue),
          new FunctionCounts(histogram(random), histogram(random)));
    }
    return new Counts(cpus, Map.of(), functions, CallCounts.NONE);
  }

  private static WorkCounts work(Random random) {
    LossReason reason = LossReason.values()[random.nextInt(LossReason.values().length)];
    return new WorkCounts(
        magnitude(random),
        random.nextInt(2) * magnitude(random),
        LossCounts.of(reason, random.nextInt(2) * magnitude(random)),
        histogram(random),
        histogram(random),
        histogram(random));
  }

  private static LatencyHistogram histogram(Random random) {
    long[] cells = new long[LatencyBuckets.CELLS];
    for (int n = random.nextInt(20); n > 0; n--) {
      cells[random.nextInt(cells.length)] = magnitude(random);
    }
    return LatencyHistogram.of(cells, magnitude(random), magnitude(random));
  }

  /** Any number of digits is as likely as any other; sums of a few thousand do not overflow. */
  private static long magnitude(Random random) {
    return random.nextLong(1L << (1 + random.nextInt(48)));
  }

  private static String name(Random random, int longest) {
    StringBuilder name = new StringBuilder();
    for (int n = 1 + random.nextInt(longest); n > 0; n--) {
      name.append(
          (char) (random.nextInt(20) == 0 ? random.nextInt(0x3100) : ' ' + random.nextInt(95)));
    }
    return name.toString();
  }
}
