// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels that are locked against their own root user (6.1); one boot a level. */
class LockdownGuestTest {

  private static final String KERNEL = "6.1";
  private static final String REMEDY =
      ": EINVAL, the kernel is locked down and its memory may not be read; boot without"
          + " lockdown=confidentiality";

  @TempDir Path results;

  @BeforeEach
  void assumeLab() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    LabGuest.assumeKernel(KERNEL);
  }

  private LabScript lockedDown(String level) {
    return new LabScript(KERNEL, "--append", "lockdown=" + level)
        .step("check", LabGuest.agentCommand("check", "--json"));
  }

  @Test
  void attachesEverythingUnderIntegrity() throws IOException, InterruptedException {
    LabCheck check = LabCheck.of(lockedDown("integrity").run(results).of("check", 0));

    assertThat(check.text("lockdown")).isEqualTo("integrity");
    assertThat(check.attached("tasklet")).contains("fentry __tasklet_hi_schedule");
  }

  @Test
  void measuresSoftirqsAndTaskletsUnderConfidentialityAndSaysHowToMeasureTheRest()
      throws IOException, InterruptedException {
    LabScript.Outcomes outcomes =
        lockedDown("confidentiality")
            .step("softirqs", LabGuest.agentCommand("hist", "--duration", "2s"))
            .run(results);

    LabCheck check = LabCheck.of(outcomes.of("check", 1));
    assertThat(check.text("lockdown")).isEqualTo("confidentiality");
    assertThat(List.of("fast_pool", "workqueue"))
        .allSatisfy(name -> assertThat(check.state(name)).as(name).isEqualTo("missing"))
        .allSatisfy(
            name -> assertThat(check.notes(name)).isNotEmpty().allMatch(n -> n.contains(REMEDY)));
    assertThat(List.of("tasklet", "softirq"))
        .allSatisfy(name -> assertThat(check.state(name)).as(name).isEqualTo("attached"));
    assertThat(check.notes("tasklet")).singleElement().asString().contains("from the raise");

    assertThat(outcomes.of("softirqs", 1).stdout()).containsPattern("softirq +TIMER +[1-9]");
  }
}
