// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import io.bhlat.trace.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong on a kernel that has everything (6.1). One boot. */
class BadLuckTest {

  private static final String KERNEL = "6.1";
  private static final List<TruthScenario> WORK =
      List.of(TruthScenario.HI_TASKLET, TruthScenario.TASKLET, TruthScenario.HIGHPRI_WORK);
  private static final String CHECK = LabGuest.agentCommand("check", "--json");

  /** Measures by any kind of probe, and how long it may wait for stamps to age: in seconds. */
  private static final String TRUTH =
      LabGuest.javaCommand(
          TruthRunner.class.getName(),
          "any",
          "16384",
          "15",
          WORK.get(0).name(),
          WORK.get(1).name(),
          WORK.get(2).name());

  private static LabScript.Outcomes outcomes = new LabScript.Outcomes(Map.of());

  @BeforeAll
  static void bootOnce(@TempDir Path results) throws IOException, InterruptedException {
    LabGuest.assumeThere();
    LabGuest.assumeKernel(KERNEL);
    String truth = LabGuest.module(KERNEL, "truth");
    String occupy = LabGuest.module(KERNEL, "occupy");
    outcomes =
        new LabScript(KERNEL)
            .step("prepare", "insmod " + truth + " && mkdir /tmp/empty\n" + readableForAll())
            .step("no_btf", withoutBtf(CHECK))
            .step("truth_no_btf", withoutBtf(TRUTH))
            .step(
                "three_capabilities",
                kptrRestrict(1) + asNobody("-all,+bpf,+perfmon,+syslog", CHECK))
            .step("two_capabilities", asNobody("-all,+bpf,+perfmon", CHECK))
            .step("hidden", kptrRestrict(2) + CHECK)
            .step("occupied", kptrRestrict(1) + "insmod " + occupy + " && " + CHECK)
            .step("truth_occupied", TRUTH)
            .run(results);
  }

  private static String kptrRestrict(int level) {
    return "echo " + level + " >/proc/sys/kernel/kptr_restrict\n";
  }

  private static String withoutBtf(String command) {
    return "unshare -m sh -ec 'mount --bind /tmp/empty /sys/kernel/btf; exec " + command + "'";
  }

  private static String asNobody(String capabilities, String command) {
    return "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=%s --ambient-caps=%s %s"
        .formatted(capabilities, capabilities, command);
  }

  /** The class path may lie below folders that only their owner may enter; in the guest all may. */
  private static String readableForAll() {
    return """
    for path in $(echo %s | tr : ' '); do
      while [[ $path == /?* ]]; do
        chmod a+rX "$path"
        path=${path%%/*}
      done
    done"""
        .formatted(LabGuest.classPath());
  }

  private static LabCheck check(String step, int exitCode) {
    return LabCheck.of(outcomes.of(step, exitCode));
  }

  /** Each item of the truth module was counted, and its latencies are those of bhlat. */
  private static TruthReport assertTrue(String step) {
    TruthReport report =
        new Gson().fromJson(outcomes.of(step, 0).stdout().strip(), TruthReport.class);
    for (TruthScenario scenario : WORK) {
      TruthOutcome outcome = report.of(scenario);
      assertThat(outcome.counted()).as(outcome.toString()).isEqualTo(outcome.started());
      assertThat(outcome.started()).isEqualTo(outcome.queued()).isPositive();
      TruthTest.assertMedian(outcome);
    }
    assertThat(report.unexplainedInTheEnd()).isZero();
    return report;
  }

  @Test
  void takesOffsetsFromTheTableWhereThereIsNoBtf() {
    LabCheck check = check("no_btf", 0);

    assertThat(check.text("struct_layout")).isEqualTo("known_table");
    assertThat(check.text("fast_pool_mechanism")).isEqualTo("unknown");
    assertThat(check.state("fast_pool")).isEqualTo("attached");
    assertThat(check.attached("tasklet"))
        .contains("kprobe __tasklet_hi_schedule", "kprobe __tasklet_schedule");
  }

  @Test
  void measuresTheSameWithoutBtf() {
    TruthReport report = assertTrue("truth_no_btf");

    assertThat(report.probesOf(Measurement.TASKLET)).contains("kprobe __tasklet_hi_schedule");
  }

  @Test
  void attachesFunctionsWithThreeCapabilitiesAndWithoutRoot() {
    LabCheck check = check("three_capabilities", 0);

    assertThat(check.missingCapabilities()).isEmpty();
    assertThat(check.attached("tasklet"))
        .contains("fentry __tasklet_hi_schedule", "fentry __tasklet_schedule");
  }

  @Test
  void attachesFunctionsWithoutTheCapabilityThatShowsAddressesAndNamesIt() {
    LabCheck check = check("two_capabilities", 0);

    assertThat(check.missingCapabilities())
        .singleElement()
        .asString()
        .startsWith("CAP_SYSLOG is missing, needed to see addresses in /proc/kallsyms;");
    assertMeasuresAllWithoutAddresses(check);
  }

  @Test
  void measuresAllWhereAddressesAreHiddenEvenFromRoot() {
    LabCheck check = check("hidden", 0);

    assertMeasuresAllWithoutAddresses(check);
  }

  /** The mixing is told by the call that it is nested in. */
  private static void assertMeasuresAllWithoutAddresses(LabCheck check) {
    assertThat(check.text("symbols")).isEqualTo("hidden");
    assertThat(check.attached("fast_pool")).contains("fentry add_interrupt_randomness");
    assertThat(check.notes("workqueue"))
        .singleElement()
        .asString()
        .contains("flush barriers count as starts without a queueing");
    assertThat(List.of("fast_pool", "workqueue", "tasklet", "softirq"))
        .allSatisfy(name -> assertThat(check.state(name)).as(name).isEqualTo("attached"));
    assertThat(check.attached("tasklet")).contains("fentry __tasklet_hi_schedule");
  }

  @Test
  void takesAKprobeOfAFunctionThatAnotherHolds() {
    assertThat(check("occupied", 0).attached("tasklet"))
        .contains("kprobe __tasklet_hi_schedule", "fentry __tasklet_schedule");
    assertTrue("truth_occupied");
  }
}
