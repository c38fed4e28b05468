// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.model.Snapshot;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Supplier;

/**
 * The agent's own meters: Micrometer's for what it does, the Prometheus client's for its JVM and
 * process.
 *
 * <p>Both end in one {@link PrometheusRegistry}, where two families of one name would fail every
 * scrape. So the kernel's metrics and the agent's have prefixes of their own, and a meter without
 * the agent's is refused when it is registered. Thread-safe.
 */
public final class AgentMetrics implements AutoCloseable {

  private static final String METER_PREFIX = "bhlat.agent.";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusMeterRegistry meters;
  private final Timer scrapes;
  private final Timer snapshots;

  /** A new registry with the meters of the agent, its JVM and process. */
  public AgentMetrics() {
    meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
    meters.throwExceptionOnRegistrationFailure();
    meters.config().meterFilter(new AgentPrefixOnly());
    scrapes =
        Timer.builder(METER_PREFIX + "scrape")
            .description(
                "Seconds from the arrival of a scrape at a worker to its answer's being made.")
            .register(meters);
    snapshots =
        Timer.builder(METER_PREFIX + "snapshot")
            .description("Seconds from the start of reading the kernel's counts to its end.")
            .register(meters);
    JvmMetrics.builder().register(registry);
  }

  /** Where all metrics are registered; the kernel's too. */
  public PrometheusRegistry registry() {
    return registry;
  }

  /** For further meters of the agent, whose names start with {@code bhlat.agent.}. */
  public MeterRegistry meters() {
    return meters;
  }

  /** The same snapshots, with the time that taking them took counted. */
  public Supplier<Snapshot> timed(Supplier<Snapshot> source) {
    return () -> snapshots.record(source);
  }

  /** The time of answering scrapes. */
  Timer scrapes() {
    return scrapes;
  }

  @Override
  public void close() {
    meters.close();
  }

  /** A clash is a mistake of the program, to be seen where it is made and not in a scrape. */
  private static final class AgentPrefixOnly implements MeterFilter {
    @Override
    public MeterFilterReply accept(Meter.Id id) {
      if (!id.getName().startsWith(METER_PREFIX)) {
        throw new IllegalArgumentException(
            "register meter " + id.getName() + ": its name must start with " + METER_PREFIX);
      }
      return MeterFilterReply.NEUTRAL;
    }
  }
}
