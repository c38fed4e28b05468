// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Call;
import io.bhlat.cli.BhlatProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bhlat as user nobody, with and without capabilities. Root starts it. */
final class PrivilegesTest {

  private static final String NOBODY = "65534";
  private static final String REMEDY = "EPERM; run as root or grant CAP_BPF and CAP_PERFMON";

  @TempDir static Path folder;
  private static String classPath = "";

  @BeforeAll
  static void copyTheBuild() {
    Needs.root();
    classPath = PublicClassPath.copyTo(folder);
  }

  /** Nobody has no home: JNA unpacks its library into the folder for temporary files. */
  private static Call asNobody(String capabilities, String... arguments) {
    return bhlat(arguments)
        .classPath(classPath)
        .by("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups")
        .by("--inh-caps=" + capabilities, "--ambient-caps=" + capabilities);
  }

  @Test
  void saysWhichPrivilegesItNeedsInOrderToMeasure() {
    Outcome hist = asNobody("-all", "hist", "--duration", "100ms").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.NOT_PERMITTED);
    assertThat(hist.out()).isEmpty();
    assertThat(hist.err()).startsWith("bhlat: compile BPF programs: " + REMEDY).hasLineCount(1);
  }

  @Test
  void checksWithoutPrivilegesAndNamesWhatIsMissing() {
    Outcome check = asNobody("-all", "check").run();
    assertThat(check.exitCode()).isEqualTo(ExitCode.NOT_PERMITTED);
    String text = check.out().replaceAll("\\s+", " ");
    assertThat(text)
        .contains("CAP_BPF is missing", "CAP_PERFMON is missing", "CAP_SYSLOG is missing")
        .contains("addresses in /proc/kallsyms are hidden")
        .contains("failed compile BPF programs: " + REMEDY)
        .contains("fast_pool missing", "workqueue missing", "tasklet missing", "softirq missing")
        .contains("InfiniBand");
    assertThat(text.split("compile BPF programs", -1)).as("told once:\n" + text).hasSize(2);
  }

  @Test
  void measuresEverythingWithThreeCapabilitiesAndWithoutRoot() {
    Outcome hist =
        asNobody("-all,+bpf,+perfmon,+syslog", "hist", "--duration", "500ms", "--json").run();
    assertThat(hist.err()).isEmpty();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(HistTest.classes(HistTest.json(hist).get(0)))
        .anySatisfy(c -> assertThat(c.get("started").getAsLong()).isPositive());
  }

  @Test
  void servesWithoutRootAndGivesUpWhatOnlyAttachingTook() throws Exception {
    try (BhlatProcess serve =
        asNobody("-all,+bpf,+perfmon,+syslog", "serve", "--web.listen-address", "127.0.0.1:0")
            .start()) {
      serve.awaitErr(line -> line.contains("serving on http://127.0.0.1:"));
      String status = Files.readString(Path.of("/proc/" + serve.pid() + "/status"));
      assertThat(status)
          .containsPattern("Uid:\\s+" + NOBODY)
          .containsPattern("CapEff:\\s+" + ServeTest.capabilitiesToStay())
          .containsPattern("CapAmb:\\s+" + ServeTest.capabilitiesToStay());
      serve.signal("TERM");
      assertThat(serve.awaitEnd().exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void namesTheObstacleOnceWhenProgramsMayNotBeLoaded() {
    Outcome hist = asNobody("-all,+bpf", "hist", "--duration", "100ms").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.NOT_PERMITTED);
    assertThat(hist.err())
        .startsWith("bhlat: nothing can be measured here: load program ")
        .contains(REMEDY, "see `bhlat check`")
        .hasLineCount(2);
  }

  @Test
  void measuresAllButTheFastPoolWithoutTheCapabilityThatShowsAddresses() {
    Needs.noFunctionProbes();
    Outcome hist = asNobody("-all,+bpf,+perfmon", "hist", "--duration", "500ms").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(hist.out().replaceAll("\\s+", " "))
        .contains("softirq TIMER", "workqueue queued")
        .contains("fast_pool missing: addresses in /proc/kallsyms are hidden:")
        .contains("run as root or grant CAP_SYSLOG");
  }

  @Test
  void saysWhatItNeedsWhenMapsMayNotBeMade() {
    Outcome hist = asNobody("-all,+perfmon,+syslog", "hist", "--duration", "100ms").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.NOT_PERMITTED);
    assertThat(hist.err()).startsWith("bhlat: compile BPF programs: " + REMEDY).hasLineCount(1);
  }
}
