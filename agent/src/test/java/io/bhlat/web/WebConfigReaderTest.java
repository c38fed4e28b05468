// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The format of exporter-toolkit: what is taken, with promtool's agreement, and what is not. */
class WebConfigReaderTest {

  private static final String HASH = "$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG";

  @TempDir Path folder;

  @BeforeEach
  void makeCertificates() {
    new TestCertificates(folder)
        .selfSigned("server", "server")
        .selfSigned("ca", "ca")
        .openssl(
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:xxxx -out locked.key");
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(
        folder.resolve("web.yml"), yaml.replace("HASH", HASH).replace(";", "\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "basic_auth_users:",
        "basic_auth_users:;  alice: HASH;  bob: HASH;",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;"
            + "  client_auth_type: RequireAndVerifyClientCert;  client_ca_file: ca.crt;",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  min_version: TLS13;"
            + "  max_version: TLS13;  prefer_server_cipher_suites: false;",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;"
            + "  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256];"
            + "  client_auth_type: RequireAnyClientCert;",
        "http_server_config:;  http2: false;  headers:;    X-Frame-Options: deny;"
            + "    Strict-Transport-Security: max-age=31536000;",
      })
  void takesWhatPromtoolTakes(String yaml) throws Exception {
    Path file = write(yaml);
    assertThat(WebConfigReader.read(file).files()).contains(file);
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool"))),
        "needs promtool on PATH");
    Process promtool =
        new ProcessBuilder("promtool", "check", "web-config", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "basic_auth_user: x | 1:1: unknown key \"basic_auth_user\"; known are: tls_server_config, http",
        "tls_server_config:;  certfile: x | 2:3: unknown key \"certfile\" in tls_server_config; known",
        "tls_server_config:;  cert_file: server.crt | tls_server_config has no key_file; TLS needs one",
        "tls_server_config:;  key_file: server.key | tls_server_config has no cert_file",
        "tls_server_config:;  cert_file: none.crt;  key_file: server.key | 2:14: tls_server_config.cert_file: read",
        "tls_server_config:;  cert_file: server.crt;  key_file: ca.key | ca.key: the key is not that of the cert",
        "tls_server_config:;  cert_file: server.key;  key_file: server.key | server.key: no certificate in it",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.crt | server.crt: no private key in it",
        "tls_server_config:;  cert_file: server.crt;  key_file: locked.key | the key is encrypted",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  client_ca_file: ca.crt | 4:19: tls_serve",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  client_auth_type: VerifyClientCertIfGiven | needs client_ca_file",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  client_auth_type: Maybe | 4:21: tls_server_config.client_auth_type: expected one of NoClientCert, Req",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  min_version: TLS10 | this JDK speaks only",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  max_version: SSL3 | expected one of TLS10",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  min_version: TLS13;  max_version: TLS12 | no version from TLS13",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  cipher_suites: [ROT13] | expected one of TLS_AES",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  curve_preferences: [X25519] | is not served: the JDK",
        "tls_server_config:;  cert_file: server.crt;  key_file: server.key;  client_allowed_sans: [x] | is not served",
        "rate_limit:;  burst: 1 | 2:3: rate_limit: is not served",
        "http_server_config:;  headers:;    X-Mine: x | 3:5: unknown key \"X-Mine\" in http_server_config.headers",
        "http_server_config:;  headers:;    X-Frame-Options: maybe | expected deny or sameorigin, not \"maybe\"",
        "http_server_config:;  http2: maybe | 2:10: http_server_config.http2: expected true or false, not \"maybe\"",
        "basic_auth_users:;  alice: secret | 2:10: basic_auth_users.alice: expected a bcrypt hash, as `htpasswd",
        "basic_auth_users:;  alice: $2y$31$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG | at most 16",
        "basic_auth_users:;  alice: HASH;  alice: HASH | 3:3: basic_auth_users.alice is here twice; leave one",
        "basic_auth_users: [a | no YAML",
        "- a | 1:1: expected keys with values",
      })
  void refusesTheRestNamingThePlace(String yaml, String message) throws IOException {
    Path file = write(yaml.strip());
    assertThatThrownBy(() -> WebConfigReader.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining(message.strip())
        .hasMessageNotContaining("secret");
  }

  @Test
  void warnsOfWhatWorksOtherwise() throws IOException {
    assertThat(WebConfigReader.read(write("http_server_config:;  http2: true;")).warnings())
        .singleElement()
        .asString()
        .contains("HTTP/1.1 only");
    assertThat(WebConfigReader.read(write("basic_auth_users:;  alice: HASH;")).warnings())
        .singleElement()
        .asString()
        .contains("in the clear");
  }
}
