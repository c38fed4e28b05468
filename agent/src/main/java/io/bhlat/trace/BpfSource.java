// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * One BPF source to compile: whole files, one after the other, and constants for the compiler.
 * Nothing is ever replaced inside a text. Immutable.
 *
 * <p>Files are joined because libbcc rewrites map calls in the main file only; {@code #line} keeps
 * diagnostics at the right file and line.
 *
 * @param text the C text
 * @param defines constants, C name to C expression
 */
public record BpfSource(String text, Map<String, String> defines) {

  private static final String ROOT = "/bpf/";

  public BpfSource {
    defines = Map.copyOf(defines);
  }

  /**
   * Joins files of the project's bpf folder.
   *
   * @param files names such as {@code softirq.c}, in order
   * @param defines constants, C name to C expression
   */
  public static BpfSource of(List<String> files, Map<String, String> defines) {
    StringBuilder text = new StringBuilder();
    for (String file : files) {
      text.append("#line 1 \"bpf/").append(file).append("\"\n").append(read(file)).append('\n');
    }
    return new BpfSource(text.toString(), defines);
  }

  /** The constants as flags for clang. */
  public List<String> definesAsFlags() {
    return defines.entrySet().stream()
        .map(define -> "-D" + define.getKey() + "=" + define.getValue())
        .toList();
  }

  /** The text of a file of the bpf folder. */
  public static String read(String file) {
    try (InputStream in = BpfSource.class.getResourceAsStream(ROOT + file)) {
      if (in == null) {
        throw new IllegalArgumentException("no such BPF source: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("read BPF source " + file, e);
    }
  }
}
