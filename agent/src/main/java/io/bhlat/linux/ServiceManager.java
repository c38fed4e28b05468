// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the service manager that started this process how it is, as sd_notify(3) does. Without one
 * every call does nothing. Any thread.
 */
public final class ServiceManager {

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** struct sockaddr_un: the family, then at most 108 bytes of path. */
  private static final int PATH_OFFSET = 2;

  private static final int MOST_PATH_BYTES = 108;

  private final Optional<byte[]> address;
  private final Optional<Duration> watchdog;

  private ServiceManager(Optional<byte[]> address, Optional<Duration> watchdog) {
    this.address = address;
    this.watchdog = watchdog;
  }

  /**
   * The one that the environment names, by {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code
   * WATCHDOG_PID}.
   *
   * @param pid of this process
   * @throws IllegalArgumentException if the environment names none that can be
   */
  public static ServiceManager of(Map<String, String> environment, long pid) {
    String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
    return new ServiceManager(
        socket.isEmpty() ? Optional.empty() : Optional.of(address(socket)),
        watchdog(environment, pid));
  }

  private static byte[] address(String socket) {
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    if (path.length >= MOST_PATH_BYTES || (path[0] != '/' && path[0] != '@')) {
      throw new IllegalArgumentException(
          "NOTIFY_SOCKET=" + socket + ": expected a path, or @ and a name");
    }
    boolean isAbstract = path[0] == '@';
    // A path ends with a zero; an abstract name begins with one instead of the @.
    byte[] address = new byte[PATH_OFFSET + path.length + (isAbstract ? 0 : 1)];
    address[0] = AF_UNIX; // a short, of which little-endian hosts have the low byte first
    System.arraycopy(path, 0, address, PATH_OFFSET, path.length);
    if (isAbstract) {
      address[PATH_OFFSET] = 0;
    }
    return address;
  }

  private static Optional<Duration> watchdog(Map<String, String> environment, long pid) {
    String microseconds = environment.getOrDefault("WATCHDOG_USEC", "");
    String whose = environment.getOrDefault("WATCHDOG_PID", "");
    if (microseconds.isEmpty() || !(whose.isEmpty() || whose.equals(Long.toString(pid)))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Duration.ofNanos(Math.multiplyExact(Long.parseLong(microseconds), 1_000)))
          .filter(interval -> !interval.isNegative() && !interval.isZero());
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException("WATCHDOG_USEC=" + microseconds + ": not a number", e);
    }
  }

  /** Whether there is one. */
  public boolean isPresent() {
    return address.isPresent();
  }

  /** How long it waits for {@link #alive} before it takes this process for hung. */
  public Optional<Duration> watchdogInterval() {
    return watchdog;
  }

  /**
   * The service works.
   *
   * @param status one line for people
   * @throws IOException if it cannot be told
   */
  public void ready(String status) throws IOException {
    send("READY=1\nSTATUS=" + status);
  }

  /** The service is not hung. As {@link #ready}. */
  public void alive() throws IOException {
    if (watchdog.isPresent()) {
      send("WATCHDOG=1");
    }
  }

  /** The service begins to end. As {@link #ready}. */
  public void stopping(String status) throws IOException {
    send("STOPPING=1\nSTATUS=" + status);
  }

  private void send(String message) throws IOException {
    if (address.isEmpty()) {
      return;
    }
    int number = Libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (number < 0) {
      throw failure(Libc.errno());
    }
    try (FileDescriptor socket = new FileDescriptor(number)) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      byte[] to = address.get();
      if (Libc.sendto(socket.number(), bytes, bytes.length, MSG_NOSIGNAL, to, to.length) < 0) {
        throw failure(Libc.errno());
      }
    }
  }

  private static IOException failure(int errno) {
    return new IOException("tell the service manager: " + Errno.name(errno));
  }
}
