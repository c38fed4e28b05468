// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelSymbols;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What a test needs of the host; without it the test is skipped and says so. */
final class Needs {

  private Needs() {}

  static void root() {
    try {
      Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      assumeTrue(
          uid.equals(0), "needs root: BPF programs are loaded; run agent/bin/verify as root");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** To hide files of the host from one process. In a chroot there are none to be had. */
  static void mountNamespaces() {
    try {
      assumeTrue(
          new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
          "needs a mount namespace of its own, which `unshare -m` does not give here");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Where functions can be probed the mixing is told by its caller, without its symbol. */
  static void noFunctionProbes() {
    assumeFalse(
        new KernelSymbols(HostFiles.ofThisHost()).contains("register_kprobe"),
        "needs a kernel without kprobes; io.bhlat.lab tests the others");
  }

  /** A program that a test calls. */
  static void program(String name) {
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, name))),
        "needs " + name + " on PATH");
  }
}
