// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.infiniband.Adapter;
import io.bhlat.infiniband.Adapters;
import io.bhlat.infiniband.CodedState;
import io.bhlat.infiniband.Port;
import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.HostReadException;
import io.bhlat.kernel.InterruptAffinity;
import io.bhlat.kernel.ReadErrors;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The InfiniBand adapters of the host: their ports, their interrupts and which CPUs these go to,
 * read anew for a scrape, so that what is plugged in or removed is followed. Thread-safe.
 *
 * <p>A file that cannot be read takes nothing but its own value away. Nothing here ever fails.
 */
public final class InfinibandMetrics implements MultiCollector {

  /**
   * Scrapes that come closer together share a reading, which takes milliseconds where there are
   * hundreds of interrupts.
   */
  static final Duration MAX_AGE = Duration.ofSeconds(1);

  /** More CPUs of one interrupt are not told: it goes to anyone. x86 and the GICv3 have one. */
  static final int MAX_CPUS_OF_INTERRUPT = 8;

  private final HostFiles host;
  private final IntFunction<String> devicesOf;
  private final ReadErrors errors;
  private final LongSupplier clockNs;
  private MetricSnapshots latest = new MetricSnapshots();
  private long readAtNs;
  private boolean read;

  /**
   * Reads nothing yet.
   *
   * @param host where /sys and /proc are
   * @param devicesOf the devices that have an interrupt, by its number
   * @param errors told of files that cannot be read
   */
  public InfinibandMetrics(HostFiles host, IntFunction<String> devicesOf, ReadErrors errors) {
    this(host, devicesOf, errors, System::nanoTime);
  }

  InfinibandMetrics(
      HostFiles host, IntFunction<String> devicesOf, ReadErrors errors, LongSupplier clockNs) {
    this.host = host;
    this.devicesOf = devicesOf;
    this.errors = errors;
    this.clockNs = clockNs;
  }

  @Override
  public synchronized MetricSnapshots collect() {
    long nowNs = clockNs.getAsLong();
    if (!read || nowNs - readAtNs >= MAX_AGE.toNanos()) {
      latest = readNow();
      readAtNs = nowNs;
      read = true;
    }
    return latest;
  }

  private MetricSnapshots readNow() {
    Adapters adapters = Adapters.readWithoutGids(host);
    errors.afterReading(ReadErrors.Kind.INFINIBAND, adapters.problems());
    List<String> problems = new ArrayList<>();
    Families families = new Families();
    for (Adapter adapter : adapters.adapters()) {
      adapter.ports().forEach(port -> addPort(families, adapter, port));
      adapter.interrupts().forEach(irq -> addInterrupt(families, adapter.name(), irq, problems));
    }
    errors.afterReading(ReadErrors.Kind.AFFINITY, problems);
    return families.build();
  }

  private static void addPort(Families families, Adapter adapter, Port port) {
    String number = Integer.toString(port.number());
    families.info(
        MetricNames.INFINIBAND_PORT_INFO,
        MetricNames.INFINIBAND_PORT_INFO.labels(
            adapter.name(),
            number,
            port.linkLayer().orElse(""),
            String.join(",", adapter.netDevices()),
            adapter.hcaType().orElse(""),
            adapter.boardId().orElse(""),
            adapter.firmware().orElse(""),
            adapter.pciAddress().orElse(""),
            adapter.numaNode().isPresent() ? "" + adapter.numaNode().getAsInt() : ""));
    port.isActive()
        .ifPresent(up -> add(families, MetricNames.INFINIBAND_PORT_UP, up ? 1 : 0, adapter, port));
    port.state()
        .map(CodedState::code)
        .ifPresent(code -> add(families, MetricNames.INFINIBAND_PORT_STATE, code, adapter, port));
    port.physState()
        .map(CodedState::code)
        .ifPresent(
            code -> add(families, MetricNames.INFINIBAND_PORT_PHYSICAL_STATE, code, adapter, port));
    port.rateBytesPerSecond()
        .ifPresent(rate -> add(families, MetricNames.INFINIBAND_PORT_RATE, rate, adapter, port));
  }

  private static void add(
      Families families, MetricName name, double value, Adapter adapter, Port port) {
    families.gauge(name, value, name.labels(adapter.name(), Integer.toString(port.number())));
  }

  private void addInterrupt(Families families, String adapter, int irq, List<String> problems) {
    String number = Integer.toString(irq);
    families.info(
        MetricNames.INFINIBAND_INTERRUPT_INFO,
        MetricNames.INFINIBAND_INTERRUPT_INFO.labels(adapter, number, devicesOf.apply(irq)));
    try {
      CpuSet cpus = InterruptAffinity.effective(host, irq);
      if (cpus.count() <= MAX_CPUS_OF_INTERRUPT) {
        cpus.stream()
            .forEach(
                cpu ->
                    families.gauge(
                        MetricNames.INFINIBAND_INTERRUPT_AFFINITY,
                        1,
                        MetricNames.INFINIBAND_INTERRUPT_AFFINITY.labels(
                            adapter, number, Integer.toString(cpu))));
      }
    } catch (HostReadException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }
}
