// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.model.CallCounts;
import io.bhlat.model.InterruptCalls;
import io.bhlat.model.InterruptKey;
import io.bhlat.model.QueueCallKey;
import io.bhlat.model.WorkClass;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The calls of the functions that queue as JSON objects; docs/JSON.md describes them. */
final class CallsJson {

  private CallsJson() {}

  /** Writes the fields {@code interrupt_randomness} and {@code queue_work_on}. */
  static void write(JsonWriter json, CallCounts calls, Set<WorkClass> asked, ProbePlan plan)
      throws IOException {
    json.name("interrupt_randomness");
    if (shows(Measurement.INTERRUPT_RANDOMNESS, asked, plan)) {
      randomness(json, calls, plan.probesFunctions(Measurement.INTERRUPT_RANDOMNESS));
    } else {
      json.nullValue();
    }
    json.name("queue_work_on");
    if (shows(Measurement.QUEUE_WORK_ON, asked, plan)) {
      queueWorkOn(json, calls);
    } else {
      json.nullValue();
    }
  }

  private static boolean shows(Measurement measurement, Set<WorkClass> asked, ProbePlan plan) {
    return (asked.isEmpty() || asked.stream().anyMatch(measurement::concerns))
        && plan.measures(measurement);
  }

  private static void randomness(JsonWriter json, CallCounts calls, boolean seesMixings)
      throws IOException {
    InterruptCalls total = calls.totalInterrupts();
    json.beginObject();
    json.name("calls").value(total.calls());
    JsonFields.number(
        json, "mixings", seesMixings ? Optional.of(total.mixings()) : Optional.empty());
    json.name("time_in_interrupt");
    if (seesMixings) {
      HistogramJson.write(json, calls.totalTimeInInterrupt());
    } else {
      json.nullValue();
    }
    json.name("interrupts").beginArray();
    for (Map.Entry<InterruptKey, InterruptCalls> entry : calls.interrupts().entrySet()) {
      InterruptKey key = entry.getKey();
      json.beginObject();
      JsonFields.number(
          json, "irq", key.irq() == InterruptKey.OTHER ? Optional.empty() : Optional.of(key.irq()));
      json.name("device").value(key.device());
      json.name("cpu").value(key.cpu());
      json.name("calls").value(entry.getValue().calls());
      JsonFields.number(
          json,
          "mixings",
          seesMixings ? Optional.of(entry.getValue().mixings()) : Optional.empty());
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  private static void queueWorkOn(JsonWriter json, CallCounts calls) throws IOException {
    json.beginArray();
    for (Map.Entry<QueueCallKey, Long> entry : calls.queueWorkOn().entrySet()) {
      QueueCallKey key = entry.getKey();
      json.beginObject();
      json.name("cpu").value(key.cpu());
      JsonFields.number(
          json,
          "requested_cpu",
          key.requested() < 0 ? Optional.empty() : Optional.of(key.requested()));
      json.name("request").value(key.request().label());
      json.name("result").value(QueueCallKey.resultLabel(key.queued()));
      json.name("calls").value(entry.getValue());
      json.endObject();
    }
    json.endArray();
  }
}
