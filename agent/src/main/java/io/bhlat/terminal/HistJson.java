// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.model.Counts;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.FunctionCounts;
import io.bhlat.model.FunctionKey;
import io.bhlat.model.FunctionSelection;
import io.bhlat.model.Interval;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossReason;
import io.bhlat.model.RunContext;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import java.io.IOException;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code bhlat hist --json} prints: one JSON object a line for each interval, as docs/JSON.md
 * promises. Immutable; any thread.
 */
public final class HistJson {

  /** The name and version of the format; a new version where a reader could misread the change. */
  public static final String SCHEMA = "bhlat.hist/2";

  private static final DateTimeFormatter RFC_3339 =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter().withZone(ZoneOffset.UTC);

  /** What an object covers. */
  public enum Kind {
    /** One of several intervals of a measurement. */
    INTERVAL,
    /** The whole measurement. */
    TOTAL
  }

  private final Set<WorkClass> asked;
  private final boolean perCpu;

  /**
   * A writer.
   *
   * @param asked the classes to print; empty: all that are measured
   * @param perCpu whether there is an object for each CPU too
   */
  public HistJson(Set<WorkClass> asked, boolean perCpu) {
    this.asked = Set.copyOf(asked);
    this.perCpu = perCpu;
  }

  /** One object on one line, with a line feed at its end. */
  public String render(Kind kind, ReportHeader header, Interval interval, ProbePlan plan) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.beginObject();
      json.name("schema").value(SCHEMA);
      json.name("kind").value(kind.name().toLowerCase(Locale.ROOT));
      span(json, interval);
      host(json, header, plan, interval.counts());
      classes(json, interval.counts(), plan);
      skippedPrograms(json, interval.counts());
      functions(json, interval.counts(), plan);
      CallsJson.write(json, interval.counts().calls(), asked, plan);
      json.name("measurements");
      PlanJson.write(json, plan);
      json.endObject();
    } catch (IOException e) {
      throw new AssertionError("a StringWriter does not fail", e);
    }
    return text.append('\n').toString();
  }

  private static void span(JsonWriter json, Interval interval) throws IOException {
    json.name("from").value(RFC_3339.format(interval.from()));
    json.name("to").value(RFC_3339.format(interval.to()));
    json.name("duration_ns").value(interval.durationNs());
  }

  private static void host(JsonWriter json, ReportHeader header, ProbePlan plan, Counts counts)
      throws IOException {
    json.name("host").value(header.hostname());
    json.name("kernel").beginObject();
    json.name("release").value(header.kernelRelease());
    json.name("version").value(header.kernelVersion());
    json.endObject();
    json.name("fast_pool_mechanism").value(plan.mechanism().label());
    json.name("cpus").beginArray();
    for (int cpu : counts.cpus()) {
      json.value(cpu);
    }
    json.endArray();
  }

  private void classes(JsonWriter json, Counts counts, ProbePlan plan) throws IOException {
    json.name("classes").beginArray();
    for (WorkKey key : WorkKey.ALL) {
      if (!shows(key.workClass(), plan) || isForeign(key, counts, plan)) {
        continue;
      }
      boolean countsQueued = plan.countsQueued(key.workClass());
      work(json, key, Optional.empty(), counts.total(key), countsQueued);
      for (int cpu : perCpu ? counts.cpus() : Set.<Integer>of()) {
        WorkCounts ofCpu = counts.of(cpu, key);
        if (!ofCpu.isNone()) {
          work(json, key, Optional.of(cpu), ofCpu, countsQueued);
        }
      }
    }
    json.endArray();
  }

  /** Told by class only: the vectors of softirqs share their programs. */
  private void skippedPrograms(JsonWriter json, Counts counts) throws IOException {
    json.name("skipped_programs").beginObject();
    for (WorkClass workClass : WorkClass.values()) {
      long skipped = counts.lostByClass(workClass).count(LossReason.PROGRAM_SKIPPED);
      if ((asked.isEmpty() || asked.contains(workClass)) && skipped > 0) {
        json.name(workClass.label()).value(skipped);
      }
    }
    json.endObject();
  }

  /** A mechanism that is not the kernel's own and mixed nothing. */
  private static boolean isForeign(WorkKey key, Counts counts, ProbePlan plan) {
    return key.mechanism().isPresent()
        && !key.mechanism().equals(Optional.of(plan.mechanism()))
        && counts.total(key).isNone();
  }

  private static void work(
      JsonWriter json, WorkKey key, Optional<Integer> cpu, WorkCounts counts, boolean countsQueued)
      throws IOException {
    boolean balanced = countsQueued && cpu.isEmpty();
    json.beginObject();
    json.name("work_class").value(key.workClass().label());
    JsonFields.text(json, "vector", key.vector().map(vector -> vector.label()));
    JsonFields.text(json, "mechanism", key.mechanism().map(FastPoolMechanism::label));
    JsonFields.number(json, "cpu", cpu.map(Integer::longValue));
    JsonFields.number(
        json, "queued", countsQueued ? Optional.of(counts.queued()) : Optional.empty());
    json.name("started").value(counts.started());
    JsonFields.number(json, "pending", balanced ? Optional.of(counts.pending()) : Optional.empty());
    json.name("flush_barriers").value(counts.flushBarriers());
    json.name("lost").beginObject();
    for (LossReason reason : LossReason.values()) {
      if (counts.lost().count(reason) > 0) {
        json.name(reason.label()).value(counts.lost().count(reason));
      }
    }
    json.endObject();
    json.name("queue_latency");
    HistogramJson.write(json, counts.queueLatency());
    json.name("queue_latency_in").beginObject();
    for (Map.Entry<RunContext, LatencyHistogram> in : counts.queueLatencyIn().entrySet()) {
      json.name(in.getKey().label());
      HistogramJson.write(json, in.getValue());
    }
    json.endObject();
    json.name("activation_latency");
    if (Measurement.of(key.workClass()) == Measurement.WORKQUEUE) {
      HistogramJson.write(json, counts.activationLatency());
    } else {
      json.nullValue();
    }
    json.name("service_time");
    HistogramJson.write(json, counts.serviceTime());
    json.endObject();
  }

  private void functions(JsonWriter json, Counts counts, ProbePlan plan) throws IOException {
    json.name("functions").beginArray();
    for (FunctionKey key : FunctionSelection.inDisplayOrder(counts.functions())) {
      FunctionCounts function = counts.functions().getOrDefault(key, FunctionCounts.NONE);
      if (!shows(key.workClass(), plan) || function.equals(FunctionCounts.NONE)) {
        continue;
      }
      json.beginObject();
      json.name("work_class").value(key.workClass().label());
      json.name("function").value(key.function());
      JsonFields.text(json, "workqueue", key.workqueue());
      json.name("queue_latency");
      HistogramJson.write(json, function.queueLatency());
      json.name("service_time");
      HistogramJson.write(json, function.serviceTime());
      json.endObject();
    }
    json.endArray();
  }

  /** Absent from the output is what could not count anything, so that 0 always means 0. */
  private boolean shows(WorkClass workClass, ProbePlan plan) {
    return (asked.isEmpty() || asked.contains(workClass))
        && plan.measures(Measurement.of(workClass));
  }
}
