// SPDX-License-Identifier: Apache-2.0
/**
 * A small HTTP server that withstands its clients, and the configuration that guards it.
 *
 * <p><b>Threads.</b> {@code http-io} does all reading and writing and waits for nobody; {@code
 * http-1} and {@code http-2} make answers and take the costly steps of TLS; {@code http-password-1}
 * checks passwords that were not checked before. All but the first end when there is nothing to do.
 *
 * <p><b>Bounds.</b> What a client can take is in {@link io.bhlat.web.Limits}: connections, bytes of
 * a request, time for each step, waiting requests, bytes of answers that are not read. A connection
 * holds no thread, and one that waits for its client holds only what that client sent. When the
 * connections are used up, the one that has waited longest gives way to the new one, so that
 * clients that are slow on purpose do not keep out those that are not.
 *
 * <p>Knows nothing of what is served: {@link io.bhlat.web.Handler} answers.
 */
@NullMarked
package io.bhlat.web;

import org.jspecify.annotations.NullMarked;
