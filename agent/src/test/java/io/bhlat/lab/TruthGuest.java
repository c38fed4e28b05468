// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import io.bhlat.trace.ProbeKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Boots a guest with the module of bpf/lab/truth and measures there, several times in one boot. */
final class TruthGuest {

  /** What comes one after the other, each for itself: its latencies can be compared. */
  static final List<TruthScenario> KINDS =
      List.of(
          TruthScenario.HI_TASKLET,
          TruthScenario.TASKLET,
          TruthScenario.HIGHPRI_WORK,
          TruthScenario.UNBOUND_WORK);

  private final String kernel;
  private final List<String> options;
  private final List<String> commands = new ArrayList<>();

  TruthGuest(String kernel, String... options) {
    this.kernel = kernel;
    this.options = List.of(options);
  }

  /** Measures some scenarios. */
  TruthGuest measure(Optional<ProbeKind> kind, int maxPending, TruthScenario... scenarios) {
    return measure(kind, maxPending, Arrays.stream(scenarios).map(TruthScenario::name).toList());
  }

  /** Measures one scenario before and after the module is unloaded and loaded again. */
  TruthGuest measureAcrossReload(TruthScenario scenario) throws IOException, InterruptedException {
    String reload = TruthRunner.RELOAD + LabGuest.module(kernel, "truth");
    List<String> steps = new ArrayList<>(List.of(scenario.name()));
    for (int time = 0; time < 3; time++) {
      steps.addAll(List.of(reload, scenario.name()));
    }
    return measure(Optional.empty(), 16_384, steps);
  }

  private TruthGuest measure(Optional<ProbeKind> kind, int maxPending, List<String> steps) {
    List<String> arguments = new ArrayList<>();
    arguments.add(kind.map(ProbeKind::name).orElse("any"));
    arguments.add(Integer.toString(maxPending));
    arguments.add("15"); // seconds: longer than anything waits
    arguments.addAll(steps);
    commands.add(
        LabGuest.javaCommand(TruthRunner.class.getName(), arguments.toArray(String[]::new)));
    return this;
  }

  /** The reports, one for each measuring. */
  List<TruthReport> reports() throws IOException, InterruptedException {
    LabGuest.assumeThere();
    LabGuest.assumeKernel(kernel);
    String module = LabGuest.module(kernel, "truth");
    List<String> line = new ArrayList<>(List.of("insmod " + module));
    line.addAll(commands);
    LabGuest guest = LabGuest.shell(options, kernel, String.join(" && ", line));
    assertThat(guest.exitCode()).as(guest.toString()).isZero();
    return guest
        .stdout()
        .lines()
        .map(json -> new Gson().fromJson(json, TruthReport.class))
        .toList();
  }
}
