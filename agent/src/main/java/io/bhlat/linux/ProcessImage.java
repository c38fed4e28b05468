// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import com.sun.jna.StringArray;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Replaces the program that this process runs by a new start of the same one, with a message to it.
 * Whatever the old one had in memory is gone then, and the process stays the same to everybody: its
 * number, its parent, its standard streams.
 */
public final class ProcessImage {

  /** Names the descriptor of the message in the environment. */
  private static final String VARIABLE = "BHLAT_HANDOVER";

  private static final Path EXECUTABLE = Path.of("/proc/self/exe");
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  /** Arguments are bytes; this character set has one character for each. */
  private static final Charset ANY_BYTES = StandardCharsets.ISO_8859_1;

  private static final int LIMIT_BYTES = 1 << 20;

  private ProcessImage() {}

  /**
   * Starts this process's program anew. Does not return when that works. All threads end at once,
   * none of them runs a finally block.
   *
   * @param arguments makes the arguments of those that it was started with, the program's name
   *     first
   * @param message what {@link #message} gives in the new program
   * @param keptDescriptors what is to stay open, beside the standard streams
   * @throws IOException if it cannot: this program goes on
   */
  public static void replace(
      UnaryOperator<List<String>> arguments, byte[] message, IntStream keptDescriptors)
      throws IOException {
    String program = Files.readSymbolicLink(EXECUTABLE).toString();
    String[] changed = arguments.apply(commandLine()).toArray(String[]::new);
    try (FileDescriptor memory = memoryFile(message)) {
      keep(open(), false); // Java leaves most of what it opens to the next program.
      keep(keptDescriptors, true);
      memory.setKeptOnExec(true);
      Libc.setenv(VARIABLE, Integer.toString(memory.number()), 1);
      Libc.execv(program, new StringArray(changed, ANY_BYTES.name()));
      int errno = Libc.errno();
      Libc.unsetenv(VARIABLE);
      throw new IOException(
          "start "
              + program
              + " anew: "
              + Errno.name(errno)
              + (errno == Errno.ENOENT ? "; was Java replaced meanwhile? Start bhlat again" : ""));
    }
  }

  /** Every argument ends with a zero, the last one too. */
  private static List<String> commandLine() throws IOException {
    String line = new String(Files.readAllBytes(COMMAND_LINE), ANY_BYTES);
    return List.of(line.substring(0, line.length() - 1).split("\0", -1));
  }

  private static void keep(IntStream descriptors, boolean kept) {
    descriptors.forEach(descriptor -> new FileDescriptor(descriptor).setKeptOnExec(kept));
  }

  /** All that are open beside the standard streams. */
  private static IntStream open() throws IOException {
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      List<Path> listed = descriptors.toList();
      return listed.stream()
          .mapToInt(descriptor -> Integer.parseInt(descriptor.getFileName().toString()))
          .filter(descriptor -> descriptor > Libc.STDERR);
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
    keep(descriptors, false);
  }
}
