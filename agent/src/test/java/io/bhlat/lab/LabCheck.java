// SPDX-License-Identifier: Apache-2.0
package io.bhlat.lab;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * What {@code bhlat check --json} said.
 *
 * @param json its object
 */
record LabCheck(JsonObject json) {

  static LabCheck of(LabGuest outcome) {
    return new LabCheck(outcome.json());
  }

  /** How far a measurement is served: attached, partial, missing. */
  String state(String measurement) {
    return measurement(measurement).get("state").getAsString();
  }

  /** The kind and target of each probe that is attached for a measurement. */
  List<String> attached(String measurement) {
    return StreamSupport.stream(
            measurement(measurement).getAsJsonArray("probes").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .filter(probe -> probe.get("attached").getAsBoolean())
        .map(probe -> probe.get("kind").getAsString() + " " + probe.get("target").getAsString())
        .toList();
  }

  /** What is less exact, or missing and why. */
  List<String> notes(String measurement) {
    return texts(measurement(measurement), "notes");
  }

  List<String> missingCapabilities() {
    return texts(json, "missing_capabilities");
  }

  String text(String member) {
    return json.get(member).getAsString();
  }

  private static List<String> texts(JsonObject object, String member) {
    return StreamSupport.stream(object.getAsJsonArray(member).spliterator(), false)
        .map(JsonElement::getAsString)
        .toList();
  }

  private JsonObject measurement(String name) {
    return StreamSupport.stream(json.getAsJsonArray("probes").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .filter(planned -> planned.get("measurement").getAsString().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + json));
  }
}
