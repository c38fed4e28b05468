// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.config.DurationText;
import io.bhlat.metrics.LabelMetrics;
import io.bhlat.model.WorkClass;
import io.bhlat.web.ListenAddress;
import io.bhlat.web.WebConfigFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads configuration files without using them, and says what they say. */
final class ConfigCheck {

  private final Terminal terminal;

  ConfigCheck(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Checks one file or both.
   *
   * @param configFile of {@code --config}
   * @param webConfigFile of {@code --web.config.file}; without it the one that the other names
   * @return the exit code where they can be used
   * @throws io.bhlat.config.ConfigException where one cannot
   */
  int run(@Nullable Path configFile, @Nullable Path webConfigFile) {
    Optional<Path> web = Optional.ofNullable(webConfigFile);
    if (configFile != null) {
      AgentConfig config = AgentConfig.read(configFile, LabelMetrics.takenNames());
      Optional<ListenAddress> address = WebAccess.address(config);
      terminal.print(configFile + ": ok" + said(config, address) + "\n");
      web = web.or(config::webConfigFile);
    }
    web.ifPresent(this::checkWeb);
    return ExitCode.OK;
  }

  private void checkWeb(Path file) {
    try (WebConfigFile config = WebConfigFile.load(file)) {
      config.warnings().forEach(terminal::complain);
      terminal.print(
          "%s: ok: %s, %s\n"
              .formatted(
                  file,
                  config.isTls() ? "TLS" : "no TLS",
                  config.hasUsers() ? "users" : "no users"));
    }
  }

  private static String said(AgentConfig config, Optional<ListenAddress> address) {
    List<String> said = new ArrayList<>();
    if (!config.classes().isEmpty()) {
      said.add(
          "classes "
              + config.classes().stream()
                  .sorted()
                  .map(WorkClass::label)
                  .collect(Collectors.joining(", ")));
    }
    config.maxFunctions().ifPresent(n -> said.add("max_functions " + n));
    config.maxPending().ifPresent(n -> said.add("max_pending " + n));
    config.maxPendingAge().ifPresent(age -> said.add("max_pending_age " + DurationText.of(age)));
    if (!config.labels().isEmpty()) {
      said.add("labels " + String.join(", ", config.labels().keySet()));
    }
    address.ifPresent(a -> said.add("listen_address " + a));
    return said.isEmpty() ? "" : ": " + String.join("; ", said);
  }
}
