// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import io.bhlat.kernel.HostFiles;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The BPF programs, maps and links that exist in the kernel, whoever made them. Needs root. */
public enum BpfObjects {
  PROGRAMS(11, "prog_id:"),
  MAPS(12, "map_id:"),
  LINKS(31, "link_id:");

  private static final int ENOENT = 2;
  private static final int ATTRIBUTE_INTS = 3;

  private static final long SYS_BPF =
      System.getProperty("os.arch", "").toLowerCase(Locale.ROOT).equals("aarch64") ? 280 : 321;

  private final int getNextIdCommand;
  private final String fdinfoField;

  BpfObjects(int getNextIdCommand, String fdinfoField) {
    this.getNextIdCommand = getNextIdCommand;
    this.fdinfoField = fdinfoField;
  }

  /** Apart from the enum, whose finalize() Error Prone takes for a danger to native calls. */
  static final class Kernel {
    static {
      Native.register(Kernel.class, "c");
    }

    private Kernel() {}

    /** The smallest id above; 0 if there is none. */
    static int nextId(int command, int id) {
      int[] startAndNext = new int[ATTRIBUTE_INTS];
      startAndNext[0] = id;
      NativeLong bpf = new NativeLong(SYS_BPF);
      if (syscall(bpf, command, startAndNext, ATTRIBUTE_INTS * Integer.BYTES).longValue() == 0) {
        return startAndNext[1];
      }
      if (Native.getLastError() != ENOENT) {
        throw new AssertionError("bpf command " + command + ": errno " + Native.getLastError());
      }
      return 0;
    }

    static native NativeLong syscall(NativeLong number, int command, int[] attributes, int bytes);
  }

  /** The ids of all in the kernel, from bpf(BPF_…_GET_NEXT_ID). */
  public Set<Integer> inKernel() {
    Set<Integer> ids = new TreeSet<>();
    int id = Kernel.nextId(getNextIdCommand, 0);
    while (id != 0) {
      ids.add(id);
      id = Kernel.nextId(getNextIdCommand, id);
    }
    return ids;
  }

  /** The ids of those that a process holds open, from its fdinfo. */
  public Set<Integer> heldBy(long pid) {
    HostFiles host = HostFiles.ofThisHost();
    Set<Integer> ids = new TreeSet<>();
    String folder = "/proc/" + pid + "/fdinfo";
    for (String descriptor : host.names(folder)) {
      host.text(folder + "/" + descriptor).stream()
          .flatMap(String::lines)
          .filter(line -> line.startsWith(fdinfoField))
          .forEach(line -> ids.add(Integer.parseInt(line.substring(fdinfoField.length()).strip())));
    }
    return ids;
  }
}
