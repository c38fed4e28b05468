// SPDX-License-Identifier: Apache-2.0
package io.bhlat.model;

/** Why a sample was lost. Every lost sample is counted under exactly one reason. */
public enum LossReason {
  /** Queued, but the pending map had no room for the stamp. */
  PENDING_FULL("pending_full", Side.QUEUED, "raise --max-pending"),
  /** Queued, but the pending map's lock was held by what this queueing interrupted. */
  PENDING_BUSY("pending_busy", Side.QUEUED, "none needed unless it is frequent"),
  /** Queued, then cancelled; seen when the same item was queued or ran again. */
  CANCELLED("cancelled", Side.QUEUED, "none needed: the kernel does not announce cancelling"),
  /** Queued and not seen to start for so long that its stamp was removed. */
  AGED_OUT("aged_out", Side.QUEUED, "raise --max-pending-age if items really wait that long"),
  /**
   * Queued and ended, but its start was not seen: another tool was attached or detached just then,
   * or it is a tasklet whose function was not probed yet.
   */
  START_MISSED("start_missed", Side.QUEUED, "none needed unless it is frequent"),
  /** Queued and started, but the clock of the start was before that of the queueing. */
  NEGATIVE_DELTA("negative_delta", Side.QUEUED, "check the host's clock source"),
  /**
   * Started without a queueing seen: queued before the probes were attached, or its stamp was lost.
   */
  NO_QUEUE_SEEN("no_queue_seen", Side.STARTED, "none needed unless it is frequent"),
  /** Started, but there was no room to remember when, so that its service time is missing. */
  RUNNING_FULL("running_full", Side.SERVED, "raise --max-pending"),
  /** Ended without a start seen: it was running when the probes were attached. */
  NO_START_SEEN("no_start_seen", Side.SERVED, "none needed unless it is frequent"),
  /**
   * The kernel did not run a program, because it, or for kprobes another one, was running on that
   * CPU already. Told by class only, once for each time.
   */
  PROGRAM_SKIPPED("program_skipped", Side.PROGRAMS, "none needed unless it is frequent");

  /** Which of the accounts of a work class a loss belongs to. */
  public enum Side {
    /** queued = started + pending + lost: these are the "lost". */
    QUEUED,
    /** Starts that gave no queue latency; they were never counted as queued. */
    STARTED,
    /** Ends that gave no service time. */
    SERVED,
    /**
     * How often programs did not run: a cause. What came of it is counted on the other sides, as
     * far as it shows, so that this one is in no account.
     */
    PROGRAMS
  }

  private final String label;
  private final Side side;
  private final String remedy;

  LossReason(String label, Side side, String remedy) {
    this.label = label;
    this.side = side;
    this.remedy = remedy;
  }

  /** The value of the {@code reason} label. */
  public String label() {
    return label;
  }

  /** The account that the loss belongs to. */
  public Side side() {
    return side;
  }

  /** What a user can do about it, a phrase. */
  public String remedy() {
    return remedy;
  }
}
