// SPDX-License-Identifier: Apache-2.0
package io.bhlat.testing;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the running kernel defer work of every kind that it can be made to from outside: pty writes
 * (work items on an unbound workqueue), loopback datagrams (NET_RX), synchronous writes (BLOCK,
 * work items on per-CPU workqueues, interrupts that feed the fast pool) and timers.
 */
public final class KernelLoad implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final Path file;
  private volatile boolean stopping;

  private KernelLoad(Path file) {
    this.file = file;
  }

  /** Starts the load; it goes on until closed. */
  public static KernelLoad start() throws IOException {
    KernelLoad load = new KernelLoad(Files.createTempFile("bhlat-load", ""));
    load.processes.add(
        new ProcessBuilder("script", "-q", "-c", "yes", "/dev/null")
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
    load.thread(load::sendDatagrams);
    load.thread(load::writeSynchronously);
    load.thread(load::waitForTimers);
    return load;
  }

  private interface Work {
    void run() throws IOException;
  }

  private void thread(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            "kernel-load");
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private void sendDatagrams() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
      DatagramPacket sent = new DatagramPacket(new byte[8], 8, loopback, socket.getLocalPort());
      DatagramPacket received = new DatagramPacket(new byte[8], 8);
      while (!stopping) {
        for (int i = 0; i < 50; i++) {
          socket.send(sent);
          socket.receive(received);
        }
        LockSupport.parkNanos(200_000);
      }
    }
  }

  private void writeSynchronously() throws IOException {
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      while (!stopping) {
        channel.write(ByteBuffer.allocate(4096), 0);
        channel.force(true);
      }
    }
  }

  private void waitForTimers() {
    while (!stopping) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Override
  public void close() throws IOException {
    stopping = true;
    processes.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    processes.forEach(Process::destroyForcibly);
    for (Thread thread : threads) {
      try {
        thread.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Files.deleteIfExists(file);
  }
}
