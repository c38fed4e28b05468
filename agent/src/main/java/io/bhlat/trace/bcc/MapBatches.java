// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.bhlat.linux.Errno;
import io.bhlat.linux.Libc;
import io.bhlat.linux.SystemCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a hash map many entries at a time: BPF_MAP_LOOKUP_BATCH, since Linux 5.6. Two system calls
 * an entry, which walking takes, would be most of what a snapshot costs. Not thread-safe.
 */
final class MapBatches implements AutoCloseable {

  private static final int LOOKUP_BATCH = 24; // enum bpf_cmd

  /** union bpf_attr, for batches: where to begin, where it ended, keys, values, count, map. */
  private static final int ATTRIBUTES_BYTES = 56;

  private static final int IN_BATCH = 0;
  private static final int OUT_BATCH = 8;
  private static final int KEYS = 16;
  private static final int VALUES = 24;
  private static final int COUNT = 32;
  private static final int MAP = 36;

  /** A batch ends between two of the kernel's buckets, of which none holds nearly as many. */
  private static final int MOST_ENTRIES = 512;

  private final String name;
  private final int keyBytes;
  private final int valueBytes;
  private final Memory attributes = new Memory(ATTRIBUTES_BYTES);
  private final Memory place = new Memory(Long.BYTES);
  private final Memory keys;
  private final Memory values;

  MapBatches(String name, int descriptor, int keyBytes, int valueBytes) {
    this.name = name;
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
    this.keys = new Memory((long) MOST_ENTRIES * keyBytes);
    this.values = new Memory((long) MOST_ENTRIES * valueBytes);
    attributes.clear();
    attributes.setPointer(OUT_BATCH, place);
    attributes.setPointer(KEYS, keys);
    attributes.setPointer(VALUES, values);
    attributes.setInt(MAP, descriptor);
  }

  /**
   * All entries.
   *
   * @param maxEntries how many there can be
   * @throws BpfException if the kernel refuses
   */
  List<BccMap.Entry> entries(int maxEntries) throws BpfException {
    List<BccMap.Entry> entries = new ArrayList<>();
    attributes.setPointer(IN_BATCH, Pointer.NULL);
    boolean more = true;
    while (more && entries.size() <= maxEntries) {
      attributes.setInt(COUNT, MOST_ENTRIES);
      if (SystemCall.bpf(LOOKUP_BATCH, attributes, ATTRIBUTES_BYTES) < 0) {
        int errno = Libc.errno();
        if (errno != Errno.ENOENT) {
          throw BpfException.ofErrno("read map " + name, errno, "");
        }
        more = false; // The end, with what was left before it.
      }
      attributes.setPointer(IN_BATCH, place);
      take(attributes.getInt(COUNT), entries);
    }
    return entries;
  }

  private void take(int count, List<BccMap.Entry> into) {
    if (count == 0) {
      return;
    }
    byte[] allKeys = keys.getByteArray(0, count * keyBytes);
    byte[] allValues = values.getByteArray(0, count * valueBytes);
    for (int i = 0; i < count; i++) {
      into.add(new BccMap.Entry(part(allKeys, i, keyBytes), part(allValues, i, valueBytes)));
    }
  }

  private static ByteBuffer part(byte[] all, int index, int bytes) {
    return ByteBuffer.wrap(all, index * bytes, bytes).slice().order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    attributes.close();
    place.close();
    keys.close();
    values.close();
  }
}
