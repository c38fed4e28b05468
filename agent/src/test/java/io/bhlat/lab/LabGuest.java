// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A kernel of the lab, and what commands did in a guest that ran it. A guest sees this machine's
 * files by the same names, so that the classes under test need no copying.
 *
 * @param exitCode of the command in the guest; those of bpf/lab/run itself are 123 to 125
 * @param stdout its standard output
 * @param stderr its standard error, and the guest's console where something went wrong
 */
record LabGuest(int exitCode, String stdout, String stderr) {

  private static final Duration TIME_OUT = Duration.ofMinutes(20);

  /** Of the lab's commands: the lab lacks something. */
  private static final int EXIT_LAB = 123;

  private static final Path LAB = repository().resolve("bpf/lab");

  /** Aborts a test, rather than fails it, where guests cannot or not that many shall be booted. */
  static void assumeThere() {
    assume(Set.of("1"));
  }

  /** The same for the few tests that agent/bin/verify runs. */
  static void assumeQuick() {
    assume(Set.of("1", "quick"));
  }

  private static void assume(Set<String> values) {
    Assumptions.assumeTrue(
        values.contains(System.getenv().getOrDefault("BHLAT_LAB", "")),
        () ->
            "BHLAT_LAB is none of "
                + values
                + ": no kernel is booted; agent/bin/verify sets it to quick");
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "qemu-system-x86_64"))),
        "qemu-system-x86_64 is not on PATH; run bpf/lab/install");
  }

  /** Aborts a test where a kernel is neither cached nor to be fetched. */
  static void assumeKernel(String name) throws IOException, InterruptedException {
    LabGuest fetched = execute(List.of(LAB.resolve("fetch-kernel").toString(), name));
    Assumptions.assumeTrue(
        fetched.exitCode == 0, () -> "no kernel " + name + ": " + fetched.stderr);
  }

  /**
   * Aborts a test where the libbcc of another Debian suite is neither cached nor to be fetched.
   *
   * @return the java that runs with it, here and in a guest
   */
  static Path javaWithLibbcc(String suite) throws IOException, InterruptedException {
    LabGuest fetched = execute(List.of(LAB.resolve("fetch-libbcc").toString(), suite));
    Assumptions.assumeTrue(
        fetched.exitCode == 0, () -> "no libbcc of " + suite + ": " + fetched.stderr);
    return Path.of(fetched.stdout.strip(), "bin/java");
  }

  /** Aborts a test where the kernels of ours, which differ in what mixes the fast pool, are not. */
  static void assumeOwnKernels() {
    Assumptions.assumeTrue(
        System.getenv("BHLAT_LAB_KERNELS") != null,
        "BHLAT_LAB_KERNELS names no folder with the kernels built for the lab");
  }

  /** Runs the agent on a kernel. */
  static LabGuest agent(String kernel, String... arguments)
      throws IOException, InterruptedException {
    return shell(kernel, agentCommand(arguments));
  }

  /** Runs a line of shell on a kernel. */
  static LabGuest shell(String kernel, String line) throws IOException, InterruptedException {
    return shell(List.of(), kernel, line);
  }

  /**
   * Runs a line of shell on a kernel.
   *
   * @param options of bpf/lab/run
   */
  static LabGuest shell(List<String> options, String kernel, String line)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(LAB.resolve("run").toString());
    command.addAll(List.of("--time-out", Long.toString(TIME_OUT.toSeconds())));
    command.addAll(options);
    command.addAll(List.of(kernel, "bash", "-c", line));
    return execute(command);
  }

  /**
   * Builds the module of one of the lab's folders for a kernel; aborts the test where that cannot
   * be.
   *
   * @return its path, the same in a guest
   */
  static String module(String kernel, String folder) throws IOException, InterruptedException {
    LabGuest built =
        execute(
            List.of(
                LAB.resolve("build-module").toString(), kernel, LAB.resolve(folder).toString()));
    Assumptions.assumeTrue(
        built.exitCode != EXIT_LAB, () -> folder + " for " + kernel + ": " + built.stderr);
    return built.stdout.strip();
  }

  /** The shell command that runs the agent's classes under test. */
  static String agentCommand(String... arguments) {
    return javaCommand("io.bhlat.cli.Main", arguments);
  }

  /** The shell command that runs a main class of the agent or of its tests. */
  static String javaCommand(String mainClass, String... arguments) {
    return javaCommand(Path.of(System.getProperty("java.home"), "bin/java"), mainClass, arguments);
  }

  /** The same with another java. */
  static String javaCommand(Path java, String mainClass, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(java.toString());
    // What the launcher gives, but for the jar.
    words.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss512k"));
    words.addAll(List.of("-cp", classPath(), mainClass));
    words.addAll(List.of(arguments));
    return String.join(" ", words);
  }

  /** The class path under test, the same in a guest. */
  static String classPath() {
    // Surefire starts with a jar that only names the class path.
    return System.getProperty(
        "surefire.test.class.path", System.getProperty("java.class.path", ""));
  }

  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isExecutable(folder.resolve("bpf/lab/run"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("no bpf/lab/run above " + Path.of("").toAbsolutePath());
      }
      folder = parent;
    }
    return folder;
  }

  /** Runs a command here. */
  static LabGuest execute(List<String> command) throws IOException, InterruptedException {
    Path stdout = Files.createTempFile("bhlat-lab", ".out");
    Path stderr = Files.createTempFile("bhlat-lab", ".err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(stdout.toFile())
            .redirectError(stderr.toFile())
            .start();
    try {
      // The lab ends the guest itself; fetching a kernel takes some time before.
      if (!process.waitFor(TIME_OUT.toSeconds() + 300, TimeUnit.SECONDS)) {
        throw new AssertionError(command + " did not end:\n" + Files.readString(stderr, UTF_8));
      }
      return new LabGuest(
          process.exitValue(), Files.readString(stdout, UTF_8), Files.readString(stderr, UTF_8));
    } finally {
      process.destroy(); // and with it QEMU
      Files.delete(stdout);
      Files.delete(stderr);
    }
  }

  /** The last line of standard output, as JSON. */
  JsonObject json() {
    List<String> lines = stdout.lines().toList();
    if (lines.isEmpty()) {
      throw new AssertionError("the guest printed nothing:\n" + this);
    }
    return JsonParser.parseString(lines.get(lines.size() - 1)).getAsJsonObject();
  }
}
