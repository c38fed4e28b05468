// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.cli.BhlatProcess.Outcome;
import io.bhlat.kernel.FixtureHost;
import io.bhlat.trace.Measurement;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bhlat check} on the kernel that runs here. */
final class CheckTest {

  private static final String PCI = "/sys/devices/pci0000:00/0000:00:03.0/0000:08:00.0";
  private static final String MLX4 = PCI + "/infiniband/mlx4_0";

  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  @Test
  void attachesEveryProbeHereAndListsTheConnectX3() {
    connectX3();
    Outcome check = bhlat("check", "--sysfs-root", folder.toString()).run();
    assertThat(check.out())
        .contains("fast_pool", "workqueue", "tasklet", "softirq")
        .contains("workqueue_queue_work", "workqueue_activate_work", "workqueue_execute_start")
        .contains("workqueue_execute_end", "softirq_raise", "softirq_entry", "softirq_exit")
        .containsPattern("privileges +all that is needed");
    assertThat(check.out())
        .containsPattern("mlx4_0 +MT4099, MT_1090120019, firmware 2.42.5000, PCI 0000:08:00.0")
        .containsPattern(
            "port 1 +ACTIVE, LinkUp, 40 Gb/sec \\(4X QDR\\), InfiniBand, LID 0x6, SM LID")
        .contains("fe80:0000:0000:0000:0010:e000:0178:9eb1");
    assertThat(check.err()).isEmpty();
    assertThat(check.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void answersInJsonAndSaysThatThereIsNoAdapterAndLeavesNoFolder() {
    Outcome check =
        bhlat("check", "--json", "--sysfs-root", folder.toString())
            .jvm("-Djava.io.tmpdir=" + folder)
            .run();
    assertThat(check.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(check.out().lines()).hasSize(1);
    JsonObject json = JsonParser.parseString(check.out()).getAsJsonObject();
    assertThat(json.get("schema").getAsString()).isEqualTo("bhlat.check/1");
    assertThat(json.getAsJsonArray("failures")).isEmpty();
    assertThat(json.getAsJsonArray("probes"))
        .hasSameSizeAs(Measurement.values())
        .allSatisfy(
            measurement ->
                assertThat(measurement.getAsJsonObject().getAsJsonArray("probes"))
                    .isNotEmpty()
                    .allSatisfy(
                        probe ->
                            assertThat(probe.getAsJsonObject().get("attached").getAsBoolean())
                                .isTrue()));
    JsonObject infiniband = json.getAsJsonObject("infiniband");
    assertThat(infiniband.getAsJsonArray("adapters")).isEmpty();
    assertThat(infiniband.getAsJsonArray("problems")).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void saysWhatIsLessExactOnAKernelWhereFunctionsCannotBeProbed() {
    Needs.noFunctionProbes();
    Outcome check = bhlat("check", "--sysfs-root", folder.toString()).run();
    assertThat(check.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(check.out().replaceAll("\\s+", " "))
        .contains("because functions cannot be probed here: several that run in one softirq share")
        .doesNotContain("failed ", "kprobe __tasklet", "fentry");
  }

  /** As sysfs shows it; the values are those of a host with this adapter at 40 Gb/s. */
  private void connectX3() {
    String port = MLX4 + "/ports/1";
    new FixtureHost(folder)
        .withLink(
            "/sys/class/infiniband/mlx4_0",
            "../../devices/pci0000:00/0000:00:03.0/0000:08:00.0/infiniband/mlx4_0")
        .withLink(MLX4 + "/device", "../../../0000:08:00.0")
        .with(MLX4 + "/hca_type", "MT4099\n")
        .with(MLX4 + "/fw_ver", "2.42.5000\n")
        .with(MLX4 + "/board_id", "MT_1090120019\n")
        .with(port + "/state", "4: ACTIVE\n")
        .with(port + "/phys_state", "5: LinkUp\n")
        .with(port + "/rate", "40 Gb/sec (4X QDR)\n")
        .with(port + "/link_layer", "InfiniBand\n")
        .with(port + "/lid", "0x6\n")
        .with(port + "/sm_lid", "0x1\n")
        .with(port + "/gids/0", "fe80:0000:0000:0000:0010:e000:0178:9eb1\n");
  }
}
