// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import io.bhlat.model.WorkClass;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a file of {@code --config} says. What it does not say is left to flags and defaults.
 *
 * @param classes the work classes to measure; empty if it does not say
 * @param functions which functions may be told by name
 * @param maxFunctions how many functions are told by name
 * @param maxPending work items that may be pending at once
 * @param maxPendingAge when a work item is taken for cancelled
 * @param labels of this host, in order
 * @param listenAddress HOST:PORT, not looked at yet
 * @param webConfigFile TLS and users
 */
public record AgentConfig(
    Set<WorkClass> classes,
    FunctionPatterns functions,
    OptionalInt maxFunctions,
    OptionalInt maxPending,
    Optional<Duration> maxPendingAge,
    Map<String, String> labels,
    Optional<ConfigValue> listenAddress,
    Optional<Path> webConfigFile) {

  /** About 100 MB of the kernel's memory. */
  public static final int MOST_PENDING = 1_000_000;

  /** About 130 MB of the kernel's memory on 8 CPUs and more. */
  public static final int MOST_FUNCTIONS = 1_024;

  /** A file that says nothing. */
  public static final AgentConfig NONE =
      new AgentConfig(
          Set.of(),
          FunctionPatterns.ALL,
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty());

  public AgentConfig {
    classes = Set.copyOf(classes);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /**
   * Reads a file.
   *
   * @param takenLabels names that labels of a host may not have, because metrics have them already
   * @throws ConfigException if it cannot be used; the message names the place and what is expected
   */
  public static AgentConfig read(Path file, Set<String> takenLabels) {
    return new AgentConfigReader(ConfigFile.read(file), takenLabels).read();
  }
}
