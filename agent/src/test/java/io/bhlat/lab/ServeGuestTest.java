// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The daemon on 5.10, which reads maps with CAP_BPF only and has tasklets probed by the functions
 * that they run: bpf/lab/guest/serves.
 */
class ServeGuestTest {

  private static final String KERNEL = "5.10";

  private static String said = "";

  @BeforeAll
  static void serveInAGuest() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    LabGuest.assumeKernel(KERNEL);
    LabGuest guest =
        LabGuest.shell(
            KERNEL,
            String.join(
                " ",
                LabGuest.repository().resolve("bpf/lab/guest/serves").toString(),
                LabGuest.module(KERNEL, "truth"),
                LabGuest.agentCommand("serve")));
    assertThat(guest.exitCode()).as(guest.toString()).isZero();
    said = guest.stdout();
  }

  @Test
  void functionsAreStillProbedAsTheyAreFound() {
    assertThat(said)
        .containsPattern(
            "bhlat_function_queue_latency_seconds_count\\{function=\"[^\"]*bhlat_truth[^\"]*\","
                + "work_class=\"tasklet\",workqueue=\"\"} 5[0-9]{2}\\n");
  }

  @Test
  void itKeepsWhatReadingAndProbingTakesHere() {
    // CAP_SYSLOG, CAP_BPF; CAP_SYS_ADMIN for kprobes, as Debian's kernel.perf_event_paranoid=3
    // wants.
    long kept = 1L << 34 | 1L << 39 | 1L << 21;
    assertThat(said)
        .containsPattern("CapEff:\\s+" + String.format("%016x", kept))
        .containsPattern("CapBnd:\\s+" + String.format("%016x", kept));
  }

  @Test
  void theCompilerIsGone() {
    assertThat(said).contains("anon_inode:bpf-map").doesNotContain("libbcc", "libLLVM");
  }
}
