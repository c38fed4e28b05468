// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** One value and where it stands. Each way to read it throws a {@link ConfigException}. */
public final class ConfigValue {

  private static final int SHOWN_CHARACTERS = 60;

  private final Path file;
  private final String name;
  private final String keyPosition;
  private final Node node;

  ConfigValue(Path file, String name, String keyPosition, Node node) {
    this.file = file;
    this.name = name;
    this.keyPosition = keyPosition;
    this.node = node;
  }

  /** The keys that lead here, joined by dots. */
  public String name() {
    return name;
  }

  /** File, line and column of the key. */
  public String keyPosition() {
    return keyPosition;
  }

  boolean isNothing() {
    return node.getTag().equals(Tag.NULL);
  }

  /** A text; numbers and truth values as they are written. */
  public String text() {
    if (node instanceof ScalarNode scalar && !isNothing()) {
      return scalar.getValue();
    }
    throw wrong("a text");
  }

  /** A text that is not empty. */
  public String nonEmptyText() {
    String text = text();
    if (text.isEmpty()) {
      throw wrong("a text that is not empty");
    }
    return text;
  }

  /** True or false. */
  public boolean truth() {
    if (node instanceof ScalarNode scalar && node.getTag().equals(Tag.BOOL)) {
      return scalar.getValue().equalsIgnoreCase("true");
    }
    throw wrong("true or false");
  }

  /** A whole number within bounds, both included. */
  public int integer(int least, int most) {
    String expected = "a whole number from %,d to %,d".formatted(least, most);
    if (!(node instanceof ScalarNode scalar) || !node.getTag().equals(Tag.INT)) {
      throw wrong(expected);
    }
    try {
      int number = parse(scalar.getValue());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(expected, e);
    }
    throw wrong(expected);
  }

  /** As YAML 1.2 writes numbers: a leading zero alone means nothing. */
  private static int parse(String text) {
    return switch (text.length() > 2 ? text.substring(0, 2) : "") {
      case "0o" -> Integer.parseInt(text.substring(2), 8);
      case "0x" -> Integer.parseInt(text.substring(2), 16);
      default -> Integer.parseInt(text);
    };
  }

  /** A list. */
  public List<ConfigValue> list() {
    if (node instanceof SequenceNode sequence) {
      List<Node> nodes = sequence.getValue();
      return IntStream.range(0, nodes.size())
          .mapToObj(
              i -> {
                Node item = nodes.get(i);
                return new ConfigValue(
                    file, name + "[" + i + "]", ConfigFile.at(file, item.getStartMark()), item);
              })
          .toList();
    }
    throw wrong("a list, as in [A, B]");
  }

  /** Keys with values. */
  public ConfigSection section() {
    if (node instanceof MappingNode mapping) {
      return ConfigSection.of(file, name, mapping);
    }
    throw wrong("keys with values below it");
  }

  /** A path, relative to the folder of the file. */
  public Path path() {
    String text = nonEmptyText();
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? Path.of(text) : folder.resolve(text);
  }

  /** A mistake in this value, to be thrown. */
  public ConfigException wrong(String expected) {
    return new ConfigException(wrongText(expected));
  }

  /** A mistake in this value that something else found. */
  public ConfigException wrong(String expected, Throwable cause) {
    return new ConfigException(wrongText(expected), cause);
  }

  private String wrongText(String expected) {
    return "%s: %s: expected %s, not %s".formatted(position(), name, expected, shown());
  }

  /** Something else to say about this value; the position goes before it. */
  public ConfigException refused(String reason) {
    return new ConfigException(position() + ": " + name + ": " + reason);
  }

  /** File, line and column. */
  public String position() {
    return ConfigFile.at(file, node.getStartMark());
  }

  private String shown() {
    if (isNothing()) {
      return "nothing";
    }
    if (node instanceof ScalarNode scalar) {
      String text = scalar.getValue();
      return "\""
          + (text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text)
          + "\"";
    }
    return node instanceof SequenceNode ? "a list" : "keys with values";
  }
}
