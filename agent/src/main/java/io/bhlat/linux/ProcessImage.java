// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.StringArray;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Replaces the program that this process runs by a new start of the same one, with a message to it.
 * Whatever the old one had in memory is gone then, and the process stays the same to everybody: its
 * number, its parent, its standard streams.
 */
public final class ProcessImage {

  /** Names the descriptor of the message in the environment. */
  private static final String VARIABLE = "BHLAT_HANDOVER";

  private static final Path EXECUTABLE = Path.of("/proc/self/exe");
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final int LIMIT_BYTES = 1 << 20;

  private ProcessImage() {}

  /**
   * Starts this process's program anew, with the arguments that it was started with. Does not
   * return when that works. All threads end at once, none of them runs a finally block.
   *
   * @param message what {@link #message} gives in the new program
   * @param keptDescriptors what is to stay open, beside the standard streams
   * @throws IOException if it cannot: this program goes on, and the descriptors are as before
   */
  public static void replace(byte[] message, IntStream keptDescriptors) throws IOException {
    String program = Files.readSymbolicLink(EXECUTABLE).toString();
    String[] arguments =
        new String(Files.readAllBytes(COMMAND_LINE), StandardCharsets.ISO_8859_1).split("\0", -1);
    int last = arguments.length - 1; // what follows the last terminator
    String[] terminated = Arrays.copyOf(arguments, last);
    int[] kept = keptDescriptors.toArray();
    try (FileDescriptor memory = memoryFile(message)) {
      keep(kept, true);
      memory.setKeptOnExec(true);
      Libc.setenv(VARIABLE, Integer.toString(memory.number()), 1);
      Libc.execv(program, new StringArray(terminated, StandardCharsets.ISO_8859_1.name()));
      int errno = Libc.errno();
      Libc.unsetenv(VARIABLE);
      keep(kept, false);
      throw new IOException(
          "start "
              + program
              + " anew: "
              + Errno.name(errno)
              + (errno == Errno.ENOENT ? "; was Java replaced meanwhile? Start bhlat again" : ""));
    }
  }

  private static void keep(int[] descriptors, boolean kept) {
    for (int descriptor : descriptors) {
      new FileDescriptor(descriptor).setKeptOnExec(kept);
    }
  }

  private static FileDescriptor memoryFile(byte[] message) throws IOException {
    int file = Libc.memfd_create("bhlat-handover", Libc.MFD_CLOEXEC);
    if (file < 0) {
      throw new IOException("make a file in memory: " + Errno.name(Libc.errno()));
    }
    FileDescriptor memory = new FileDescriptor(file);
    if (Libc.write(file, message, message.length) != message.length) {
      int errno = Libc.errno();
      memory.close();
      throw new IOException("write a file in memory: " + Errno.name(errno));
    }
    return memory;
  }

  /**
   * The message of the program that was replaced by this one; empty when this one was started by
   * somebody else. Once: the descriptor that held it is closed.
   *
   * @throws IOException if the environment names a descriptor that cannot be read
   */
  public static Optional<byte[]> message() throws IOException {
    String number = System.getenv(VARIABLE);
    if (number == null) {
      return Optional.empty();
    }
    try (FileDescriptor memory = new FileDescriptor(Integer.parseUnsignedInt(number))) {
      byte[] bytes = new byte[LIMIT_BYTES];
      long length = Libc.pread(memory.number(), bytes, bytes.length, 0);
      if (length < 0) {
        throw new IOException(problem(number, Errno.name(Libc.errno())));
      }
      return Optional.of(Arrays.copyOf(bytes, (int) length));
    } catch (NumberFormatException e) {
      throw new IOException(problem(number, "not a number"), e);
    }
  }

  private static String problem(String number, String reason) {
    return "read descriptor " + number + ": " + reason + "; unset " + VARIABLE;
  }

  /** The descriptors that came from the program before go no further than this one. */
  public static void keepToThis(IntStream descriptors) {
    keep(descriptors.toArray(), false);
  }
}
