// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.IllegalBCryptFormatException;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import io.bhlat.config.ConfigSection;
import io.bhlat.config.ConfigValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code basic_auth_users}, and checks passwords against it. */
final class WebUsers {

  /** A check of cost 10 takes 0.1 s, each step doubles it: 16 is 6 s. */
  private static final int MAX_COST = 16;

  private WebUsers() {}

  /**
   * A user's password.
   *
   * @param hash as it is in the file
   */
  record User(String hash) {

    private BCrypt.HashData parsed() throws IllegalBCryptFormatException {
      return BCrypt.Version.VERSION_2A.parser.parse(hash.getBytes(StandardCharsets.US_ASCII));
    }

    int cost() {
      return Integer.parseInt(hash.substring(4, 6));
    }

    /** Takes as long as the cost says. */
    boolean verify(byte[] password) {
      try {
        BCrypt.HashData data = parsed();
        return BCrypt.verifyer(data.version, LongPasswordStrategies.truncate(data.version))
            .verify(password, data)
            .verified;
      } catch (IllegalBCryptFormatException e) {
        throw new IllegalStateException("a hash that was checked when it was read", e);
      }
    }
  }

  /** The users of a section; all keys are names. */
  static Map<String, User> read(ConfigSection section) {
    Map<String, User> users = new LinkedHashMap<>();
    section
        .values()
        .forEach(
            (name, value) -> {
              if (name.isEmpty() || name.contains(":")) {
                throw value.refused("a user's name is not empty and has no colon");
              }
              users.put(name, user(value));
            });
    return users;
  }

  private static User user(ConfigValue value) {
    String expected = "a bcrypt hash, as `htpasswd -nBC 10 \"\"` prints it (after its colon)";
    User user = new User(value.text());
    try {
      user.parsed();
    } catch (IllegalBCryptFormatException | RuntimeException e) {
      // The value may be a password: it is not shown.
      throw value.refused("expected " + expected);
    }
    if (user.cost() > MAX_COST) {
      throw value.refused(
          "a cost of " + user.cost() + " takes too long to check; at most " + MAX_COST);
    }
    return user;
  }
}
