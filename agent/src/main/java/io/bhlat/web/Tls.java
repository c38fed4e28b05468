// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS as configured. Thread-safe: engines take copies of the parameters.
 *
 * @param context key, certificates and whom to trust
 * @param parameters versions, suites and whether clients show certificates
 */
record Tls(SSLContext context, SSLParameters parameters) implements EngineSource {

  private static final int SESSIONS = 256;

  Tls {
    // The JDK's 20,480 sessions would outlive every reason to keep them.
    context.getServerSessionContext().setSessionCacheSize(SESSIONS);
  }

  @Override
  public SSLEngine newEngine() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
