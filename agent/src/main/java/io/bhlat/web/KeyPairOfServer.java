// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A key and its certificate.
 *
 * @param chain the server's certificate and then those that sign it
 * @param key the key of the first
 */
record KeyPairOfServer(List<X509Certificate> chain, PrivateKey key) {

  private static final byte[] ANYTHING = "bhlat".getBytes(StandardCharsets.US_ASCII);

  KeyPairOfServer {
    chain = List.copyOf(chain);
  }

  /** Whether they belong together: TLS would find out only when a client comes. */
  boolean matches() {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(ANYTHING);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(chain.get(0).getPublicKey());
      verifying.update(ANYTHING);
      return verifying.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  KeyManager[] keyManagers() throws GeneralSecurityException {
    KeyStore store = ClientAuth.emptyStore();
    char[] password = new char[0];
    store.setKeyEntry("server", key, password, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    return factory.getKeyManagers();
  }
}
