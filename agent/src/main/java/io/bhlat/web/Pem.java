// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and private keys in PEM, as OpenSSL and most authorities write them: PKCS#8 of RSA,
 * EC and Ed25519, PKCS#1 ({@code RSA PRIVATE KEY}) and SEC1 ({@code EC PRIVATE KEY}).
 */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private Pem() {}

  /**
   * One block.
   *
   * @param source what it is from, for messages
   */
  private record Block(String source, String label, String base64) {

    byte[] der() {
      try {
        return Base64.getMimeDecoder().decode(base64.strip());
      } catch (IllegalArgumentException e) {
        throw new ConfigException(source + ": " + label + " is broken: " + e.getMessage(), e);
      }
    }
  }

  /**
   * The certificates of a text, in order.
   *
   * @param source what the text is, for messages
   * @throws ConfigException if there is none or one is broken
   */
  static List<X509Certificate> certificates(String source, String text) {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Block block : blocks(source, text)) {
        if (block.label().equals("CERTIFICATE")) {
          certificates.add(
              (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
        }
      }
    } catch (CertificateException e) {
      throw new ConfigException(
          source + ": certificate " + (certificates.size() + 1) + " is broken: " + e.getMessage(),
          e);
    }
    if (certificates.isEmpty()) {
      throw new ConfigException(
          source + ": no certificate in it; expected PEM with -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  /**
   * The first private key of a text.
   *
   * @param source what the text is, for messages
   * @throws ConfigException if there is none, it is encrypted, or of a kind that the JDK cannot use
   */
  static PrivateKey privateKey(String source, String text) {
    if (text.contains("Proc-Type: 4,ENCRYPTED")) {
      throw encrypted(source);
    }
    for (Block block : blocks(source, text)) {
      Optional<byte[]> pkcs8 =
          switch (block.label()) {
            case "PRIVATE KEY" -> Optional.of(block.der());
            case "RSA PRIVATE KEY" -> Optional.of(Der.rsaAsPkcs8(block.der()));
            case "EC PRIVATE KEY" -> Optional.of(ecAsPkcs8(source, block.der()));
            case "ENCRYPTED PRIVATE KEY" -> throw encrypted(source);
            default -> Optional.empty();
          };
      if (pkcs8.isPresent()) {
        return pkcs8(source, pkcs8.get());
      }
    }
    throw new ConfigException(
        source + ": no private key in it; expected PEM with -----BEGIN PRIVATE KEY-----");
  }

  private static ConfigException encrypted(String source) {
    return new ConfigException(
        source
            + ": the key is encrypted, and nobody is there to ask for its password; decrypt it with"
            + " `openssl pkey -in FILE -out FILE`");
  }

  private static byte[] ecAsPkcs8(String source, byte[] der) {
    try {
      return Der.ecAsPkcs8(der);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ConfigException(
          source
              + ": the EC key does not name its curve; convert it with `openssl pkey -in FILE -out"
              + " FILE`",
          e);
    }
  }

  private static PrivateKey pkcs8(String source, byte[] der) {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (GeneralSecurityException e) {
        // Of another algorithm: the next one is tried.
      }
    }
    throw new ConfigException(
        source + ": the private key is broken or neither RSA, EC nor Ed25519; use one of these");
  }

  private static List<Block> blocks(String source, String text) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      blocks.add(new Block(source, matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }
}
