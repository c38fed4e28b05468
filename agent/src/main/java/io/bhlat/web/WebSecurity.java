// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.Optional;

/** Who may ask, and how the way there is kept private. */
public interface WebSecurity {

  /** Everybody, in the clear. */
  WebSecurity NONE =
      new WebSecurity() {
        @Override
        public Optional<EngineSource> tls() {
          return Optional.empty();
        }

        @Override
        public Handler guard(Handler handler) {
          return handler;
        }
      };

  /** TLS for new connections; empty: in the clear. Does not change while a server runs. */
  Optional<EngineSource> tls();

  /** Lets through to a handler whoever may ask it. */
  Handler guard(Handler handler);
}
