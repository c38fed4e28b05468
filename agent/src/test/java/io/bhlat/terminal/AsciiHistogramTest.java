// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LatencyBuckets;
import io.bhlat.model.LatencyHistogram;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AsciiHistogramTest {

  private static final int POWERS_OF_TWO = 8;

  private static List<String> draw(int cellsPerRow, long... latenciesNs) {
    int[] next = {0};
    LatencyHistogram histogram =
        Example.histogram(latenciesNs.length, () -> latenciesNs[next[0]++]);
    return new AsciiHistogram(Units.forCharset(UTF_8), cellsPerRow).render(histogram, 80);
  }

  @Test
  void drawsNothingForNothing() {
    assertThat(draw(POWERS_OF_TWO)).isEmpty();
  }

  @Test
  void boundsBelongToTheRowBelowThem() {
    assertThat(draw(POWERS_OF_TWO, 976_562, 976_563)).hasSize(3);
    assertThat(draw(POWERS_OF_TWO, 488_282, 976_562))
        .hasSize(2)
        .last()
        .asString()
        .startsWith("( 488 µs,  977 µs]      2  100 %  |███");
  }

  @Test
  void namesUnderflowAndOverflow() {
    List<String> lines = draw(POWERS_OF_TWO, 0, 59, 64_000_000_001L);
    assertThat(lines.get(1)).startsWith("underflow  ≤ 59.6 ns ");
    assertThat(lines.get(2)).contains("(59.6 ns,  64.0 s]      0     0 %  ⋮");
    assertThat(lines.get(3)).contains(" overflow  > 64 s ").endsWith("p90 p99 p99.9");
  }

  @Test
  void keepsShortGapsSoThatDistanceIsSeen() {
    assertThat(draw(POWERS_OF_TWO, 1_500, 20_000)).hasSize(6);
    assertThat(draw(POWERS_OF_TWO, 1_500, 50_000)).hasSize(4);
  }

  @Test
  void everyCountIsInExactlyOneRowHoweverManyAreMerged() {
    long[] cells = new long[LatencyBuckets.CELLS];
    Arrays.setAll(cells, cell -> cell + 1);
    LatencyHistogram histogram = LatencyHistogram.of(cells, 0, 0);
    for (int cellsPerRow : new int[] {1, 2, 4, 8}) {
      MergedRows rows = MergedRows.of(histogram, cellsPerRow);
      long sum = 0;
      for (int row = 0; row < rows.size(); row++) {
        sum += rows.count(row);
        assertThat(rows.rowOf(rows.upperCell(row))).isEqualTo(row);
      }
      assertThat(sum).isEqualTo(histogram.count());
    }
  }
}
