// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.metrics.AgentMetrics;
import io.bhlat.metrics.GuardedCollectors;
import io.bhlat.metrics.HostLabels;
import io.bhlat.metrics.HostMetrics;
import io.bhlat.metrics.KernelMetrics;
import io.bhlat.metrics.LandingPage;
import io.bhlat.metrics.ListenAddress;
import io.bhlat.metrics.MetricsServer;
import io.bhlat.metrics.Readiness;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.bcc.LiveSource;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

  private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);
  private static final Readiness READY = new Readiness(true, "measuring");

  /** Stamps of cancelled items are removed even when nobody scrapes. */
  private static final Duration UPKEEP_INTERVAL = Duration.ofSeconds(10);

  private final Terminal terminal;
  private final StopSignal stop;

  @Mixin private TraceFlags trace = new TraceFlags();

  @Option(
      names = "--web.listen-address",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9971",
      description =
          "Where to serve; an empty host means every address, port 0 a free one. Default:"
              + " ${DEFAULT-VALUE}.")
  private String listenAddress = "";

  ServeCommand(Terminal terminal, StopSignal stop) {
    this.terminal = terminal;
    this.stop = stop;
  }

  @Override
  public Integer call() {
    ListenAddress address = address();
    Host host = new Host();
    AtomicReference<Readiness> readiness =
        new AtomicReference<>(new Readiness(false, "attaching probes"));
    AtomicReference<ProbePlan> plan = new AtomicReference<>(null);
    try (AgentMetrics agent = new AgentMetrics();
        MetricsServer server =
            MetricsServer.start(
                address, agent, readiness::get, () -> landingPage(host.labels(), plan.get()))) {
      try (LiveSource source = Tracing.open(host, trace, terminal)) {
        register(agent, source, host);
        plan.set(source.plan());
        readiness.set(READY);
        announce(server.address(), source.plan());
        while (!stop.await(UPKEEP_INTERVAL)) {
          source.snapshot();
        }
        readiness.set(new Readiness(false, "stopping"));
        // Not logged: on a signal java.util.logging takes its handlers away at once.
        terminal.say("stopping: detaching probes");
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, String.valueOf(e.getMessage()), e);
    }
  }

  private ListenAddress address() {
    try {
      return ListenAddress.parse(listenAddress);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private void register(AgentMetrics agent, LiveSource source, Host host) {
    Map<String, MultiCollector> collectors = new LinkedHashMap<>();
    collectors.put(
        "kernel",
        new KernelMetrics(agent.timed(source::snapshot), source.plan(), trace.maxFunctions));
    collectors.put("host", new HostMetrics(host.labels(), source.plan()));
    agent.registry().register(new GuardedCollectors(collectors));
  }

  private static String landingPage(
      HostLabels host, @org.jspecify.annotations.Nullable ProbePlan plan) {
    return LandingPage.html(
        host,
        plan == null ? new ProbePlan(io.bhlat.model.FastPoolMechanism.UNKNOWN, List.of()) : plan);
  }

  private static void announce(InetSocketAddress address, ProbePlan plan) {
    for (ProbePlan.Planned planned : plan.measurements()) {
      if (planned.state() == State.MISSING || planned.state() == State.PARTIAL) {
        log.warn(
            "{} is {}: {}; `bhlat check --verbose` says more",
            planned.measurement().label(),
            planned.state() == State.MISSING ? "not measured" : "measured in part",
            String.join("; ", planned.notes()));
      }
    }
    log.info(
        "serving on http://{}:{}/metrics",
        address.getAddress().isAnyLocalAddress() ? "0.0.0.0" : address.getHostString(),
        address.getPort());
  }
}
