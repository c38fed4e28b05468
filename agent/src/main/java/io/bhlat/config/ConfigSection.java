// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Keys with their values. */
public final class ConfigSection {

  private final Path file;
  private final String name;
  private final Map<String, ConfigValue> values;

  private ConfigSection(Path file, String name, Map<String, ConfigValue> values) {
    this.file = file;
    this.name = name;
    this.values = Collections.unmodifiableMap(values);
  }

  static ConfigSection empty(Path file) {
    return new ConfigSection(file, "", Map.of());
  }

  /**
   * The keys of a mapping.
   *
   * @param name the keys that lead to it, joined by dots; empty for a file
   * @throws ConfigException if a key is there twice or is no text
   */
  static ConfigSection of(Path file, String name, MappingNode mapping) {
    Map<String, ConfigValue> values = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Node keyNode = tuple.getKeyNode();
      String where = ConfigFile.at(file, keyNode.getStartMark());
      if (!(keyNode instanceof ScalarNode scalar)) {
        throw new ConfigException(where + ": a key is a text");
      }
      String key = scalar.getValue();
      String full = name.isEmpty() ? key : name + "." + key;
      ConfigValue value = new ConfigValue(file, full, where, tuple.getValueNode());
      if (values.put(key, value) != null) {
        throw new ConfigException(where + ": " + full + " is here twice; leave one");
      }
    }
    return new ConfigSection(file, name, values);
  }

  /** The file that it is in. */
  public Path file() {
    return file;
  }

  /**
   * Says which keys there may be.
   *
   * @return this section
   * @throws ConfigException if there is another; the message lists these
   */
  public ConfigSection allowing(List<String> known) {
    values.forEach(
        (key, value) -> {
          if (!known.contains(key)) {
            throw new ConfigException(
                "%s: unknown key \"%s\"%s; known %s: %s"
                    .formatted(
                        value.keyPosition(),
                        key,
                        name.isEmpty() ? "" : " in " + name,
                        name.isEmpty() ? "are" : "there",
                        String.join(", ", known)));
          }
        });
    return this;
  }

  /** The value of a key; empty if the key is missing or has no value. */
  public Optional<ConfigValue> value(String key) {
    return Optional.ofNullable(values.get(key)).filter(value -> !value.isNothing());
  }

  /** The section of that key; empty if the key is missing or has no value. */
  public Optional<ConfigSection> section(String key) {
    return value(key).map(ConfigValue::section);
  }

  /** All keys with their values, in the order of the file, also those without a value. */
  public Map<String, ConfigValue> values() {
    return values;
  }
}
