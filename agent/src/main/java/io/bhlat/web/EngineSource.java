// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import javax.net.ssl.SSLEngine;

/** Gives each connection its side of TLS, with the certificates of the moment. Any thread. */
@FunctionalInterface
public interface EngineSource {

  /** A server's engine, not begun. May read files: called by workers. */
  SSLEngine newEngine();
}
