// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.Optional;

/** Who may ask, and how the way there is kept private. */
public interface WebSecurity {

  /** TLS for new connections; empty: in the clear. Does not change while a server runs. */
  Optional<EngineSource> tls();

  /** Lets through to a handler whoever may ask it. */
  Handler guard(Handler handler);
}
