// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Outcome;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelRelease;
import io.bhlat.metrics.PrometheusProcess;
import io.bhlat.testing.NotifySocket;
import io.bhlat.trace.bcc.BpfObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bhlat serve}: what it answers, and that nothing stays attached whatever ends it. */
final class ServeTest {

  /** The kernel frees what belonged to a process after grace periods, in work items. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  @Test
  void answersAndLeavesNothingAttachedOnSigterm() throws Exception {
    try (BhlatProcess serve = bhlat("serve", "--web.listen-address", "127.0.0.1:0").start()) {
      String url = url(serve);
      assertThat(get(url + "/-/healthy").statusCode()).isEqualTo(200);
      assertThat(get(url + "/-/ready").statusCode()).isEqualTo(200);
      HttpResponse<String> metrics = get(url + "/metrics");
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.body())
          .containsPattern(
              "bhlat_softirq_latency_seconds_count"
                  + "\\{context=\"irq_exit\",cpu=\"0\",vector=\"TIMER\"} [1-9]")
          .contains("bhlat_probe_attached{")
          .contains("bhlat_program_statistics_enabled ")
          .contains("bhlat_host_read_errors_total{files=\"programs\"} 0.0")
          .contains("bhlat_collector_success{collector=\"infiniband\"} 1.0");
      Map<BpfObjects, Set<Integer>> held = held(serve);
      serve.signal("TERM");
      Outcome stopped = serve.awaitEnd();
      assertThat(stopped.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(stopped.err()).contains("stopping: detaching probes").doesNotContain("Exception");
      assertGone(held);
      assertPromtoolAccepts(metrics.body());
    }
  }

  @Test
  void leavesTheCompilerAndPrivilegesBehindAfterAttaching() throws Exception {
    String notify = folder.resolve("notify").toString();
    try (NotifySocket manager = NotifySocket.at(notify);
        BhlatProcess serve =
            bhlat("serve", "--web.listen-address", "127.0.0.1:0")
                .by("env", "NOTIFY_SOCKET=" + notify, "WATCHDOG_USEC=400000")
                .start()) {
      String url = url(serve);
      String maps = ofProcess(serve, "maps");
      assertThat(maps).contains("jna", "anon_inode:bpf-map");
      assertThat(maps).doesNotContain("libbcc", "libLLVM");
      assertThat(ofProcess(serve, "cmdline").replace('\0', ' '))
          .contains(" io.bhlat.cli.Main serve --web.listen-address 127.0.0.1:0 ")
          .doesNotContain("-Xmx128m");
      assertThat(ofProcess(serve, "status"))
          .containsPattern("NoNewPrivs:\\s+1")
          .containsPattern("CapEff:\\s+" + capabilitiesToStay())
          .containsPattern("CapBnd:\\s+" + capabilitiesToStay());
      assertThat(descriptorFlags(serve)).isNotEmpty().allMatch(flags -> flags.startsWith("02"));
      assertThat(openFiles(serve)).as("its own only").containsOnlyOnce("/dev/urandom");

      assertThat(manager.message()).isEqualTo("READY=1\nSTATUS=serving on " + url + "/metrics");
      Thread.sleep(1_000);
      assertThat(manager.message()).isEqualTo("WATCHDOG=1");
      while (manager.message().equals("WATCHDOG=1")) {
        // What else came meanwhile.
      }
      serve.signal("HUP");
      Thread.sleep(200);
      assertThat(get(url + "/-/ready").statusCode()).as("after SIGHUP").isEqualTo(200);
      serve.signal("TERM");
      assertThat(serve.awaitEnd().exitCode()).isEqualTo(ExitCode.OK);
      String last = manager.message();
      assertThat(last.equals("WATCHDOG=1") ? manager.message() : last)
          .isEqualTo("STOPPING=1\nSTATUS=detaching probes");
    }
  }

  private static String ofProcess(BhlatProcess process, String file) throws IOException {
    return Files.readString(Path.of("/proc/" + process.pid(), file));
  }

  /** CAP_SYSLOG, for names of functions; CAP_BPF too where maps are not read without. */
  static String capabilitiesToStay() {
    boolean readsWithoutBpf = KernelRelease.read(HostFiles.ofThisHost()).isAtLeast(5, 19);
    return String.format("%016x", 1L << 34 | (readsWithoutBpf ? 0 : 1L << 39));
  }

  /** Of the descriptors that were inherited: they go to no further program. */
  private static List<String> descriptorFlags(BhlatProcess process) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return descriptors
          .filter(descriptor -> target(descriptor).contains("bpf"))
          .map(descriptor -> fdinfo(process, descriptor))
          .map(fdinfo -> fdinfo.replaceFirst("(?s)pos:\\s+\\d+\\s+flags:\\s+(\\d+).*", "$1"))
          .toList();
    }
  }

  private static List<String> openFiles(BhlatProcess process) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return descriptors.map(ServeTest::target).toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private static String fdinfo(BhlatProcess process, Path descriptor) {
    try {
      return ofProcess(process, "fdinfo/" + descriptor.getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void leavesNothingAttachedWhenItIsKilled() throws Exception {
    try (BhlatProcess serve = bhlat("serve", "--web.listen-address", "127.0.0.1:0").start()) {
      url(serve);
      Map<BpfObjects, Set<Integer>> held = held(serve);
      serve.signal("KILL");
      assertThat(serve.awaitEnd().exitCode()).isEqualTo(128 + 9);
      assertGone(held);
    }
  }

  @Test
  void saysWhatToDoWhenThePortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      Outcome refused = bhlat("serve", "--web.listen-address", address).run();
      assertThat(refused.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(refused.err())
          .isEqualTo(
              "bhlat: listen on "
                  + address
                  + ": EADDRINUSE; stop what listens there or choose another port with"
                  + " --web.listen-address\n");
    }
  }

  private static String url(BhlatProcess serve) {
    String line = serve.awaitErr(l -> l.contains("serving on http://127.0.0.1:"));
    return line.substring(line.indexOf("http://"), line.lastIndexOf("/metrics"));
  }

  private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  /** What it holds in the kernel: something of each kind, and all of it is seen from outside. */
  private static Map<BpfObjects, Set<Integer>> held(BhlatProcess serve) {
    Map<BpfObjects, Set<Integer>> held = new EnumMap<>(BpfObjects.class);
    for (BpfObjects kind : BpfObjects.values()) {
      Set<Integer> ids = kind.heldBy(serve.pid());
      assertThat(ids).as(kind.name()).isNotEmpty();
      assertThat(kind.inKernel()).as(kind.name()).containsAll(ids);
      held.put(kind, ids);
    }
    return held;
  }

  private static void assertGone(Map<BpfObjects, Set<Integer>> held) throws InterruptedException {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    for (Map.Entry<BpfObjects, Set<Integer>> entry : held.entrySet()) {
      Set<Integer> left = new TreeSet<>(entry.getValue());
      left.retainAll(entry.getKey().inKernel());
      while (!left.isEmpty() && System.nanoTime() < deadlineNs) {
        Thread.sleep(20);
        left.retainAll(entry.getKey().inKernel());
      }
      assertThat(left).as("%s left in the kernel", entry.getKey()).isEmpty();
    }
  }

  private void assertPromtoolAccepts(String text) throws IOException, InterruptedException {
    PrometheusProcess.assumeInstalled("promtool");
    Path metrics = folder.resolve("metrics.txt");
    Path said = folder.resolve("promtool.txt");
    Files.writeString(metrics, text);
    Process promtool =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(metrics.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(promtool.waitFor()).as(Files.readString(said)).isZero();
  }
}
