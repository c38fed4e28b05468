// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that asks a daemon. */
final class DaemonFlags {

  private static final String DEFAULT_URL = "http://127.0.0.1:9971";

  @Option(
      names = "--from-daemon",
      paramLabel = "URL",
      arity = "0..1",
      fallbackValue = DEFAULT_URL,
      description =
          "Take what a running `bhlat serve` has counted already instead of measuring; it keeps the"
              + " last 15 minutes. URL: ${FALLBACK-VALUE} unless given.")
  @Nullable String url;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "With --from-daemon: only the last so much of it, as in 5m. Default: all of it.")
  @Nullable Duration since;

  @Option(
      names = "--daemon-ca",
      paramLabel = "FILE",
      description =
          "With --from-daemon=https://...: the certificates to trust, PEM. Default: Java's own.")
  @Nullable Path certificates;

  @Option(
      names = "--daemon-credentials",
      paramLabel = "FILE",
      description =
          "With --from-daemon: a file whose first line is USER:PASSWORD. The environment variable"
              + " BHLAT_DAEMON_CREDENTIALS may hold that line instead.")
  @Nullable Path credentials;

  /** Whether a daemon is to be asked. */
  boolean isAsked() {
    return url != null;
  }

  /**
   * The daemon.
   *
   * @throws CommandFailure if options are missing or wrong
   */
  DaemonClient client() {
    return DaemonClient.of(
        Optional.ofNullable(url).orElse(DEFAULT_URL),
        Optional.ofNullable(certificates),
        Optional.ofNullable(credentials));
  }

  /** Refuses options that are of no use without a daemon. */
  void requireNone() {
    if (since != null || certificates != null || credentials != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--since, --daemon-ca and --daemon-credentials go with --from-daemon, which is missing");
    }
  }
}
