// SPDX-License-Identifier: Apache-2.0
package io.bhlat.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.CommandModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written for the packages. */
final class DocumentsTest {

  @TempDir private Path folder;

  @Test
  void areTheSameBytesWheneverTheyAreWritten() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    for (Path target : List.of(first, second)) {
      Documents.main(new String[] {"man", target.toString(), "0.1.0", "2026-11-30T00:00:00Z"});
    }
    for (String name : List.of("bhlat.1", "bhlat.1.gz", "changelog.gz", "bash-completion")) {
      assertThat(first.resolve(name)).hasSameBinaryContentAs(second.resolve(name));
    }
  }

  @Test
  void areCompressedWithoutATimeAndAsMuchAsCanBe() throws IOException {
    byte[] compressed = Documents.compressed("text");
    assertThat(compressed).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2);
    try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      assertThat(text.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("text");
    }
  }

  @Test
  void completeCommandsAndOptionsInBash() throws Exception {
    Path completion = folder.resolve("bhlat");
    Files.writeString(completion, Documents.completion(CommandModel.commandLine()));

    assertThat(completed(completion, "bhlat", "se")).containsExactly("serve");
    assertThat(completed(completion, "bhlat", "hist", "--dur")).containsExactly("--duration");
    assertThat(completed(completion, "bhlat", "serve", "--web.li"))
        .containsExactly("--web.listen-address");
  }

  /** What bash offers for the last word. */
  private static List<String> completed(Path completion, String... words) throws Exception {
    Process bash =
        new ProcessBuilder(command(completion, words))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    bash.getOutputStream().close();
    String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return offered.lines().filter(line -> !line.isEmpty()).toList();
  }

  private static List<String> command(Path completion, String... words) {
    String script =
        "compopt() { :; }; source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
            + " COMP_POINT=${#COMP_LINE}; _complete_bhlat; printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, completion.toString()));
    command.addAll(List.of(words));
    return command;
  }
}
