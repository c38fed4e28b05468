// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.linux.ServiceManager;
import io.bhlat.linux.Signals;
import io.bhlat.metrics.AgentMetrics;
import io.bhlat.metrics.GuardedCollectors;
import io.bhlat.metrics.HostLabels;
import io.bhlat.metrics.HostMetrics;
import io.bhlat.metrics.InfinibandMetrics;
import io.bhlat.metrics.KernelMetrics;
import io.bhlat.metrics.LabelMetrics;
import io.bhlat.metrics.LandingPage;
import io.bhlat.metrics.MetricsServer;
import io.bhlat.metrics.Readiness;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.bcc.LiveSource;
import io.bhlat.web.ListenAddress;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code bhlat serve} is once probes are attached: counts are served to whoever asks, and read
 * now and then for the sake of what only reading keeps in order, until it is asked to stop.
 */
final class Daemon {

  private static final Logger log = LoggerFactory.getLogger(Daemon.class);

  /** Stamps of cancelled items are removed even when nobody scrapes. */
  private static final Duration UPKEEP_INTERVAL = Duration.ofSeconds(10);

  private final LiveSource source;
  private final Host host;
  private final Terminal terminal;
  private final int maxFunctions;
  private final AgentConfig config;
  private final ServiceManager manager;
  private final Recording recording;
  private String lastFailure = "";

  /**
   * Serves the counts of a source, which the caller closes.
   *
   * @param maxFunctions functions with series of their own
   * @param config which functions, and the labels of the host
   * @param recorder what is kept of the past
   */
  Daemon(
      LiveSource source,
      Host host,
      Terminal terminal,
      int maxFunctions,
      AgentConfig config,
      RecorderFlags recorder) {
    this.source = source;
    this.host = host;
    this.terminal = terminal;
    this.maxFunctions = maxFunctions;
    this.config = config;
    this.recording = new Recording(recorder, source, host);
    this.manager = manager();
  }

  private static ServiceManager manager() {
    try {
      return ServiceManager.of(System.getenv(), ProcessHandle.current().pid());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.CANNOT, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns when it was asked to stop.
   *
   * @throws IOException if the address cannot be bound
   */
  void run(ListenAddress address, WebAccess access, StopSignal stop) throws IOException {
    AtomicReference<Readiness> readiness = new AtomicReference<>(new Readiness(true, "measuring"));
    HostLabels labels = host.labels();
    if (manager.isPresent()) {
      Signals.ignoreHangup(); // "Read your files again", which it does unasked.
    }
    try (AgentMetrics agent = new AgentMetrics()) {
      register(agent, labels);
      recording.register(agent.meters());
      try (MetricsServer server =
          MetricsServer.start(
              address,
              MetricsServer.routes(
                      agent, readiness::get, () -> LandingPage.html(labels, source.plan()))
                  .withPage(RecordingEndpoint.PATH, recording.endpoint()),
              access.security())) {
        announce(access.scheme(), server.address());
        Ticks ticks = new Ticks(recording.resolution(), upkeepInterval(), System.nanoTime());
        while (!stop.await(ticks.untilNext(System.nanoTime()))) {
          keepUp(ticks.isLongOver(System.nanoTime()));
        }
        readiness.set(new Readiness(false, "stopping"));
        // Not logged: on a signal java.util.logging takes its handlers away at once.
        terminal.say("stopping: detaching probes");
        tell(() -> manager.stopping("detaching probes"));
      }
    }
  }

  /** Twice in the time after which a watchdog bites. */
  private Duration upkeepInterval() {
    return manager
        .watchdogInterval()
        .map(interval -> interval.dividedBy(2))
        .filter(half -> half.compareTo(UPKEEP_INTERVAL) < 0)
        .orElse(UPKEEP_INTERVAL);
  }

  /** A failure may pass; a watchdog, if there is one, ends a daemon whose failures do not. */
  private void keepUp(boolean tellIt) {
    try {
      recording.add(source.frequentSnapshot());
      lastFailure = "";
      if (tellIt) {
        tell(manager::alive);
      }
    } catch (RuntimeException e) {
      String failure = String.valueOf(e.getMessage());
      if (!failure.equals(lastFailure)) {
        log.error("read the counts: {}; it is tried again", failure);
        lastFailure = failure;
      }
    }
  }

  private void register(AgentMetrics agent, HostLabels labels) {
    Map<String, MultiCollector> collectors = new LinkedHashMap<>();
    collectors.put(
        "kernel",
        new KernelMetrics(
            agent.timed(source::snapshot),
            source.plan(),
            maxFunctions,
            config.functions()::select));
    collectors.put("host", new HostMetrics(labels, source.plan(), host.files(), host.readErrors()));
    collectors.put(
        "infiniband",
        new InfinibandMetrics(host.files(), host::interruptDevices, host.readErrors()));
    if (!config.labels().isEmpty()) {
      collectors.put("labels", new LabelMetrics(config.labels()));
    }
    agent.registry().register(new GuardedCollectors(collectors));
  }

  private void announce(String scheme, InetSocketAddress address) {
    int missing = 0;
    for (ProbePlan.Planned planned : source.plan().measurements()) {
      if (planned.state() == State.MISSING || planned.state() == State.PARTIAL) {
        missing++;
        log.warn(
            "{} is {}: {}; `bhlat check --verbose` says more",
            planned.measurement().label(),
            planned.state() == State.MISSING ? "not measured" : "measured in part",
            String.join("; ", planned.notes()));
      }
    }
    String url =
        scheme
            + "://"
            + (address.getAddress().isAnyLocalAddress() ? "0.0.0.0" : address.getHostString())
            + (":" + address.getPort() + "/metrics");
    log.info("serving on {}", url);
    String status =
        "serving on " + url + (missing == 0 ? "" : "; " + missing + " measurements incomplete");
    tell(() -> manager.ready(status));
  }

  /** A message to the service manager; that one cannot be told is no reason to end. */
  private interface Message {
    void send() throws IOException;
  }

  private void tell(Message message) {
    try {
      message.send();
    } catch (IOException e) {
      log.warn("{}", String.valueOf(e.getMessage()));
    }
  }
}
