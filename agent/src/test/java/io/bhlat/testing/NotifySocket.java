// SPDX-License-Identifier: Apache-2.0
package io.bhlat.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.bhlat.linux.FileDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a service manager listens on: a datagram socket of the kernel's, which Java has not. */
public final class NotifySocket implements AutoCloseable {

  static {
    Native.register(NotifySocket.class, "c");
  }

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int DONT_WAIT = 0x40;

  private final FileDescriptor socket = new FileDescriptor(socket(AF_UNIX, SOCK_DGRAM, 0));

  private static native int socket(int domain, int type, int protocol);

  private static native int bind(int socket, byte[] address, int length);

  private static native long recv(int socket, byte[] buffer, long length, int flags);

  private NotifySocket(String name) {
    byte[] path = name.getBytes(StandardCharsets.UTF_8);
    byte[] address = new byte[2 + path.length];
    address[0] = AF_UNIX;
    System.arraycopy(path, 0, address, 2, path.length);
    assertThat(bind(socket.number(), address, address.length)).isZero();
  }

  /** One that is a file. */
  public static NotifySocket at(String path) {
    return new NotifySocket(path + "\0");
  }

  /** One that is a name only. */
  public static NotifySocket named(String name) {
    return new NotifySocket("\0" + name);
  }

  /** The next message; "none" if none is there. */
  public String message() {
    byte[] buffer = new byte[4096];
    long length = recv(socket.number(), buffer, buffer.length, DONT_WAIT);
    return length < 0
        ? "none"
        : new String(Arrays.copyOf(buffer, (int) length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    socket.close();
  }
}
