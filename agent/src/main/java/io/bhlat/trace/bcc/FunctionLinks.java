// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import io.bhlat.linux.Errno;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.linux.Libc;
import io.bhlat.linux.SystemCall;
import io.bhlat.trace.ProbeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * One kprobe program, loaded once, and all functions that it is attached to, each by its address:
 * names of static functions need not be unique. libbcc's own attaching by name would do, but for
 * those names and for what it writes to stderr at each failure. Thread-safe.
 *
 * <p>A function of a module that is unloaded takes the probe with it; its link stays, and does
 * nothing, until it is closed or replaced.
 */
final class FunctionLinks implements Link {

  private static final Path KPROBE_SOURCE = Path.of("/sys/bus/event_source/devices/kprobe");

  private static final long CLOSE_ON_EXEC = 8;
  private static final long IOCTL_SET_BPF = 0x40042408L;
  private static final long IOCTL_ENABLE = 0x2400L;

  private static final int ATTRIBUTES_BYTES = 112; // PERF_ATTR_SIZE_VER5: Linux 4.1
  private static final int EVERY_PROCESS = -1;
  private static final int NO_GROUP = -1;

  /** A kprobe fires on every CPU, whichever the descriptor is of. */
  private static final int ANY_CPU = 0;

  private final FileDescriptor program;
  private final int perfType;
  private final boolean atReturn;
  private final Map<Long, FileDescriptor> links = new HashMap<>();
  private boolean closed;

  private FunctionLinks(
      FileDescriptor program, int perfType, boolean atReturn, Map<Long, FileDescriptor> links) {
    this.program = program;
    this.perfType = perfType;
    this.atReturn = atReturn;
    this.links.putAll(links);
  }

  /**
   * Finds out whether functions can be probed by kprobes here; attaches to none.
   *
   * @param program a loaded kprobe program, which the caller closes later
   * @param atReturn whether it runs when a function returns, rather than when it begins
   * @throws BpfException if this kernel has no kprobes or does not permit them
   */
  static FunctionLinks of(FileDescriptor program, boolean atReturn) throws BpfException {
    FunctionLinks links = new FunctionLinks(program, perfType(), atReturn, Map.of());
    // Always there; our programs know it for no tasklet's function.
    Link.attach(ProbeKind.KPROBE, program, "__tasklet_schedule").close();
    return links;
  }

  /**
   * Takes over what another process image attached.
   *
   * @param links by the address of the function
   * @throws BpfException if sysfs cannot be read
   */
  static FunctionLinks inherited(
      FileDescriptor program, boolean atReturn, Map<Long, FileDescriptor> links)
      throws BpfException {
    return new FunctionLinks(program, perfType(), atReturn, links);
  }

  private static int perfType() throws BpfException {
    try {
      return Integer.parseInt(Files.readString(KPROBE_SOURCE.resolve("type")).strip());
    } catch (IOException e) {
      throw new BpfException(
          BpfException.Kind.UNSUPPORTED,
          "attach kprobes by address",
          Errno.text(e),
          "the kernel needs CONFIG_KPROBE_EVENTS, and sysfs must be mounted on /sys");
    }
  }

  /**
   * Attaches to a function. If it was attached there before, that link goes, after the new one has
   * come: both may run meanwhile.
   *
   * @param address of the function's first instruction
   * @throws BpfException if the kernel refuses; what was attached there before stays
   */
  synchronized void attach(long address) throws BpfException {
    if (closed) {
      throw new IllegalStateException("attach to functions after detaching");
    }
    FileDescriptor link = open(address);
    if (Libc.ioctl(link.number(), IOCTL_SET_BPF, program.number()) < 0
        || Libc.ioctl(link.number(), IOCTL_ENABLE, 0) < 0) {
      int errno = Libc.errno();
      link.close();
      throw BpfException.ofErrno("attach to kprobe", errno, "");
    }
    FileDescriptor before = links.put(address, link);
    if (before != null) {
      before.close();
    }
  }

  private FileDescriptor open(long address) throws BpfException {
    try (Memory attributes = attributes(address)) {
      int descriptor =
          SystemCall.perfEventOpen(attributes, EVERY_PROCESS, ANY_CPU, NO_GROUP, CLOSE_ON_EXEC);
      if (descriptor < 0) {
        throw BpfException.ofErrno("make kprobe", Libc.errno(), "");
      }
      return new FileDescriptor(descriptor);
    }
  }

  /** struct perf_event_attr: type, size, config (bit 0: at return), config1 and config2: where. */
  private Memory attributes(long address) {
    Memory attributes = new Memory(ATTRIBUTES_BYTES);
    attributes.clear();
    attributes.setInt(0, perfType);
    attributes.setInt(4, ATTRIBUTES_BYTES);
    attributes.setLong(8, atReturn ? 1 : 0);
    attributes.setLong(16, 1); // sample_period
    attributes.setInt(48, 1); // wakeup_events
    attributes.setLong(56, 0); // kprobe_func: none, hence kprobe_addr
    attributes.setLong(64, address);
    return attributes;
  }

  /** Detaches from a function, if it is attached there. */
  synchronized void detach(long address) {
    FileDescriptor link = links.remove(address);
    if (link != null) {
      link.close();
    }
  }

  @Override
  public synchronized Map<Long, FileDescriptor> descriptors() {
    return Map.copyOf(links);
  }

  @Override
  public synchronized void close() {
    closed = true;
    links.values().forEach(FileDescriptor::close);
    links.clear();
  }
}
