// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kernel that lacks some targets or kinds of probes, and the order in which probes came and went.
 */
class LackingKernel implements ProbePlanner.Attacher {

  /** Why a probe is not attached. */
  static final String ABSENT = "attach: ENOENT; this kernel does not have it";

  private final Set<String> lacking;
  private final List<Probe> tried = new ArrayList<>();
  private final Set<Probe> attached = new LinkedHashSet<>();

  LackingKernel(String... lacking) {
    this.lacking = Set.of(lacking);
  }

  /** Functions cannot be probed either. */
  static LackingKernel withoutFunctions(String... lacking) {
    return new LackingKernel(
        Stream.concat(Stream.of(lacking), Stream.of("fentry", "fexit", "kprobe", "kretprobe"))
            .toArray(String[]::new));
  }

  @Override
  public Optional<String> attach(Probe probe) {
    assertThat(tried).as("each probe is tried once").doesNotContain(probe);
    tried.add(probe);
    if (lacking.contains(probe.target()) || lacking.contains(probe.kind().label())) {
      return Optional.of(ABSENT);
    }
    attached.add(probe);
    return Optional.empty();
  }

  @Override
  public void detach(Probe probe) {
    assertThat(attached.remove(probe)).as("%s was attached", probe).isTrue();
  }

  /** What was tried, in order. */
  List<Probe> tried() {
    return tried;
  }

  /** What is attached, in order. */
  List<Probe> probes() {
    return List.copyOf(attached);
  }

  /** The same as kind and target. */
  List<String> attached() {
    return attached.stream().map(Probe::toString).toList();
  }
}
