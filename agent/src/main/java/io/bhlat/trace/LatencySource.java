// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.model.Snapshot;

/**
 * Something that counts and can be read: the probes attached to the running kernel, or a recording.
 */
public interface LatencySource extends AutoCloseable {

  /** What is measured here, and what is not and why. Any thread. */
  ProbePlan plan();

  /**
   * Everything counted so far. Any thread; callers are serialised. Functions are all those tracked;
   * showing the busiest is up to the output.
   */
  Snapshot snapshot();

  /** Detaches every probe and frees every handle. Idempotent; counting is over afterwards. */
  @Override
  void close();
}
