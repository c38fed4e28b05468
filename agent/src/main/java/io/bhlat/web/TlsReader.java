// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.config.ConfigException;
import io.bhlat.config.ConfigFile;
import io.bhlat.config.ConfigSection;
import io.bhlat.config.ConfigValue;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/** Reads {@code tls_server_config}. One thread. */
final class TlsReader {

  /** The keys of exporter-toolkit, those among them that are refused here too. */
  static final List<String> KEYS =
      List.of(
          "cert_file",
          "key_file",
          "cert",
          "key",
          "client_auth_type",
          "client_ca_file",
          "client_ca",
          "client_allowed_sans",
          "min_version",
          "max_version",
          "cipher_suites",
          "prefer_server_cipher_suites",
          "curve_preferences");

  /** As exporter-toolkit writes them, the oldest first, with the JDK's names. */
  private static final List<String> VERSIONS = List.of("TLS10", "TLS11", "TLS12", "TLS13");

  private static final List<String> JDK_VERSIONS =
      List.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");

  private final ConfigSection section;
  private final List<Path> files = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  TlsReader(ConfigSection section) {
    this.section = section.allowing(KEYS);
  }

  /** The files that were read. */
  List<Path> files() {
    return List.copyOf(files);
  }

  /** What deserves a line in the log. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /**
   * Reads it all.
   *
   * @throws ConfigException if it cannot be served as it is written
   */
  Tls read() {
    // A client could ask for one costly handshake after the other; TLS 1.3 has done away with it.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    refuse("client_allowed_sans", "bhlat does not check names in client certificates; remove it");
    refuse(
        "curve_preferences",
        "the JDK takes no curves per server; remove it, or name them for the whole process with"
            + " -Djdk.tls.namedGroups");
    Text certificate = required("cert_file", "cert");
    Text key = required("key_file", "key");
    List<X509Certificate> chain = Pem.certificates(certificate.source(), certificate.content());
    warnIfOutOfDate(certificate.source(), chain.get(0));
    KeyPairOfServer pair = new KeyPairOfServer(chain, Pem.privateKey(key.source(), key.content()));
    if (!pair.matches()) {
      throw new ConfigException(
          key.source() + ": the key is not that of the certificate in " + certificate.source());
    }
    ClientAuth auth = clientAuth();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(pair.keyManagers(), trust(auth), null);
      return new Tls(context, parameters(context, auth));
    } catch (GeneralSecurityException e) {
      throw new ConfigException(certificate.source() + ": TLS cannot use it: " + e.getMessage(), e);
    }
  }

  private void refuse(String key, String reason) {
    section
        .value(key)
        .ifPresent(
            value -> {
              throw value.refused("is not served: " + reason);
            });
  }

  private void warnIfOutOfDate(String source, X509Certificate certificate) {
    if (certificate.getNotAfter().toInstant().isBefore(Instant.now())) {
      warnings.add(
          source
              + ": the certificate ended on "
              + certificate.getNotAfter().toInstant()
              + "; clients refuse it, renew it");
    }
  }

  /** A text and where it came from. */
  private record Text(String source, String content) {}

  private Optional<Text> text(String fileKey, String inlineKey) {
    Optional<ConfigValue> file = section.value(fileKey);
    Optional<ConfigValue> inline = section.value(inlineKey);
    if (file.isPresent() && inline.isPresent()) {
      throw inline.get().refused(fileKey + " is here too; leave one of both");
    }
    if (inline.isPresent()) {
      return Optional.of(new Text(inline.get().position(), inline.get().text()));
    }
    return file.map(
        value -> {
          Path path = value.path();
          files.add(path);
          try {
            return new Text(path.toString(), ConfigFile.text(path));
          } catch (ConfigException e) {
            throw new ConfigException(value.position() + ": " + value.name() + ": " + e.text(), e);
          }
        });
  }

  private Text required(String fileKey, String inlineKey) {
    return text(fileKey, inlineKey)
        .orElseThrow(
            () ->
                new ConfigException(
                    section.file() + ": tls_server_config has no " + fileKey + "; TLS needs one"));
  }

  private ClientAuth clientAuth() {
    Optional<ConfigValue> type = section.value("client_auth_type");
    ClientAuth auth = type.map(ClientAuth::of).orElse(ClientAuth.NONE);
    Optional<ConfigValue> authorities =
        section.value("client_ca_file").or(() -> section.value("client_ca"));
    if (authorities.isPresent() && auth == ClientAuth.NONE) {
      throw authorities
          .get()
          .refused("is not used without client_auth_type, such as RequireAndVerifyClientCert");
    }
    if (auth.verifies() && authorities.isEmpty()) {
      throw type.orElseThrow()
          .refused("needs client_ca_file, the certificates of those who sign clients");
    }
    return auth;
  }

  private TrustManager[] trust(ClientAuth auth) throws GeneralSecurityException {
    Optional<Text> authorities = text("client_ca_file", "client_ca");
    return auth.verifies() && authorities.isPresent()
        ? ClientAuth.trusting(
            Pem.certificates(authorities.get().source(), authorities.get().content()))
        : ClientAuth.trustingAnybody();
  }

  private SSLParameters parameters(SSLContext context, ClientAuth auth) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    List<String> versions = versions(context);
    parameters.setProtocols(versions.toArray(String[]::new));
    section
        .value("cipher_suites")
        .ifPresent(
            value -> parameters.setCipherSuites(suites(value, context).toArray(String[]::new)));
    parameters.setUseCipherSuitesOrder(
        section.value("prefer_server_cipher_suites").map(ConfigValue::truth).orElse(true));
    auth.apply(parameters);
    return parameters;
  }

  private List<String> versions(SSLContext context) {
    int least = version("min_version", "TLS12");
    int most = version("max_version", "TLS13");
    if (least > most) {
      throw section
          .value("min_version")
          .or(() -> section.value("max_version"))
          .orElseThrow()
          .refused("no version from " + VERSIONS.get(least) + " to " + VERSIONS.get(most));
    }
    List<String> usable = Arrays.asList(context.getDefaultSSLParameters().getProtocols());
    List<String> versions = JDK_VERSIONS.subList(least, most + 1);
    if (!usable.containsAll(versions)) {
      throw section
          .value("min_version")
          .orElseThrow()
          .refused("this JDK speaks only " + String.join(", ", usable) + "; use TLS12");
    }
    return versions;
  }

  private int version(String key, String otherwise) {
    Optional<ConfigValue> value = section.value(key);
    int index = VERSIONS.indexOf(value.map(ConfigValue::text).orElse(otherwise));
    if (index < 0) {
      throw value.orElseThrow().wrong("one of " + String.join(", ", VERSIONS));
    }
    return index;
  }

  /** As with exporter-toolkit, those of TLS 1.3 are not a matter of configuration. */
  private static List<String> suites(ConfigValue value, SSLContext context) {
    List<String> supported = Arrays.asList(context.getSupportedSSLParameters().getCipherSuites());
    List<String> suites = new ArrayList<>();
    for (ConfigValue item : value.list()) {
      if (!supported.contains(item.text())) {
        throw item.wrong("one of " + String.join(", ", supported));
      }
      suites.add(item.text());
    }
    if (!suites.isEmpty()) {
      supported.stream()
          .filter(suite -> suite.matches("TLS_(AES|CHACHA20)_.*") && !suites.contains(suite))
          .forEach(suites::add);
      return suites;
    }
    return Arrays.asList(context.getDefaultSSLParameters().getCipherSuites());
  }
}
