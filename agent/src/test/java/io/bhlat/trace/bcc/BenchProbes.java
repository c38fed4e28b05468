// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.BpfFiles;
import io.bhlat.trace.BpfSource;
import io.bhlat.trace.ProbeKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program, not a test: compiles one BPF source, attaches its raw tracepoint programs and holds
 * them until standard input ends or the process is killed. bpf/bench/overhead loads by it what
 * bhlat is compared with, so that all are compiled and attached the same way.
 *
 * <p>Prints {@code attached} once all are, and nothing else. Any failure ends it with an exit code
 * that is not 0: a contender that is attached in part would win.
 */
final class BenchProbes {

  private BenchProbes() {}

  /**
   * Runs until standard input ends.
   *
   * @param arguments the source, then the names of tracepoints, for each of which the source has a
   *     {@code RAW_TRACEPOINT_PROBE}
   */
  public static void main(String[] arguments) throws IOException, BpfException {
    if (arguments.length < 2) {
      throw new IllegalArgumentException("usage: BenchProbes SOURCE TRACEPOINT...");
    }
    List<Link> held = new ArrayList<>();
    try (BpfFiles headers = BpfFiles.unpack();
        BccModule module =
            BccModule.compile(
                new BpfSource(Files.readString(Path.of(arguments[0])), Map.of()),
                headers.folder())) {
      for (String tracepoint : List.of(arguments).subList(1, arguments.length)) {
        FileDescriptor program =
            module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__" + tracepoint);
        held.add(Link.of(program));
        held.add(Link.attach(ProbeKind.RAW_TRACEPOINT, program, tracepoint));
      }
      System.out.println("attached");
      System.in.transferTo(OutputStream.nullOutputStream());
    } finally {
      held.forEach(Link::close);
    }
  }
}
