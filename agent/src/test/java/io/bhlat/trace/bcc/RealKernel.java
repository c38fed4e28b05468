// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.bhlat.kernel.Capabilities;
import io.bhlat.kernel.HostFiles;
import io.bhlat.linux.Errno;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.linux.Libc;
import io.bhlat.trace.BpfFiles;
import io.bhlat.trace.BpfSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kernel that runs the tests, as far as tests ask it for more than the agent does. */
final class RealKernel {

  private static final long BPF_SYSCALL =
      System.getProperty("os.arch").equals("aarch64") ? 280 : 321;
  private static final int BPF_PROG_TEST_RUN = 10;
  private static final int BPF_PROG_GET_FD_BY_ID = 13;
  private static final int BPF_OBJ_GET_INFO_BY_FD = 15;

  /** struct bpf_prog_info up to recursion_misses, its last field here. */
  private static final int PROGRAM_INFO_BYTES = 216;

  /** As far as tests fill it in; the kernel takes the rest for zero. */
  private static final int ATTRIBUTE_BYTES = 80;

  static {
    Native.register(RealKernel.class, "c");
  }

  private RealKernel() {}

  private static native long syscall(long number, int command, Pointer attribute, int size);

  /** Skips the test unless this process may load tracing programs. */
  static void assume() {
    assumeTrue(
        Capabilities.read(HostFiles.ofThisHost()).canLoadTracing(),
        "needs root: it loads programs into the kernel; run agent/bin/verify as root");
  }

  /** Compiles one text against the agent's header tree, with the constants of its layout. */
  static BccModule compile(String text) throws BpfException {
    return compile(new BpfSource(text, CountsLayout.defines()));
  }

  /** Compiles a source against the agent's header tree. */
  static BccModule compile(BpfSource source) throws BpfException {
    try (BpfFiles headers = BpfFiles.unpack()) {
      return BccModule.compile(source, headers.folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a resource beside this class. */
  static String resource(String name) {
    try (InputStream in = RealKernel.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no such test resource: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs raw tracepoint programs by BPF_PROG_TEST_RUN (5.10 or later). Not thread-safe. */
  static final class Runner implements AutoCloseable {
    private final Memory arguments = new Memory(8);
    private final Memory attribute = new Memory(ATTRIBUTE_BYTES);

    /**
     * Runs a program once.
     *
     * @param argument what it finds in {@code ctx->args[0]}
     * @return what the program returned
     */
    int run(FileDescriptor program, long argument) {
      arguments.setLong(0, argument);
      attribute.clear();
      attribute.setInt(0, program.number());
      attribute.setInt(40, (int) arguments.size()); // ctx_size_in
      attribute.setPointer(48, arguments); // ctx_in
      if (syscall(BPF_SYSCALL, BPF_PROG_TEST_RUN, attribute, ATTRIBUTE_BYTES) < 0) {
        throw new AssertionError("BPF_PROG_TEST_RUN: " + Errno.name(Native.getLastError()));
      }
      return attribute.getInt(4); // retval
    }

    @Override
    public void close() {
      arguments.close();
      attribute.close();
    }
  }

  /** The open descriptors of this process that are of BPF: what each link in /proc names. */
  static List<String> openBpfDescriptors() {
    List<String> open = new ArrayList<>();
    for (Map.Entry<Path, String> entry : descriptors().entrySet()) {
      if (entry.getValue().contains("bpf")) {
        open.add(entry.getValue());
      }
    }
    return open;
  }

  private static Map<Path, String> descriptors() {
    Map<Path, String> descriptors = new java.util.TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        try {
          descriptors.put(file.getFileName(), Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException closedMeanwhile) {
          // the descriptor of the listing itself
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return descriptors;
  }

  /** The kernel's numbers of the programs that this process has descriptors of. */
  static List<Integer> programIds() {
    List<Integer> ids = new ArrayList<>();
    descriptors()
        .forEach(
            (descriptor, target) -> {
              if (target.contains("bpf-prog")) {
                ids.add(programId(descriptor));
              }
            });
    return ids;
  }

  private static int programId(Path descriptor) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/fdinfo").resolve(descriptor))) {
      return lines
          .filter(line -> line.startsWith("prog_id:"))
          .map(line -> Integer.parseInt(line.substring("prog_id:".length()).strip()))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often the kernel skipped programs of this process, all together. */
  static long recursionMisses() {
    return descriptors().entrySet().stream()
        .filter(descriptor -> descriptor.getValue().contains("bpf-prog"))
        .mapToInt(descriptor -> Integer.parseInt(descriptor.getKey().toString()))
        .mapToLong(number -> recursionMisses(new FileDescriptor(number)))
        .sum();
  }

  /** How often the kernel skipped a program, by BPF_OBJ_GET_INFO_BY_FD (5.12 or later). */
  static long recursionMisses(FileDescriptor program) {
    try (Memory attribute = new Memory(ATTRIBUTE_BYTES);
        Memory info = new Memory(PROGRAM_INFO_BYTES)) {
      attribute.clear();
      info.clear();
      attribute.setInt(0, program.number());
      attribute.setInt(4, PROGRAM_INFO_BYTES);
      attribute.setPointer(8, info);
      if (syscall(BPF_SYSCALL, BPF_OBJ_GET_INFO_BY_FD, attribute, ATTRIBUTE_BYTES) < 0) {
        throw new AssertionError("BPF_OBJ_GET_INFO_BY_FD: " + Errno.name(Native.getLastError()));
      }
      return info.getLong(PROGRAM_INFO_BYTES - Long.BYTES);
    }
  }

  /** Whether the kernel still has a program, by whomever it is held. */
  static boolean hasProgram(int id) {
    try (Memory attribute = new Memory(ATTRIBUTE_BYTES)) {
      attribute.clear();
      attribute.setInt(0, id);
      long descriptor = syscall(BPF_SYSCALL, BPF_PROG_GET_FD_BY_ID, attribute, ATTRIBUTE_BYTES);
      int errno = Native.getLastError();
      if (descriptor >= 0) {
        Libc.close((int) descriptor);
        return true;
      }
      if (errno != Errno.ENOENT) {
        throw new AssertionError("BPF_PROG_GET_FD_BY_ID: " + Errno.name(errno));
      }
      return false;
    }
  }
}
