// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML files. */
public final class ConfigFile {

  private static final int MAX_CHARACTERS = 1 << 20;

  private ConfigFile() {}

  /**
   * Reads a whole file; an empty one is a section without keys.
   *
   * @throws ConfigException if it cannot be read, is no YAML, or is no mapping of keys to values
   */
  public static ConfigSection read(Path file) {
    return parse(file, text(file));
  }

  /**
   * Reads a text file that a configuration names, or is one.
   *
   * @throws ConfigException if it cannot be read
   */
  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException("read " + file + ": ENOENT; there is no such file", e);
    } catch (AccessDeniedException e) {
      throw new ConfigException(
          "read " + file + ": EACCES; let the user that bhlat runs as read it", e);
    } catch (CharacterCodingException e) {
      throw new ConfigException("read " + file + ": it is not UTF-8", e);
    } catch (IOException e) {
      throw new ConfigException("read " + file + ": " + e.getMessage(), e);
    }
  }

  private static ConfigSection parse(Path file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file.toString())
            .setSchema(new CoreSchema())
            .setCodePointLimit(MAX_CHARACTERS)
            .build();
    Optional<Node> root;
    try {
      root = new Compose(settings).composeString(text);
    } catch (MarkedYamlEngineException e) {
      throw new ConfigException(
          at(file, e.getProblemMark()) + ": no YAML: " + String.valueOf(e.getProblem()), e);
    } catch (YamlEngineException e) {
      throw new ConfigException(file + ": no YAML: " + e.getMessage(), e);
    } catch (StackOverflowError e) { // The parser calls itself for each level.
      throw new ConfigException(file + ": nested too deeply to be settings", e);
    }
    if (root.isEmpty() || root.get().getTag().equals(Tag.NULL)) {
      return ConfigSection.empty(file);
    }
    if (root.get() instanceof MappingNode mapping) {
      return ConfigSection.of(file, "", mapping);
    }
    throw new ConfigException(
        at(file, root.get().getStartMark()) + ": expected keys with values, as in KEY: VALUE");
  }

  /** Lines and columns count from 1 for people. */
  static String at(Path file, Optional<Mark> mark) {
    return mark.map(m -> file + ":" + (m.getLine() + 1) + ":" + (m.getColumn() + 1))
        .orElse(file.toString());
  }
}
