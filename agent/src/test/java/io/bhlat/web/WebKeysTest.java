// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of keys and that of bounds in docs/CONFIGURATION.md are the code's. */
class WebKeysTest {

  private static final Pattern ROW = Pattern.compile("^\\| (`[a-z].*?) \\|", Pattern.MULTILINE);
  private static final Pattern KEY = Pattern.compile("`([a-z0-9_.]+)`");

  private static String document() throws IOException {
    return Files.readString(Path.of("..", "docs", "CONFIGURATION.md"));
  }

  @Test
  void theDocumentNamesExactlyTheKeys() throws IOException {
    String document = document();
    String section =
        document.substring(document.indexOf("## Web file"), document.indexOf("### Changes"));
    Set<String> documented = new TreeSet<>();
    ROW.matcher(section)
        .results()
        .flatMap(row -> KEY.matcher(row.group(1)).results())
        .forEach(key -> documented.add(key.group(1)));

    Set<String> keys = new TreeSet<>();
    TlsReader.KEYS.forEach(key -> keys.add("tls_server_config." + key));
    WebConfigReader.HTTP_KEYS.forEach(key -> keys.add("http_server_config." + key));
    keys.add("basic_auth_users");
    keys.add("rate_limit");
    assertThat(documented).isEqualTo(keys);
    assertThat(section)
        .contains(WebConfigReader.HEADERS.keySet().stream().map(name -> "`" + name + "`").toList());
  }

  @Test
  void theDocumentNamesTheBounds() throws IOException {
    Limits limits = Limits.ofDaemon();

    assertThat(document())
        .contains(
            "| connections | %d |".formatted(limits.maxConnections()),
            "| request line and headers | %,d bytes |".formatted(limits.maxHeadBytes()),
            "included | %d s |".formatted(limits.headTime().toSeconds()),
            "| idle connection | %d s |".formatted(limits.idleTime().toSeconds()),
            "| %d s, and 1 s for each %d KB |"
                .formatted(
                    limits.responseTime().toSeconds(), Limits.RESPONSE_BYTES_PER_SECOND / 1024),
            "| requests that wait | %d |".formatted(limits.maxWaiting()));
  }
}
