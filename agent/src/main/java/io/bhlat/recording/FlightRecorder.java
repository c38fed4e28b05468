// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.Snapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The last minutes of a measurement, in bounded memory: a ring of deflated blocks of frames, each
 * of which can be read without the others. What is too old goes, and when memory is full the oldest
 * goes earlier; {@link #heldNs} tells what is left. Thread-safe.
 *
 * <p>Ages are those of the monotonic clock: a wall clock that is set changes nothing but the times
 * that are shown.
 */
public final class FlightRecorder {

  /** The least memory that it works with. */
  public static final long LEAST_BYTES = 64 << 10;

  private static final int FRAMES_A_BLOCK = 60;
  private static final int BYTES_A_BLOCK = 256 << 10;

  private final RecordingHeader header;
  private final long lengthNs;
  private final long maxBytes;
  private final int bytesABlock;
  private final GrowthEncoder encoder = new GrowthEncoder();
  private final ByteSink payload = new ByteSink();
  private final Deque<Block> blocks = new ArrayDeque<>();
  private OpenBlock open = new OpenBlock();
  private Optional<Snapshot> previous = Optional.empty();
  private long blockBytes;
  private long droppedFrames;

  /** Some frames, deflated; not to be changed. */
  @SuppressWarnings("ArrayRecordComponent") // never leaves the package, and never compared
  record Block(byte[] bytes, int frames, long fromNs, long toNs) {}

  /** The frames since the last block, each behind its length. */
  private static final class OpenBlock {
    private final ByteSink payloads = new ByteSink();
    private int frames;
    private long fromNs;
    private long toNs;
  }

  /**
   * Holds nothing yet.
   *
   * @param header for the recordings that are taken from it
   * @param length how long a frame is kept
   * @param maxBytes how much memory all frames may take; at least {@link #LEAST_BYTES}
   */
  public FlightRecorder(RecordingHeader header, Duration length, long maxBytes) {
    if (maxBytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a flight recorder needs " + LEAST_BYTES + " bytes: " + maxBytes);
    }
    this.header = header;
    this.lengthNs = length.toNanos();
    this.maxBytes = maxBytes;
    this.bytesABlock = (int) Math.min(BYTES_A_BLOCK, maxBytes / 8);
  }

  /** Keeps what was counted since the snapshot before; of the first, nothing. */
  public synchronized void add(Snapshot snapshot) {
    previous.ifPresent(before -> add(Growth.between(before, snapshot)));
    previous = Optional.of(snapshot);
  }

  private void add(Growth growth) {
    if (open.frames == 0) {
      encoder.restart();
      open.fromNs = growth.from().ns();
    }
    payload.clear();
    encoder.encode(growth, payload);
    open.payloads.putNumber(payload.length());
    open.payloads.putAll(payload);
    open.frames++;
    open.toNs = growth.to().ns();
    if (open.frames == FRAMES_A_BLOCK || open.payloads.length() >= bytesABlock) {
      close();
    }
    dropOld();
  }

  private void close() {
    Block block = new Block(Blocks.deflate(open.payloads), open.frames, open.fromNs, open.toNs);
    blocks.add(block);
    blockBytes += block.bytes.length;
    open = new OpenBlock();
  }

  private void dropOld() {
    long newestNs = newestNs();
    for (Block oldest = blocks.peek();
        oldest != null && (newestNs - oldest.toNs >= lengthNs || heldBytes() > maxBytes);
        oldest = blocks.peek()) {
      if (newestNs - oldest.toNs < lengthNs) {
        droppedFrames += oldest.frames;
      }
      blockBytes -= oldest.bytes.length;
      blocks.remove();
    }
    if (heldBytes() > maxBytes) {
      droppedFrames += open.frames;
      open = new OpenBlock();
    }
  }

  private long newestNs() {
    Block last = blocks.peekLast();
    return open.frames > 0 || last == null ? open.toNs : last.toNs;
  }

  /** Monotonic time from the beginning of the oldest frame to the end of the newest; 0 if none. */
  public synchronized long heldNs() {
    Block oldest = blocks.peek();
    if (oldest == null) {
      return open.frames == 0 ? 0 : open.toNs - open.fromNs;
    }
    return newestNs() - oldest.fromNs;
  }

  /** Memory that the frames take. */
  public synchronized long heldBytes() {
    return blockBytes + (open.frames == 0 ? 0 : open.payloads.array().length);
  }

  /** Frames that went before their time, because memory was full. */
  public synchronized long droppedFrames() {
    return droppedFrames;
  }

  /**
   * A recording of what is held now. It is written later, without holding this up.
   *
   * @param since how far back from the newest frame, to whole frames; absent: everything
   */
  public synchronized Extract extract(Optional<Duration> since) {
    long earliestNs = since.map(age -> newestNs() - age.toNanos()).orElse(Long.MIN_VALUE);
    List<Block> all = new ArrayList<>(blocks);
    byte[] payloads = open.payloads.toArray();
    return new Extract(
        header, all, new Block(payloads, open.frames, open.fromNs, open.toNs), earliestNs);
  }
}
