// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real TLS with certificates that OpenSSL makes, and clients that stall in it. */
@Timeout(120)
class TlsTest {

  private static final String PLAIN_TLS =
      "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";

  @TempDir Path folder;
  private TestCertificates certificates;

  @BeforeEach
  void makeCertificates() {
    certificates = new TestCertificates(folder).selfSigned("server", "server");
  }

  @Test
  void servesTlsAndTellsOthersToUseIt() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, PLAIN_TLS)) {
      assertThat(host.by(certificates.trusting("server")).body()).isEqualTo("page\n");
      try (RawClient plain = new RawClient(host.port())) {
        assertThat(plain.get("/page").readAll())
            .startsWith("HTTP/1.1 400 ")
            .contains("This port speaks TLS; use https.");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out k.key",
        "genrsa -traditional -out k.key 2048",
        "ecparam -name secp384r1 -genkey -out k.key",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k.key",
        "genpkey -algorithm ed25519 -out k.key"
      })
  void readsTheKeysThatOpensslMakes(String command) throws Exception {
    certificates
        .openssl(command)
        .openssl(
            "req -x509 -key k.key -days 1 -subj /CN=x -addext subjectAltName=DNS:localhost -out"
                + " k.crt");
    String yaml = "tls_server_config:\n  cert_file: k.crt\n  key_file: k.key\n";
    try (WebConfigHost host = new WebConfigHost(folder, yaml)) {
      assertThat(host.by(certificates.trusting("k")).body()).isEqualTo("page\n");
    }
  }

  @Test
  void takesTheNewCertificateWithoutARestart() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, PLAIN_TLS)) {
      certificates.selfSigned("next", "next");
      assertThatThrownBy(() -> host.by(certificates.trusting("next")))
          .isInstanceOf(IOException.class);
      replace("next.crt", "server.crt");
      replace("next.key", "server.key");
      Files.copy(folder.resolve("server.crt"), folder.resolve("next.crt"));
      Thread.sleep(1_100);
      assertThat(host.by(certificates.trusting("next")).body()).isEqualTo("page\n");
    }
  }

  private void replace(String from, String to) throws IOException {
    Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void keepsTheLastGoodCertificateWhileTheFilesAreBroken() throws Exception {
    try (WebConfigHost host = new WebConfigHost(folder, PLAIN_TLS)) {
      Files.copy(folder.resolve("server.crt"), folder.resolve("old.crt"));
      Files.writeString(folder.resolve("server.crt"), "rubbish");
      Thread.sleep(1_100);
      SSLContext old = certificates.trusting("old");
      assertThat(host.by(old).body()).isEqualTo("page\n");
      certificates.selfSigned("server", "renewed");
      Thread.sleep(1_100);
      assertThat(host.by(certificates.trusting("server")).body()).isEqualTo("page\n");
    }
  }

  @Test
  void letsInOnlyClientsThatTheAuthoritySigned() throws Exception {
    certificates
        .selfSigned("ca", "ca")
        .selfSigned("other", "other")
        .client("friend", "ca")
        .client("stranger", "other");
    String yaml =
        PLAIN_TLS + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n";
    try (WebConfigHost host = new WebConfigHost(folder, yaml)) {
      assertThat(host.by(certificates.trusting("server", "friend")).body()).isEqualTo("page\n");
      assertThatThrownBy(() -> host.by(certificates.trusting("server", "stranger")))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> host.by(certificates.trusting("server")))
          .isInstanceOf(IOException.class);
      Files.copy(
          folder.resolve("other.crt"),
          folder.resolve("ca.crt"),
          StandardCopyOption.REPLACE_EXISTING);
      Thread.sleep(1_100);
      assertThat(host.by(certificates.trusting("server", "stranger")).body()).isEqualTo("page\n");
      assertThatThrownBy(() -> host.by(certificates.trusting("server", "friend")))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void speaksOnlyTheVersionsAndSuitesThatAreConfigured() throws Exception {
    String yaml =
        PLAIN_TLS
            + "  max_version: TLS12\n"
            + "  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]\n";
    try (WebConfigHost host = new WebConfigHost(folder, yaml);
        SSLSocket socket =
            (SSLSocket)
                certificates
                    .trusting("server")
                    .getSocketFactory()
                    .createSocket("localhost", host.port())) {
      socket.startHandshake();
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
      assertThat(socket.getSession().getCipherSuite())
          .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    }
  }

  @Test
  void writesLargeAnswersWholeThroughTls() throws Exception {
    byte[] large = new byte[3_000_000];
    new java.util.Random(1).nextBytes(large);
    Files.writeString(folder.resolve("web.yml"), PLAIN_TLS);
    try (WebConfigFile config = WebConfigFile.load(folder.resolve("web.yml"));
        WebServer server =
            WebServer.start(
                ListenAddress.parse("127.0.0.1:0"),
                Routes.none()
                    .withPage("/", request -> Response.text(200, "").withBody(Bytes.of(large))),
                config);
        SSLSocket socket =
            (SSLSocket)
                certificates
                    .trusting("server")
                    .getSocketFactory()
                    .createSocket("localhost", server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      Thread.sleep(300);
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(java.util.Arrays.copyOfRange(answer, answer.length - large.length, answer.length))
          .isEqualTo(large);
    }
  }

  @Test
  void handshakesThatStallKeepNobodyWaiting() throws Exception {
    List<RawClient> stalled = new ArrayList<>();
    try (WebConfigHost host = new WebConfigHost(folder, PLAIN_TLS)) {
      for (int i = 0; i < 250; i++) {
        RawClient client = new RawClient(host.port());
        stalled.add(client);
        // The begin of a record of 512 bytes that never comes whole.
        client.send("\u0016\u0003\u0001\u0002\u0000\u0001");
      }
      long startNs = System.nanoTime();
      assertThat(host.by(certificates.trusting("server")).body()).isEqualTo("page\n");
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
      assertThat(ProcessThreads.named("http-")).isLessThanOrEqualTo(4);
    } finally {
      for (RawClient client : stalled) {
        client.close();
      }
    }
  }
}
