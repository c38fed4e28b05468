// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Pointer;
import io.bhlat.linux.Libc;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The values of a map, mapped read-only into this process. Reading takes no system call and
 * allocates nothing. The kernel goes on counting meanwhile: each number is whole, several are not
 * of one moment.
 */
class MappedMemory implements AutoCloseable {

  private static final long PAGE_BYTES = 4096;

  private final Pointer address;
  private final long lengthBytes;
  private final LongBuffer longs;
  private boolean closed;

  private MappedMemory(Pointer address, long lengthBytes) {
    this.address = address;
    this.lengthBytes = lengthBytes;
    this.longs =
        address.getByteBuffer(0, lengthBytes).order(ByteOrder.nativeOrder()).asLongBuffer();
  }

  static MappedMemory of(String map, int descriptor, long lengthBytes) throws BpfException {
    long whole = (lengthBytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    Pointer address = Libc.mmap(null, whole, Libc.PROT_READ, Libc.MAP_SHARED, descriptor, 0);
    if (address == null || address.equals(Libc.MAP_FAILED)) {
      throw BpfException.ofErrno("map " + map + " into memory", Libc.errno(), "");
    }
    return new MappedMemory(address, whole);
  }

  /** Memory that is there already and stays when this is closed: for benchmarks and tests. */
  static MappedMemory over(Pointer address, long lengthBytes) {
    return new MappedMemory(address, lengthBytes) {
      @Override
      public void close() {}
    };
  }

  /**
   * Copies longs out.
   *
   * @param index of the first, counted in longs from the beginning
   * @param into where to
   * @param offset of the first in that array
   * @param length how many
   * @throws IllegalStateException if closed: the memory is not there any more
   */
  void copy(int index, long[] into, int offset, int length) {
    if (closed) {
      throw new IllegalStateException("read of a map that is closed");
    }
    longs.get(index, into, offset, length);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Libc.munmap(address, lengthBytes);
    }
  }
}
