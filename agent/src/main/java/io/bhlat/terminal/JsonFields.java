// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Fields of JSON objects that may be null or lists; the writer must serialise nulls. */
final class JsonFields {

  private JsonFields() {}

  /** A string, null when absent. */
  static void text(JsonWriter json, String name, Optional<String> value) throws IOException {
    json.name(name);
    if (value.isPresent()) {
      json.value(value.get());
    } else {
      json.nullValue();
    }
  }

  /** A whole number, null when absent. */
  static void number(JsonWriter json, String name, Optional<? extends Number> value)
      throws IOException {
    json.name(name);
    if (value.isPresent()) {
      json.value(value.get().longValue());
    } else {
      json.nullValue();
    }
  }

  /** A list of strings. */
  static void texts(JsonWriter json, String name, List<String> values) throws IOException {
    json.name(name).beginArray();
    for (String value : values) {
      json.value(value);
    }
    json.endArray();
  }

  /** The name of a constant as JSON has it. */
  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
