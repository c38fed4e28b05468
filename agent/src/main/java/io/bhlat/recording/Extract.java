// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.recording.FlightRecorder.Block;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Part of what a {@link FlightRecorder} held at one moment, as a recording. Any thread. */
public final class Extract {

  private final RecordingHeader header;
  private final List<Block> blocks;
  private final Block open;
  private final long earliestNs;

  /**
   * An extract.
   *
   * @param open the frames after the blocks, not deflated
   * @param earliestNs frames of which more than half lies before that are left out
   */
  Extract(RecordingHeader header, List<Block> blocks, Block open, long earliestNs) {
    this.header = header;
    this.blocks = blocks;
    this.open = open;
    this.earliestNs = earliestNs;
  }

  /** Writes it; the stream stays open. */
  public void writeTo(OutputStream out) throws IOException {
    RecordingWriter writer = new RecordingWriter(out, header);
    for (Block block : blocks) {
      if (block.fromNs() >= earliestNs) {
        Frames.write(out, Frames.BLOCK, block.bytes(), block.bytes().length);
      } else if (block.toNs() > earliestNs) {
        writeRest(Blocks.inflate(block.bytes()), writer);
      }
    }
    if (open.frames() > 0 && open.toNs() > earliestNs) {
      List<ByteSource> payloads = Blocks.split(open.bytes(), open.bytes().length);
      if (open.fromNs() < earliestNs) {
        writeRest(payloads, writer);
        return;
      }
      for (ByteSource payload : payloads) {
        byte[] bytes = payload.takeBytes(payload.remaining());
        Frames.write(out, Frames.COUNTS, bytes, bytes.length);
      }
    }
    out.flush();
  }

  /** Frames count on those before them: what is not from the beginning is written anew. */
  private void writeRest(List<ByteSource> payloads, RecordingWriter writer) throws IOException {
    GrowthDecoder decoder = new GrowthDecoder(Tables.OWN);
    for (ByteSource payload : payloads) {
      Growth growth = decoder.decode(payload);
      if (growth.from().ns() + growth.durationNs() / 2 >= earliestNs) {
        writer.write(growth);
      }
    }
  }
}
