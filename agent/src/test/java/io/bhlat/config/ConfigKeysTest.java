// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of keys in docs/CONFIGURATION.md is the code's. */
class ConfigKeysTest {

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z_.]+)` \\|", Pattern.MULTILINE);

  @Test
  void theDocumentNamesExactlyTheKeysInOrder() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "CONFIGURATION.md"));
    String section =
        document.substring(
            document.indexOf("## Configuration file"), document.indexOf("## Web file"));
    List<String> keys =
        AgentConfigReader.KEYS.entrySet().stream()
            .flatMap(
                entry ->
                    entry.getValue().isEmpty()
                        ? Stream.of(entry.getKey())
                        : entry.getValue().stream().map(key -> entry.getKey() + "." + key))
            .toList();

    assertThat(ROW.matcher(section).results().map(row -> row.group(1)))
        .containsExactlyElementsOf(keys);
  }
}
