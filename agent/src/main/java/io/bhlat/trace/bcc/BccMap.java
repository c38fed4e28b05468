// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map of the kernel, owned by its {@link BccModule}. Not thread-safe: keys and values pass
 * through one buffer each.
 */
final class BccMap implements AutoCloseable {

  private static final long UPDATE_ANY = 0;

  private final String name;
  private final int descriptor;
  private final int maxEntries;
  private final Memory key;
  private final Memory nextKey;
  private final Memory value;

  BccMap(String name, int descriptor, int keyBytes, int valueBytes, int maxEntries) {
    this.name = name;
    this.descriptor = descriptor;
    this.maxEntries = maxEntries;
    this.key = new Memory(Math.max(keyBytes, 1));
    this.nextKey = new Memory(Math.max(keyBytes, 1));
    this.value = new Memory(valueBytes);
  }

  /** The most entries that it can hold. */
  int maxEntries() {
    return maxEntries;
  }

  /** One entry, copied out of the kernel; buffers of native byte order. */
  record Entry(ByteBuffer key, ByteBuffer value) {}

  /**
   * All entries. An entry that is added or removed meanwhile may or may not be among them; one
   * whose removal makes the walk start again is given once.
   *
   * @throws BpfException if the kernel refuses
   */
  List<Entry> entries() throws BpfException {
    List<Entry> entries = new ArrayList<>();
    Set<ByteBuffer> seen = new HashSet<>();
    boolean found = nextKey(null);
    // The walk restarts at the beginning when the current key vanishes: bounded all the same.
    for (int step = 0; found && step < 4 * maxEntries; step++) {
      ByteBuffer current = copy(nextKey);
      if (seen.add(current) && lookup(nextKey)) {
        entries.add(new Entry(current, copy(value)));
      }
      store(current, key);
      found = nextKey(key);
    }
    return entries;
  }

  private boolean nextKey(@Nullable Pointer after) throws BpfException {
    return absentOrThrow(LibBcc.bpf_get_next_key(descriptor, after, nextKey), "walk");
  }

  private boolean lookup(Pointer at) throws BpfException {
    return absentOrThrow(LibBcc.bpf_lookup_elem(descriptor, at, value), "read");
  }

  /**
   * Removes an entry.
   *
   * @return false if it was not there any more
   */
  boolean delete(ByteBuffer entryKey) throws BpfException {
    store(entryKey, key);
    return absentOrThrow(LibBcc.bpf_delete_elem(descriptor, key), "delete from");
  }

  /** Sets the value of a key, be it there or not; both have the map's sizes. */
  void put(ByteBuffer entryKey, ByteBuffer entryValue) throws BpfException {
    store(entryKey, key);
    store(entryValue, value);
    if (LibBcc.bpf_update_elem(descriptor, key, value, UPDATE_ANY) < 0) {
      throw BpfException.ofErrno("write to map " + name, Libc.errno(), "");
    }
  }

  /** Adds a number to a queue map. */
  void push(int number) throws BpfException {
    value.setInt(0, number);
    if (LibBcc.bpf_update_elem(descriptor, null, value, UPDATE_ANY) < 0) {
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
    return MappedMemory.of(name, descriptor, (long) valueBytes * maxEntries);
  }

  private boolean absentOrThrow(int result, String action) throws BpfException {
    if (result >= 0) {
      return true;
    }
    int errno = result < -1 ? -result : Libc.errno();
    if (errno == Errno.ENOENT) {
      return false;
    }
    throw BpfException.ofErrno(action + " map " + name, errno, "");
  }

  private static void store(ByteBuffer bytes, Memory memory) {
    memory.getByteBuffer(0, memory.size()).put(bytes.duplicate().rewind());
  }

  private static ByteBuffer copy(Memory memory) {
    return ByteBuffer.wrap(memory.getByteArray(0, (int) memory.size()))
        .order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    key.close();
    nextKey.close();
    value.close();
  }
}
