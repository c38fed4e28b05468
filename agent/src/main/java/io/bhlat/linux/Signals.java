// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.Pointer;

/** What this process does on signals, beside what Java does. */
public final class Signals {

  private static final int SIGHUP = 1;
  private static final Pointer SIG_IGN = Pointer.createConstant(1);

  private Signals() {}

  /** SIGHUP, on which Java ends the process, does nothing from here on. */
  public static void ignoreHangup() {
    Libc.signal(SIGHUP, SIG_IGN);
  }
}
