// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Writes a recording, a frame for each snapshot but the first. After every frame the stream is
 * flushed: what was written can be read, whatever becomes of the writer. Used by one thread.
 */
public final class RecordingWriter {

  private final OutputStream out;
  private final GrowthEncoder encoder = new GrowthEncoder();
  private final ByteSink payload = new ByteSink();
  private Optional<Snapshot> previous = Optional.empty();

  /**
   * Writes the header.
   *
   * @param out where to; whoever opened it closes it
   */
  public RecordingWriter(OutputStream out, RecordingHeader header) throws IOException {
    this.out = out;
    writeHeader(out, header);
    out.flush();
  }

  /** The beginning of a recording, up to its first frame of counts. */
  static void writeHeader(OutputStream out, RecordingHeader header) throws IOException {
    Frames.writeStart(out);
    byte[] payload = HeaderCodec.encode(header, Tables.OWN);
    Frames.write(out, Frames.HEADER, payload, payload.length);
  }

  /** Writes what was counted since the snapshot before; of the first, nothing. */
  public void add(Snapshot snapshot) throws IOException {
    if (previous.isPresent()) {
      write(Growth.between(previous.get(), snapshot));
    }
    previous = Optional.of(snapshot);
  }

  /** Writes a frame as another recording has it. */
  void write(Growth growth) throws IOException {
    payload.clear();
    encoder.encode(growth, payload);
    Frames.write(out, Frames.COUNTS, payload.array(), payload.length());
    out.flush();
  }
}
