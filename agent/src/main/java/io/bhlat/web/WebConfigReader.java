// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.config.ConfigException;
import io.bhlat.config.ConfigFile;
import io.bhlat.config.ConfigSection;
import io.bhlat.config.ConfigValue;
import io.bhlat.web.WebUsers.User;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a file in the format of exporter-toolkit. */
final class WebConfigReader {

  static final List<String> KEYS =
      List.of("tls_server_config", "http_server_config", "basic_auth_users", "rate_limit");

  static final List<String> HTTP_KEYS = List.of("http2", "headers");

  /** The headers that may be set, with the values that they may have; any where there are none. */
  static final Map<String, List<String>> HEADERS =
      Map.of(
          "Content-Security-Policy", List.of(),
          "X-Frame-Options", List.of("deny", "sameorigin"),
          "X-Content-Type-Options", List.of("nosniff"),
          "X-XSS-Protection", List.of(),
          "Strict-Transport-Security", List.of());

  private WebConfigReader() {}

  /**
   * Reads the file and what it names.
   *
   * @throws ConfigException if it cannot be served as it is written
   */
  static WebConfig read(Path file) {
    ConfigSection root = ConfigFile.read(file).allowing(KEYS);
    root.value("rate_limit")
        .ifPresent(
            value -> {
              throw value.refused(
                  "is not served: bhlat bounds connections and work by itself; remove it");
            });
    List<Path> files = new ArrayList<>(List.of(file));
    List<String> warnings = new ArrayList<>();
    Optional<Tls> tls =
        root.section("tls_server_config")
            .filter(section -> !section.values().isEmpty())
            .map(
                section -> {
                  TlsReader reader = new TlsReader(section);
                  Tls read = reader.read();
                  files.addAll(reader.files());
                  warnings.addAll(reader.warnings());
                  return read;
                });
    Map<String, User> users = root.section("basic_auth_users").map(WebUsers::read).orElse(Map.of());
    if (!users.isEmpty() && tls.isEmpty()) {
      warnings.add(
          file
              + ": basic_auth_users without tls_server_config: passwords cross the network in the"
              + " clear");
    }
    Map<String, String> headers =
        root.section("http_server_config").map(section -> http(section, warnings)).orElse(Map.of());
    return new WebConfig(tls, users, headers, files, warnings);
  }

  private static Map<String, String> http(ConfigSection section, List<String> warnings) {
    section.allowing(HTTP_KEYS);
    section
        .value("http2")
        .filter(ConfigValue::truth)
        .ifPresent(
            value ->
                warnings.add(
                    value.position()
                        + ": bhlat serves HTTP/1.1 only; http2: true changes nothing"));
    Map<String, String> headers = new LinkedHashMap<>();
    section
        .section("headers")
        .map(s -> s.allowing(HEADERS.keySet().stream().sorted().toList()).values())
        .orElse(Map.of())
        .forEach((name, value) -> headers.put(name, header(name, value)));
    return headers;
  }

  private static String header(String name, ConfigValue value) {
    String text = value.nonEmptyText();
    List<String> allowed = HEADERS.getOrDefault(name, List.of());
    if (!allowed.isEmpty() && !allowed.contains(text)) {
      throw value.wrong(String.join(" or ", allowed));
    }
    if (text.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw value.wrong("one line of printable ASCII");
    }
    return text;
  }
}
