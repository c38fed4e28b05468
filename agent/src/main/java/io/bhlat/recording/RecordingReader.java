// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Reads a recording, frame after frame. What is damaged or cut off ends it: {@link #damage} says
 * so, and what was before is good. Frames of types that this version does not know are skipped.
 * Used by one thread.
 */
public final class RecordingReader implements AutoCloseable {

  private final InputStream in;
  private final HeaderCodec.Decoded header;
  private final GrowthDecoder decoder;
  private final Queue<ByteSource> waiting = new ArrayDeque<>();
  private Optional<String> damage = Optional.empty();
  private long frameBytes;
  private boolean ended;

  /**
   * Reads the header.
   *
   * @param in the recording, buffered; closed with this
   * @throws RecordingException if it is none, or of a format that this version cannot read
   * @throws IOException if it cannot be read
   */
  public RecordingReader(InputStream in) throws IOException {
    this.in = in;
    Frames.readStart(in);
    try {
      Frames.Frame first = Frames.read(in);
      if (first.type() != Frames.HEADER) {
        throw new RecordingException("it does not begin with a header");
      }
      this.header = HeaderCodec.decode(first.payload());
    } catch (Frames.Damage e) {
      throw new RecordingException("its header is not whole", e);
    }
    this.decoder = new GrowthDecoder(header.tables());
  }

  /** What it says of the host. */
  public RecordingHeader header() {
    return header.header();
  }

  /** The next frame; absent at the end, or where the rest cannot be read. */
  public Optional<RecordedInterval> next() throws IOException {
    try {
      while (!ended) {
        ByteSource payload = waiting.poll();
        if (payload != null) {
          return Optional.of(new RecordedInterval(decoder.decode(payload)));
        }
        Frames.Frame frame = Frames.read(in);
        frameBytes = (long) Frames.OVERHEAD_BYTES + frame.payload().length;
        switch (frame.type()) {
          case Frames.COUNTS -> waiting.add(new ByteSource(frame.payload()));
          case Frames.BLOCK -> waiting.addAll(Blocks.inflate(frame.payload()));
          default -> {} // of a later version, or said already
        }
      }
    } catch (Frames.Damage e) {
      end(e.bytes(), e.reason());
    } catch (RecordingException e) {
      end(frameBytes, String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  private void end(long bytes, String reason) throws IOException {
    ended = true;
    if (!reason.isEmpty()) {
      long rest = in.transferTo(java.io.OutputStream.nullOutputStream());
      damage = Optional.of(reason + "; the last " + (bytes + rest) + " bytes are ignored");
    }
  }

  /** Why the end of the recording was not read; absent if all was, or as long as it is read. */
  public Optional<String> damage() {
    return damage;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
