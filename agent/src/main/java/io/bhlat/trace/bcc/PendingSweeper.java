// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.LossCounts;
import io.bhlat.model.LossReason;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Removes the stamps of work items that were cancelled, which the kernel does not announce: those
 * older than an age. Not thread-safe.
 *
 * <p>Whoever deletes a stamp counts it. A stamp that starts while it is swept is counted as started
 * if the start was faster, else here, and its start as one without a queueing.
 */
final class PendingSweeper {

  private final BccMap pending;
  private final long maxAgeNs;
  private final Map<WorkKey, LossCounts> agedOut = new HashMap<>();
  private long sweptAtNs;

  /**
   * Sweeps a map.
   *
   * @param maxAgeNs the age in nanoseconds above which a stamp goes
   * @param nowNs the monotonic clock that stamps are of
   */
  PendingSweeper(BccMap pending, long maxAgeNs, long nowNs) {
    this.pending = pending;
    this.maxAgeNs = maxAgeNs;
    this.sweptAtNs = nowNs;
  }

  /** Sweeps when a quarter of the age has passed since the last time. */
  void sweepIfDue(long nowNs) throws BpfException {
    if (nowNs - sweptAtNs < maxAgeNs / 4) {
      return;
    }
    sweptAtNs = nowNs;
    for (BccMap.Entry entry : pending.entries()) {
      if (nowNs - entry.value().getLong(0) > maxAgeNs && pending.delete(entry.key())) {
        WorkKey key = WorkKey.ALL.get(entry.value().get(CountsLayout.STAMP_KEY_OFFSET));
        count(key);
        if (entry.value().get(CountsLayout.STAMP_FAST_POOL_OFFSET) != 0) {
          count(mixingKey(key.workClass()));
        }
      }
    }
  }

  /** The fast pool's key for what mixes it by such work. */
  private static WorkKey mixingKey(WorkClass workClass) {
    return WorkKey.of(
        workClass == WorkClass.WORKQUEUE || workClass == WorkClass.BH_WORKQUEUE
            ? FastPoolMechanism.WORKQUEUE
            : FastPoolMechanism.TASKLET);
  }

  private void count(WorkKey key) {
    agedOut.merge(key, LossCounts.of(LossReason.AGED_OUT, 1), LossCounts::plus);
  }

  /** The stamps removed so far. */
  Map<WorkKey, LossCounts> agedOut() {
    return Map.copyOf(agedOut);
  }
}
