// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of daemons that do not give what they are asked for. */
final class DaemonClientTest {

  private final AtomicReference<String> asked = new AtomicReference<>("");
  private final AtomicReference<Optional<String>> authorization =
      new AtomicReference<>(Optional.empty());
  private HttpServer server = server();
  private int status = 200;
  private String body = "a recording";

  @TempDir Path folder;

  private static HttpServer server() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          asked.set(exchange.getRequestURI().toString());
          authorization.set(
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private DaemonClient client(Optional<Path> credentials) {
    return DaemonClient.of(url(), Optional.empty(), credentials);
  }

  @Test
  void asksForWhatIsWanted() throws IOException {
    try (var in = client(Optional.empty()).recording(Optional.of(Duration.ofMinutes(5)))) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("a recording");
    }
    assertThat(asked).hasValue("/recording?since=300000ms");
    assertThat(authorization.get()).isEmpty();
    DaemonClient.of(url() + "/", Optional.empty(), Optional.empty())
        .recording(Optional.empty())
        .close();
    assertThat(asked).hasValue("/recording");
  }

  @Test
  void givesTheCredentialsOfAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("credentials"), "lab:säcret\nmore\n");
    client(Optional.of(file)).recording(Optional.empty()).close();
    assertThat(authorization.get()).contains("Basic bGFiOnPDpGNyZXQ=");
    status = 401;
    assertThatThrownBy(() -> client(Optional.of(file)).recording(Optional.empty()))
        .hasMessageContaining("it does not accept these credentials")
        .hasMessageNotContaining("säcret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | Unauthorized | it wants credentials; give them by --daemon-credentials or BHLAT_",
        "403 | use --web.expose-recording | use --web.expose-recording",
        "404 | Not found | it has no recordings; it is no bhlat, or one that is older than this",
        "404 | no recording is kept: off | no recording is kept: off",
        "503 | busy | HTTP 503 busy",
        "302 | elsewhere | HTTP 302",
      })
  void saysWhyItIsRefused(int code, String text, String message) {
    status = code;
    body = text;
    assertThatThrownBy(() -> client(Optional.empty()).recording(Optional.empty()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("ask the daemon at " + url() + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void saysThatThereIsNoDaemon() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    DaemonClient nobody =
        DaemonClient.of("http://127.0.0.1:" + port, Optional.empty(), Optional.empty());
    assertThatThrownBy(() -> nobody.recording(Optional.empty()))
        .hasMessageContaining(
            "none is there; start one with `bhlat serve`, or measure without --from-daemon");
  }

  @Test
  void trustsTheCertificatesOfAFile() throws Exception {
    Path keys = folder.resolve("keys.p12");
    Path certificate = folder.resolve("ca.pem");
    keytool(keys, "-genkeypair", "-keyalg", "EC", "-dname", "CN=test", "-ext", "san=ip:127.0.0.1");
    keytool(keys, "-exportcert", "-rfc", "-file", certificate.toString());
    HttpsServer https = https(keys);
    try {
      String url = "https://127.0.0.1:" + https.getAddress().getPort();
      DaemonClient.of(url, Optional.of(certificate), Optional.empty())
          .recording(Optional.empty())
          .close();
      DaemonClient distrustful = DaemonClient.of(url, Optional.empty(), Optional.empty());
      assertThatThrownBy(() -> distrustful.recording(Optional.empty()))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("name the certificates to trust by --daemon-ca");
    } finally {
      https.stop(0);
    }
  }

  private static void keytool(Path keys, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", keys.toString(), "-storepass", "changeit", "-alias", "test"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static HttpsServer https(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), "changeit".toCharArray());
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, "changeit".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(context));
    https.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    https.start();
    return https;
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:9971", "ftp://host", "http://", "http://host?x", "not a url"})
  void refusesWhatIsNoAddress(String url) {
    assertThatThrownBy(() -> DaemonClient.of(url, Optional.empty(), Optional.empty()))
        .hasMessageContaining("is no address of a daemon");
  }

  @Test
  void takesNoCredentialsFromTheCommandLine() {
    assertThatThrownBy(
            () -> DaemonClient.of("http://u:secret@host", Optional.empty(), Optional.empty()))
        .hasMessageContaining("--daemon-credentials")
        .hasMessageNotContaining("secret@");
  }

  @Test
  void saysWhatIsWrongWithFiles() throws IOException {
    Path none = folder.resolve("none");
    Path wrong = Files.writeString(folder.resolve("wrong"), "no colon\n");
    assertThatThrownBy(() -> client(Optional.of(none))).hasMessageContaining("ENOENT");
    assertThatThrownBy(() -> client(Optional.of(wrong))).hasMessageContaining("USER:PASSWORD");
    assertThatThrownBy(() -> DaemonClient.of(url(), Optional.of(wrong), Optional.empty()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("certificate");
  }
}
