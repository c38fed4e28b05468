// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.web.ListenAddress;
import io.bhlat.web.WebConfigFile;
import io.bhlat.web.WebSecurity;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How {@code serve} lets clients in: by a file, or everybody in the clear.
 *
 * @param file what {@code --web.config.file} or the configuration names
 */
record WebAccess(Optional<WebConfigFile> file) implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WebAccess.class);

  /**
   * Reads the file, if there is one.
   *
   * @param flag the file of the flag, which wins
   * @throws io.bhlat.config.ConfigException if it cannot be used
   */
  static WebAccess of(@Nullable Path flag, AgentConfig config) {
    return new WebAccess(
        Optional.ofNullable(flag).or(config::webConfigFile).map(WebConfigFile::load));
  }

  WebSecurity security() {
    return file.<WebSecurity>map(f -> f).orElse(WebSecurity.NONE);
  }

  /**
   * The address that the configuration names.
   *
   * @throws io.bhlat.config.ConfigException if it is none
   */
  static Optional<ListenAddress> address(AgentConfig config) {
    return config
        .listenAddress()
        .map(
            value -> {
              try {
                return ListenAddress.parse(value.text());
              } catch (IllegalArgumentException e) {
                throw value.wrong(
                    "HOST:PORT, such as 127.0.0.1:9971, or :9971 for all addresses", e);
              }
            });
  }

  /** Logs what works otherwise than the file may expect. */
  void warn() {
    file.ifPresent(f -> f.warnings().forEach(log::warn));
  }

  /** What addresses begin with. */
  String scheme() {
    return file.filter(WebConfigFile::isTls).isPresent() ? "https" : "http";
  }

  @Override
  public void close() {
    file.ifPresent(WebConfigFile::close);
  }
}
