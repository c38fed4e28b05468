// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.web.WebUsers.User;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lets the users of one configuration in. Passwords that were not verified before are checked by an
 * executor of few threads: however many wrong ones come, those who are known are not kept waiting.
 * Thread-safe.
 */
final class BasicAuth {

  private static final String SCHEME = "basic ";
  private static final Response WHO_ARE_YOU =
      Response.text(
              401,
              "Unauthorized; send the name and password of a user in basic_auth_users of bhlat's"
                  + " --web.config.file.\n")
          .with("WWW-Authenticate", "Basic realm=\"bhlat\", charset=\"UTF-8\"");
  private static final Response BUSY =
      Response.busy("Too many passwords are being checked; try again in a second.\n");

  private final Map<String, User> users;
  private final Executor checks;
  private final VerifiedCredentials verified = new VerifiedCredentials();
  private final Map<ByteBuffer, CompletableFuture<Optional<Response>>> underway =
      new ConcurrentHashMap<>();

  BasicAuth(Map<String, User> users, Executor checks) {
    this.users = Map.copyOf(users);
    this.checks = checks;
  }

  /** A name and a password. */
  private static final class Credentials {
    private final String name;
    private final byte[] password;

    private Credentials(String name, byte[] password) {
      this.name = name;
      this.password = password;
    }

    static Optional<Credentials> of(String header) {
      if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        return Optional.empty();
      }
      byte[] decoded;
      try {
        decoded = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
      for (int i = 0; i < decoded.length; i++) {
        if (decoded[i] == ':') {
          return Optional.of(
              new Credentials(
                  new String(decoded, 0, i, StandardCharsets.UTF_8),
                  Arrays.copyOfRange(decoded, i + 1, decoded.length)));
        }
      }
      return Optional.empty();
    }
  }

  /** Empty for those who may come in, or what they are told, perhaps later. */
  CompletableFuture<Optional<Response>> refusal(Request request) {
    if (users.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return request
        .header("Authorization")
        .flatMap(Credentials::of)
        .map(this::check)
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.of(WHO_ARE_YOU)));
  }

  private CompletableFuture<Optional<Response>> check(Credentials credentials) {
    User user = users.get(credentials.name);
    // Whom nobody knows is checked too, against the costliest hash: time tells no names.
    User checked = user == null ? costliest() : user;
    ByteBuffer digest = verified.digest(credentials.name, checked, credentials.password);
    if (verified.contains(digest)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    CompletableFuture<Optional<Response>> mine = new CompletableFuture<>();
    CompletableFuture<Optional<Response>> other = underway.putIfAbsent(digest, mine);
    if (other != null) {
      return other;
    }
    try {
      checks.execute(
          () -> {
            boolean right = checked.verify(credentials.password) && user != null;
            if (right) {
              verified.add(digest);
            }
            underway.remove(digest);
            mine.complete(right ? Optional.empty() : Optional.of(WHO_ARE_YOU));
          });
    } catch (RejectedExecutionException e) {
      underway.remove(digest);
      mine.complete(Optional.of(BUSY));
    }
    return mine;
  }

  private User costliest() {
    return users.values().stream().max(Comparator.comparingInt(User::cost)).orElseThrow();
  }

  /** How many credentials need no check. */
  int verifiedCount() {
    return verified.size();
  }
}
