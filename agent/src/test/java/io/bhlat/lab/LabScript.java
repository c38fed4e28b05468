// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Steps that run one after the other in one boot of a guest, which takes as long as several of
 * them. Each has an outcome of its own, and none stops those behind it.
 */
final class LabScript {

  private final String kernel;
  private final List<String> options;
  private final Map<String, String> steps = new LinkedHashMap<>();

  /**
   * Nothing to run yet.
   *
   * @param options of bpf/lab/run
   */
  LabScript(String kernel, String... options) {
    this.kernel = kernel;
    this.options = List.of(options);
  }

  /**
   * Adds a step.
   *
   * @param name a word; names its outcome
   * @param shell what to run, in a shell of its own
   */
  LabScript step(String name, String shell) {
    steps.put(name, shell);
    return this;
  }

  /** What came of the steps, by their names. */
  record Outcomes(Map<String, LabGuest> steps) {

    Outcomes {
      steps = Map.copyOf(steps);
    }

    /** The outcome of a step, which must have ended with that exit code. */
    LabGuest of(String step, int exitCode) {
      LabGuest outcome = steps.get(step);
      if (outcome == null) {
        throw new IllegalArgumentException("no step " + step);
      }
      assertThat(outcome.exitCode()).as("%s: %s", step, outcome).isEqualTo(exitCode);
      return outcome;
    }
  }

  /**
   * Boots the guest.
   *
   * @param results an empty folder for what the steps print
   */
  Outcomes run(Path results) throws IOException, InterruptedException {
    StringBuilder line = new StringBuilder();
    steps.forEach(
        (name, shell) ->
            line.append(
                """
                (
                %s
                ) >$BHLAT_LAB_RESULTS/%s.out 2>$BHLAT_LAB_RESULTS/%s.err
                echo $? >$BHLAT_LAB_RESULTS/%s.code
                """
                    .formatted(shell, name, name, name)));
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--results", results.toString()));
    LabGuest guest = LabGuest.shell(all, kernel, line.toString());
    assertThat(guest.exitCode()).as(guest.toString()).isZero();
    Map<String, LabGuest> outcomes = new LinkedHashMap<>();
    for (String name : steps.keySet()) {
      outcomes.put(
          name,
          new LabGuest(
              Integer.parseInt(text(results, name + ".code").strip()),
              text(results, name + ".out"),
              text(results, name + ".err")));
    }
    return new Outcomes(outcomes);
  }

  private static String text(Path results, String file) throws IOException {
    return Files.readString(results.resolve(file), UTF_8);
  }
}
