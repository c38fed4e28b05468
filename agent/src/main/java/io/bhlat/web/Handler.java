// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.util.concurrent.CompletionStage;

/**
 * Answers requests. Called by the server's worker threads, of which there are few: what takes long
 * for another reason than work is answered later, by the stage. A failure, thrown or in the stage,
 * is logged and becomes 500.
 */
@FunctionalInterface
public interface Handler {

  /** The answer, or a promise of it. */
  CompletionStage<Response> handle(Request request);
}
