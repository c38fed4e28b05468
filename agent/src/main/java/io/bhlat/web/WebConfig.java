// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.web.WebUsers.User;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a file of {@code --web.config.file} says, with what it names read.
 *
 * @param tls how to speak TLS; empty: in the clear
 * @param users who may ask, by name; empty: everybody
 * @param headers added to every answer
 * @param files that it was read from, itself among them
 * @param warnings what works otherwise than the file may expect, in whole sentences
 */
record WebConfig(
    Optional<Tls> tls,
    Map<String, User> users,
    Map<String, String> headers,
    List<Path> files,
    List<String> warnings) {

  WebConfig {
    users = Map.copyOf(users);
    headers = Map.copyOf(headers);
    files = List.copyOf(files);
    warnings = List.copyOf(warnings);
  }
}
