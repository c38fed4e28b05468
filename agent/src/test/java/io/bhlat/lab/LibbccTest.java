// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.kernel.Capabilities;
import io.bhlat.kernel.HostFiles;
import io.bhlat.trace.bcc.BpfObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent with the oldest and the newest libbcc that Debian has, and one between. */
class LibbccTest {

  private static final String MAIN = "io.bhlat.cli.Main";

  /** 0.18, 0.31 and what is newest, 0.37 when this was written. */
  private static final List<String> SUITES = List.of("bullseye", "trixie", "sid");

  static List<String> suites() {
    return SUITES;
  }

  @BeforeEach
  void assumeLab() {
    LabGuest.assumeThere();
  }

  @ParameterizedTest
  @MethodSource("suites")
  void measuresAsWithTheLibbccOfThisHost(String suite) throws Exception {
    assumeTrue(
        Capabilities.read(HostFiles.ofThisHost()).canLoadTracing(),
        "needs root: it loads programs into the kernel");
    Path java = LabGuest.javaWithLibbcc(suite);
    Set<Integer> programsBefore = BpfObjects.PROGRAMS.inKernel();

    LabGuest expected = shell(LabGuest.agentCommand("check", "--json"));
    LabGuest check = shell(LabGuest.javaCommand(java, MAIN, "check", "--json"));
    assertThat(check.json().get("probes"))
        .as(check.stderr())
        .isEqualTo(expected.json().get("probes"));
    assertThat(check.exitCode()).isEqualTo(expected.exitCode());

    JsonObject total = hist(java);
    long started = 0;
    for (JsonElement element : total.getAsJsonArray("classes")) {
      started += element.getAsJsonObject().get("started").getAsLong();
    }
    assertThat(started).as(total.toString()).isPositive();
    assertNothingIsLeft(programsBefore);
  }

  private static LabGuest shell(String line) throws IOException, InterruptedException {
    return LabGuest.execute(List.of("bash", "-c", line));
  }

  /** Measures, and looks meanwhile whether it is the other libbcc that does. */
  private static JsonObject hist(Path java) throws IOException, InterruptedException {
    String line = LabGuest.javaCommand(java, MAIN, "hist", "--json", "--duration", "2s");
    Path stderr = Files.createTempFile("bhlat-libbcc", ".err");
    Process process =
        new ProcessBuilder("bash", "-c", "exec " + line).redirectError(stderr.toFile()).start();
    try {
      Set<String> libraries = new TreeSet<>();
      Path maps = Path.of("/proc/" + process.pid() + "/maps");
      while (process.isAlive() && libraries.isEmpty()) {
        Files.readString(maps)
            .lines()
            .filter(mapped -> mapped.contains("/libbcc.so"))
            .map(mapped -> mapped.substring(mapped.indexOf('/')))
            .forEach(libraries::add);
        Thread.sleep(20);
      }
      String stdout = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(libraries).as(Files.readString(stderr)).hasSize(1);
      assertThat(libraries.iterator().next())
          .startsWith(java.resolve("../..").normalize().toString());
      return JsonParser.parseString(stdout).getAsJsonObject();
    } finally {
      process.destroyForcibly();
      Files.delete(stderr);
    }
  }

  /** The kernel frees programs a little after their process ended. */
  private static void assertNothingIsLeft(Set<Integer> before) throws InterruptedException {
    Set<Integer> left = new TreeSet<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    do {
      Thread.sleep(100);
      left.clear();
      left.addAll(BpfObjects.PROGRAMS.inKernel());
      left.removeAll(before);
    } while (!left.isEmpty() && System.nanoTime() < deadline);
    assertThat(left).as("programs in the kernel that were not there before").isEmpty();
  }

  /**
   * 0.18 does not know the BTF of 6.1, so that kprobes serve; newer ones probe functions whose
   * names begin with underscores, by whichever name they take for them.
   */
  @Test
  void probesFunctionsByTheBestThatEachLibbccCan() throws IOException, InterruptedException {
    LabGuest.assumeKernel("6.1");
    List<String> commands = new ArrayList<>();
    for (String suite : SUITES) {
      Path java = LabGuest.javaWithLibbcc(suite);
      commands.add(LabGuest.javaCommand(java, MAIN, "check", "--json"));
    }

    LabGuest guest = LabGuest.shell("6.1", String.join(" && ", commands));

    assertThat(guest.exitCode()).as(guest.toString()).isZero();
    List<JsonObject> checks =
        guest.stdout().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    assertThat(checks)
        .extracting(check -> kindOf(check, "__tasklet_hi_schedule"))
        .containsExactly("kprobe", "fentry", "fentry");
  }

  private static String kindOf(JsonObject check, String target) {
    for (JsonElement measurement : check.getAsJsonArray("probes")) {
      for (JsonElement element : measurement.getAsJsonObject().getAsJsonArray("probes")) {
        JsonObject probe = element.getAsJsonObject();
        if (probe.get("target").getAsString().equals(target)
            && probe.get("attached").getAsBoolean()) {
          return probe.get("kind").getAsString();
        }
      }
    }
    return "none: " + check;
  }
}
