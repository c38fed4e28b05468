// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.bhlat.linux.Errno;
import io.bhlat.linux.Libc;
import io.bhlat.linux.SystemCall;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map of the kernel, used through bpf(2); the descriptor is its {@link Programs}'. Not
 * thread-safe: keys and values pass through one buffer each.
 */
final class BccMap implements AutoCloseable {

  // enum bpf_cmd
  private static final int UPDATE = 2;
  private static final int DELETE = 3;
  private static final int INFO = 15;

  /** The part of union bpf_attr that these commands look at: descriptor, key, value, flags. */
  private static final int ATTRIBUTES_BYTES = 32;

  private static final int KEY_OFFSET = 8;
  private static final int VALUE_OFFSET = 16;

  /** struct bpf_map_info up to the flags: type, id, key size, value size, most entries, flags. */
  private static final int INFO_BYTES = 24;

  private final String name;
  private final int maxEntries;
  private final Memory attributes;
  private final Memory key;
  private final Memory value;
  private @Nullable MapBatches batches;

  BccMap(String name, int descriptor, int keyBytes, int valueBytes, int maxEntries) {
    this.name = name;
    this.maxEntries = maxEntries;
    this.attributes = new Memory(ATTRIBUTES_BYTES);
    this.key = new Memory(Math.max(keyBytes, 1));
    this.value = new Memory(valueBytes);
    attributes.clear();
    attributes.setInt(0, descriptor);
  }

  /**
   * A map by its descriptor, which the caller closes after this; its layout is proven.
   *
   * @param name its name in the source
   * @param keyBytes the size of a key, as Java has it
   * @param valueBytes the size of a value, as Java has it
   * @throws BpfException if the layout differs
   */
  static BccMap of(String name, int descriptor, int keyBytes, int valueBytes) throws BpfException {
    try (Memory info = new Memory(INFO_BYTES);
        Memory request = new Memory(ATTRIBUTES_BYTES)) {
      info.clear();
      request.clear();
      request.setInt(0, descriptor);
      request.setInt(4, INFO_BYTES);
      request.setPointer(8, info);
      if (SystemCall.bpf(INFO, request, ATTRIBUTES_BYTES) < 0) {
        throw BpfException.ofErrno("look at map " + name, Libc.errno(), "");
      }
      int key = info.getInt(8);
      int value = info.getInt(12);
      if (key != keyBytes || value != valueBytes) {
        throw new BpfException(
            BpfException.Kind.FAILED,
            "open map " + name,
            "key and value have "
                + (key + " and " + value + " bytes in C, ")
                + (keyBytes + " and " + valueBytes + " in Java"),
            "the agent and its BPF sources are of different versions: install bhlat again");
      }
      return new BccMap(name, descriptor, keyBytes, valueBytes, info.getInt(16));
    }
  }

  /** The number of its descriptor. */
  int descriptor() {
    return attributes.getInt(0);
  }

  /** The most entries that it can hold. */
  int maxEntries() {
    return maxEntries;
  }

  /** One entry, copied out of the kernel; buffers of native byte order. */
  record Entry(ByteBuffer key, ByteBuffer value) {}

  /**
   * All entries of a hash map. An entry that is added or removed meanwhile may or may not be among
   * them.
   *
   * @throws BpfException if the kernel refuses
   */
  List<Entry> entries() throws BpfException {
    if (batches == null) {
      batches = new MapBatches(name, descriptor(), (int) key.size(), (int) value.size());
    }
    return batches.entries(maxEntries);
  }

  /**
   * Removes an entry.
   *
   * @return false if it was not there any more
   */
  boolean delete(ByteBuffer entryKey) throws BpfException {
    store(entryKey, key);
    return absentOrThrow(call(DELETE, key, null), "delete from");
  }

  /** Flags are 0: an update makes or replaces. */
  private int call(int command, @Nullable Pointer keyOrNone, @Nullable Pointer valueOrNone) {
    attributes.setPointer(KEY_OFFSET, keyOrNone);
    attributes.setPointer(VALUE_OFFSET, valueOrNone);
    return SystemCall.bpf(command, attributes, ATTRIBUTES_BYTES);
  }

  /** Sets the value of a key, be it there or not; both have the map's sizes. */
  void put(ByteBuffer entryKey, ByteBuffer entryValue) throws BpfException {
    store(entryKey, key);
    store(entryValue, value);
    if (call(UPDATE, key, value) < 0) {
      throw BpfException.ofErrno("write to map " + name, Libc.errno(), "");
    }
  }

  /** Adds a number to a queue map. */
  void push(int number) throws BpfException {
    value.setInt(0, number);
    if (call(UPDATE, null, value) < 0) {
      throw BpfException.ofErrno("push to map " + name, Libc.errno(), "");
    }
  }

  /**
   * Maps all values into memory, readable without system calls.
   *
   * @param valueBytes the size of a value, a multiple of 8
   * @throws BpfException before Linux 5.5, or if memory is short
   */
  MappedMemory mapped(int valueBytes) throws BpfException {
    return MappedMemory.of(name, descriptor(), (long) valueBytes * maxEntries);
  }

  private boolean absentOrThrow(int result, String action) throws BpfException {
    if (result >= 0) {
      return true;
    }
    int errno = Libc.errno();
    if (errno == Errno.ENOENT) {
      return false;
    }
    throw BpfException.ofErrno(action + " map " + name, errno, "");
  }

  private static void store(ByteBuffer bytes, Memory memory) {
    memory.getByteBuffer(0, memory.size()).put(bytes.duplicate().rewind());
  }

  @Override
  public void close() {
    attributes.close();
    key.close();
    value.close();
    if (batches != null) {
      batches.close();
    }
  }
}
