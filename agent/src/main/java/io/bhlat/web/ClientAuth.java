// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.config.ConfigValue;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Whether clients show certificates, named as Go names it. */
enum ClientAuth {
  NONE("NoClientCert", false),
  REQUEST("RequestClientCert", false),
  REQUIRE_ANY("RequireAnyClientCert", false),
  VERIFY_IF_GIVEN("VerifyClientCertIfGiven", true),
  REQUIRE_AND_VERIFY("RequireAndVerifyClientCert", true);

  private final String label;
  private final boolean verifies;

  ClientAuth(String label, boolean verifies) {
    this.label = label;
    this.verifies = verifies;
  }

  static ClientAuth of(ConfigValue value) {
    String text = value.text();
    return Arrays.stream(values())
        .filter(auth -> auth.label.equals(text) || (text.isEmpty() && auth == NONE))
        .findFirst()
        .orElseThrow(
            () ->
                value.wrong(
                    Arrays.stream(values())
                        .map(auth -> auth.label)
                        .collect(Collectors.joining(", ", "one of ", ""))));
  }

  /** Whether a certificate must be signed by one of the configured authorities. */
  boolean verifies() {
    return verifies;
  }

  void apply(SSLParameters parameters) {
    switch (this) {
      case NONE -> parameters.setNeedClientAuth(false);
      case REQUEST, VERIFY_IF_GIVEN -> parameters.setWantClientAuth(true);
      case REQUIRE_ANY, REQUIRE_AND_VERIFY -> parameters.setNeedClientAuth(true);
    }
  }

  static TrustManager[] trusting(List<X509Certificate> authorities)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new GeneralSecurityException("make an empty key store: " + e.getMessage(), e);
    }
  }

  static TrustManager[] trustingAnybody() {
    return new TrustManager[] {new Anybody()};
  }

  /** For the types that ask for a certificate and do not verify it. */
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      throw notAClient();
    }

    private static UnsupportedOperationException notAClient() {
      return new UnsupportedOperationException("this is a server's");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
