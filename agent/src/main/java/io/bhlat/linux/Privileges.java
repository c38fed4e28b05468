// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.Memory;
import io.bhlat.kernel.Capability;
import java.io.IOException;
import java.util.Set;

/** Gives capabilities up. */
public final class Privileges {

  // prctl(2), linux/prctl.h
  private static final int CAPBSET_READ = 23;
  private static final int CAPBSET_DROP = 24;
  private static final int SET_NO_NEW_PRIVS = 38;
  private static final int CAP_AMBIENT = 47;
  private static final int CAP_AMBIENT_LOWER = 3;

  /** _LINUX_CAPABILITY_VERSION_3: two words a set, of which the second holds 32 to 63. */
  private static final int VERSION = 0x2008_0522;

  private static final int SETS = 3;
  private static final int WORDS = 2;

  private Privileges() {}

  /**
   * The thread that calls, and every program that it executes from here on, has at most these
   * capabilities; it gains none. Other threads keep what they have: to be called before {@link
   * ProcessImage#replace}, which ends them.
   *
   * @param kept those to keep, of which this thread may lack some
   * @param held the mask of those that it has now, as in /proc/self/status
   * @throws IOException if the kernel refuses
   */
  public static void keepOnly(Set<Capability> kept, long held) throws IOException {
    long mask = 0;
    for (Capability capability : kept) {
      mask |= 1L << capability.number();
    }
    mask &= held;
    require(Libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0), "forbid new privileges");
    for (int number = 0; Libc.prctl(CAPBSET_READ, number, 0, 0, 0) >= 0; number++) {
      if ((mask >>> number & 1) == 0) {
        // Without CAP_SETPCAP the bounding set stays; no_new_privs has the same effect.
        Libc.prctl(CAPBSET_DROP, number, 0, 0, 0);
        Libc.prctl(CAP_AMBIENT, CAP_AMBIENT_LOWER, number, 0, 0);
      }
    }
    set(mask);
  }

  /**
   * Effective and permitted become the mask; inheritable too, for it is part of what exec gives.
   */
  private static void set(long mask) throws IOException {
    try (Memory header = new Memory(2L * Integer.BYTES);
        Memory sets = new Memory((long) SETS * WORDS * Integer.BYTES)) {
      header.setInt(0, VERSION);
      header.setInt(Integer.BYTES, 0); // this thread
      for (int word = 0; word < WORDS; word++) {
        for (int set = 0; set < SETS; set++) {
          sets.setInt(
              (long) (word * SETS + set) * Integer.BYTES, (int) (mask >>> (word * Integer.SIZE)));
        }
      }
      require(SystemCall.capset(header, sets), "give up capabilities");
    }
  }

  private static void require(int result, String action) throws IOException {
    if (result < 0) {
      throw new IOException(action + ": " + Errno.name(Libc.errno()));
    }
  }
}
