// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates made by OpenSSL for one test, which are good for a day. */
final class TestCertificates {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;

  TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** Runs openssl in the folder. */
  TestCertificates openssl(String arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(Arrays.asList(arguments.split(" ", -1)));
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + ": " + said);
      }
      return this;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** NAME.crt and NAME.key for localhost, signed by itself. */
  TestCertificates selfSigned(String name, String subject) {
    return openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN="
            + subject
            + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "
            + name
            + ".key -out "
            + name
            + ".crt");
  }

  /** NAME.p12 with a key whose certificate is signed by CA.crt. */
  TestCertificates client(String name, String ca) {
    return openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN="
                + name
                + " -keyout "
                + name
                + ".key -out "
                + name
                + ".csr")
        .openssl(
            "x509 -req -in %1$s.csr -CA %2$s.crt -CAkey %2$s.key -CAcreateserial -days 1 -out %1$s.crt"
                .formatted(name, ca))
        .openssl(
            "pkcs12 -export -in %1$s.crt -inkey %1$s.key -out %1$s.p12 -passout pass:changeit"
                .formatted(name));
  }

  /** A client that trusts one certificate and shows none. */
  SSLContext trusting(String name) {
    return context(name, null);
  }

  /** A client that trusts one certificate and shows another. */
  SSLContext trusting(String name, String shown) {
    return context(name, folder.resolve(shown + ".p12"));
  }

  private SSLContext context(String trusted, @org.jspecify.annotations.Nullable Path shown) {
    try {
      Certificate certificate =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(Files.readAllBytes(folder.resolve(trusted + ".crt"))));
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry("server", certificate);
      TrustManagerFactory trustManagers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trustManagers.init(trust);
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      if (shown != null) {
        try (InputStream in = Files.newInputStream(shown)) {
          keys.load(in, PASSWORD);
        }
      }
      keyManagers.init(keys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
