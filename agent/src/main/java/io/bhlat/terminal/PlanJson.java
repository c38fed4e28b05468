// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import java.io.IOException;

/** A plan as a JSON array of measurements with their probes; docs/JSON.md describes it. */
final class PlanJson {

  private PlanJson() {}

  static void write(JsonWriter json, ProbePlan plan) throws IOException {
    json.beginArray();
    for (Planned planned : plan.measurements()) {
      json.beginObject();
      json.name("measurement").value(planned.measurement().label());
      json.name("state").value(JsonFields.label(planned.state()));
      json.name("counts_queued").value(planned.countsQueued());
      JsonFields.texts(json, "notes", planned.notes());
      json.name("probes").beginArray();
      for (ProbeStatus status : planned.probes()) {
        probe(json, status);
      }
      json.endArray();
      json.endObject();
    }
    json.endArray();
  }

  private static void probe(JsonWriter json, ProbeStatus status) throws IOException {
    json.beginObject();
    json.name("kind").value(status.probe().kind().label());
    json.name("target").value(status.probe().target());
    json.name("program").value(status.probe().program());
    json.name("attached").value(status.attached());
    JsonFields.text(json, "failure", status.failure());
    json.endObject();
  }
}
