// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users with real bcrypt hashes, over real connections. */
@Timeout(120)
class BasicAuthTest {

  private static final int COST = 8;

  @TempDir Path folder;

  private static String hash(String password, int cost) {
    return BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(cost, password.toCharArray());
  }

  private static String users(String name, String password, int cost) {
    return "basic_auth_users:\n  " + name + ": " + hash(password, cost) + "\n";
  }

  @Test
  void letsInUsersAndTellsOthersNothingButWhatToDo() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "pässword", COST))) {
      assertThat(host.as("lab:pässword").body()).isEqualTo("page\n");
      for (String wrong : List.of("lab:password", "lab:", "other:pässword", "lab", ":")) {
        HttpResponse<String> refused = host.as(wrong);
        assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
            .startsWith("Basic ");
        assertThat(refused.body()).startsWith("Unauthorized; send the name and password");
      }
      try (RawClient nobody = new RawClient(host.port())) {
        // Before the path is looked at: what exists here is not told.
        assertThat(nobody.get("/nothing").readAll()).startsWith("HTTP/1.1 401 ");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"$2a$", "$2b$", "$2y$"})
  void takesHashesOfEveryPrefixInUse(String prefix) throws Exception {
    String hash = hash("secret", 5).replace("$2y$", prefix);
    try (WebConfigHost host = new WebConfigHost(folder, "basic_auth_users:\n  u: " + hash)) {
      assertThat(host.as("u:secret").statusCode()).isEqualTo(200);
      assertThat(host.as("u:Secret").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void asksBcryptOnceForTheSameCredentialsAndAgainAfterAChange() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "one", COST))) {
      assertThat(host.as("lab:one").statusCode()).isEqualTo(200);
      assertThat(host.as("lab:wrong").statusCode()).isEqualTo(401);
      assertThat(host.config.verifiedCount()).isEqualTo(1);

      Files.writeString(host.file, users("lab", "two", COST));
      Thread.sleep(1_100);
      assertThat(host.as("lab:one").statusCode()).isEqualTo(401);
      assertThat(host.config.verifiedCount()).isZero();
      assertThat(host.as("lab:two").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void keepsTheLastGoodUsersWhileTheFileIsBroken() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "one", COST))) {
      Files.writeString(host.file, "basic_auth_users: [nonsense\n");
      Thread.sleep(1_100);
      assertThat(host.as("lab:one").statusCode()).isEqualTo(200);
      Files.delete(host.file);
      Thread.sleep(1_100);
      assertThat(host.as("lab:one").statusCode()).isEqualTo(200);
      Files.writeString(host.file, users("lab", "three", COST));
      Thread.sleep(1_100);
      assertThat(host.as("lab:three").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aFloodOfWrongPasswordsKeepsNoVerifiedClientWaiting() throws Exception {
    List<RawClient> flood = new ArrayList<>();
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "right", 11))) {
      assertThat(host.as("lab:right").statusCode()).isEqualTo(200);
      for (int i = 0; i < 100; i++) {
        flood.add(ask(host, "lab:wrong" + i));
      }
      long startNs = System.nanoTime();
      assertThat(host.as("lab:right").statusCode()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(2));
      // One is checked and 32 wait; the rest was told at once to come back.
      assertThat(flood.get(99).readAll())
          .startsWith("HTTP/1.1 503 ")
          .contains("Retry-After: 1", "Too many passwords");
      assertThat(ProcessThreads.named("http-password")).isEqualTo(1);
    } finally {
      for (RawClient client : flood) {
        client.close();
      }
    }
  }

  @Test
  void aHundredAtOnceWithTheSameCredentialsAreCheckedTogether() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "right", 10))) {
      for (int i = 0; i < 100; i++) {
        clients.add(ask(host, "lab:right"));
      }
      for (RawClient client : clients) {
        assertThat(client.readAll()).startsWith("HTTP/1.1 200 ");
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private static RawClient ask(WebConfigHost host, String credentials) throws IOException {
    return new RawClient(host.port())
        .send(
            "GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: "
                + WebConfigHost.basic(credentials)
                + "\r\n\r\n");
  }

  @Test
  void unknownUsersTakeAsLongAsKnownOnes() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, users("lab", "right", 11))) {
      host.as("lab:warm");
      long knownNs = quickest(host, "lab:wrong");
      long unknownNs = quickest(host, "nobody:wrong");
      assertThat((double) unknownNs / knownNs).isBetween(0.6, 1.7);
    }
  }

  private static long quickest(WebConfigHost host, String credentials) throws Exception {
    long quickestNs = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long startNs = System.nanoTime();
      assertThat(host.as(credentials).statusCode()).isEqualTo(401);
      quickestNs = Math.min(quickestNs, System.nanoTime() - startNs);
    }
    return quickestNs;
  }

  @Test
  void addsTheConfiguredHeadersToEveryAnswer() throws Exception {
    String yaml =
        users("lab", "right", COST)
            + "http_server_config:\n  headers:\n    X-Frame-Options: deny\n"
            + "    Content-Security-Policy: \"default-src 'none'\"\n";
    try (WebConfigHost host = new WebConfigHost(folder, yaml)) {
      for (String credentials : List.of("lab:right", "lab:wrong")) {
        assertThat(host.as(credentials).headers().map())
            .containsEntry("x-frame-options", List.of("deny"))
            .containsEntry("content-security-policy", List.of("default-src 'none'"));
      }
    }
  }
}
