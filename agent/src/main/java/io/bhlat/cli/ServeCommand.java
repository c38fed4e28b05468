// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.kernel.CpuSet;
import io.bhlat.metrics.MetricsServer;
import io.bhlat.trace.bcc.HandOver;
import io.bhlat.trace.bcc.LiveSource;
import io.bhlat.web.ListenAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bhlat serve}: measures until it is stopped, for Prometheus to scrape. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Measures until it is stopped and serves what it counts to Prometheus.",
      "",
      "/metrics answers in the text format, OpenMetrics or protobuf, by what the client accepts;"
          + " native histograms come with protobuf (Prometheus: --enable-feature=native-histograms)."
          + " /-/healthy and /-/ready are for probes. SIGTERM detaches everything and exits with 0.",
      ""
    })
final class ServeCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final StopSignal stop;

  @Mixin private TraceFlags trace = new TraceFlags();

  @Mixin private RecorderFlags recorder = new RecorderFlags();

  @Option(
      names = "--web.listen-address",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9971",
      description =
          "Where to serve; an empty host means every address, port 0 a free one. Default:"
              + " ${DEFAULT-VALUE}.")
  private String listenAddress = "";

  @Option(
      names = "--web.config.file",
      paramLabel = "FILE",
      description =
          "TLS, users and headers in the format of Prometheus's exporters; changes are taken without"
              + " a restart. See docs/CONFIGURATION.md.")
  private @Nullable Path webConfigFile;

  ServeCommand(Terminal terminal, StopSignal stop) {
    this.terminal = terminal;
    this.stop = stop;
  }

  @Override
  public Integer call() {
    AgentConfig config = trace.config();
    ListenAddress address = address(config);
    recorder.check();
    Host host = new Host();
    Optional<HandOver> inherited = Successor.inherited();
    try {
      if (inherited.isEmpty()) {
        // Before the work of attaching.
        WebAccess.of(webConfigFile, config).close();
        MetricsServer.requireFree(address);
        attachAndGoOnAsSuccessor(host);
      } else {
        try (LiveSource source = Tracing.takeOver(host, trace, inherited.get());
            WebAccess access = WebAccess.of(webConfigFile, config)) {
          access.warn();
          new Daemon(source, host, terminal, trace.maxFunctions, config, recorder)
              .run(address, access, stop);
        }
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns only if it was asked to stop meanwhile. */
  private void attachAndGoOnAsSuccessor(Host host) {
    try (LiveSource source = Tracing.open(host, trace, terminal)) {
      if (!stop.isRequested()) {
        int cpus = CpuSet.possible(host.files()).max() + 1;
        Successor.start(source, host, DaemonHeap.limitMiB(cpus, recorder.maxMemoryBytes));
      }
    }
  }

  private ListenAddress address(AgentConfig config) {
    Optional<ListenAddress> configured = WebAccess.address(config);
    if (configured.isPresent() && !trace.isGiven("--web.listen-address")) {
      return configured.get();
    }
    try {
      return ListenAddress.parse(listenAddress);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }
}
