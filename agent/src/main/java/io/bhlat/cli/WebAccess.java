// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.config.AgentConfig;
import io.bhlat.web.WebConfigFile;
import io.bhlat.web.WebSecurity;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How {@code serve} lets clients in: by a file, or everybody in the clear.
 *
 * @param file what {@code --web.config.file} or the configuration names
 */
record WebAccess(Optional<WebConfigFile> file) implements AutoCloseable {

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

  /** What addresses begin with. */
  String scheme() {
    return file.filter(WebConfigFile::isTls).isPresent() ? "https" : "http";
  }

  @Override
  public void close() {
    file.ifPresent(WebConfigFile::close);
  }
}
