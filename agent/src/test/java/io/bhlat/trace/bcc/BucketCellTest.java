// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.model.BucketBoundaries;
import io.bhlat.model.BucketBoundaries.Row;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.trace.ProbeKind;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bpf/buckets.h, on the host's compiler and in the kernel, over the table that Java is held to. */
class BucketCellTest {

  private static final List<Row> TABLE = BucketBoundaries.table();
  private static final Path MODULE = Path.of(System.getProperty("basedir", "."));

  @Test
  void hostsCompilerCountsInTheCellThatTheTableSays(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path program = compileForHost(folder);
    Path latencies =
        Files.write(
            folder.resolve("latencies"),
            TABLE.stream().map(row -> Long.toString(row.latencyNs())).toList());
    Path cells = folder.resolve("cells");
    Process run =
        new ProcessBuilder(program.toString())
            .redirectInput(latencies.toFile())
            .redirectOutput(cells.toFile())
            .start();
    assertThat(run.waitFor()).isZero();
    assertThat(rows(Files.readAllLines(cells).stream().map(Integer::valueOf).toList()))
        .isEqualTo(rows(TABLE.stream().map(Row::cell).toList()));
  }

  @Test
  void kernelCountsInTheCellThatTheTableSays() throws BpfException {
    RealKernel.assume();
    List<Integer> cells = new ArrayList<>();
    try (BccModule module = RealKernel.compile(RealKernel.resource("bucket_cell.c"));
        FileDescriptor program =
            module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__bucket_cell");
        RealKernel.Runner runner = new RealKernel.Runner()) {
      TABLE.forEach(row -> cells.add(runner.run(program, row.latencyNs())));
      assertThat(runner.run(program, -1L))
          .as("2^64 - 1 ns, which no difference of clocks can be")
          .isEqualTo(LatencyBuckets.OVERFLOW_CELL);
    }
    assertThat(rows(cells)).isEqualTo(rows(TABLE.stream().map(Row::cell).toList()));
  }

  @Test
  void thresholdsInCAreThoseOfJava() throws IOException {
    String header = Files.readString(MODULE.resolve("../bpf/buckets.h"), StandardCharsets.UTF_8);
    Set<String> inJava =
        Arrays.stream(LatencyBuckets.thresholds())
            .mapToObj(threshold -> "0x" + Long.toHexString(threshold) + "ULL")
            .collect(Collectors.toSet());
    assertThat(inJava).hasSize(8).allSatisfy(threshold -> assertThat(header).contains(threshold));
  }

  /** One line a latency, so that a difference shows where it is. */
  private static List<String> rows(List<Integer> cells) {
    assertThat(cells).hasSameSizeAs(TABLE);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      rows.add(TABLE.get(i).latencyNs() + " ns in cell " + cells.get(i));
    }
    return rows;
  }

  private static Path compileForHost(Path folder) throws IOException, InterruptedException {
    assumeTrue(hasCompiler(), "needs a C compiler (cc); agent/bin/verify installs one");
    Path program = folder.resolve("bucket_cells");
    List<String> command =
        new ArrayList<>(List.of("cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"));
    CountsLayout.defines().forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.add("-I" + MODULE.resolve("../bpf"));
    command.addAll(
        List.of("-o", program.toString(), MODULE.resolve("src/test/c/bucket_cells.c").toString()));
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as(output).isZero();
    return program;
  }

  private static boolean hasCompiler() {
    String path = System.getenv("PATH");
    return path != null
        && Stream.of(path.split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "cc")));
  }
}
