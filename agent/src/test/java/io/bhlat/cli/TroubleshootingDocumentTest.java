// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LossReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The headings of docs/TROUBLESHOOTING.md are messages that the sources really have.
 *
 * <p>A message is put together at run time of pieces: an action, an errno, a remedy. So a heading
 * is cut at its placeholders and punctuation, and each piece is looked for in the sources, whose
 * concatenated literals are joined first.
 */
final class TroubleshootingDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "TROUBLESHOOTING.md");
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src", "main", "java"),
          Path.of("bin"),
          Path.of("packaging", "bin"),
          Path.of("..", "bpf"));
  private static final Pattern HEADING = Pattern.compile("^### `(.+)`$", Pattern.MULTILINE);
  private static final Pattern BETWEEN_PIECES = Pattern.compile("<[^>]*>|[:;,](?= |$)");
  private static final Pattern CONSTANT =
      Pattern.compile("static final String (\\w+) =\\s*(\"[^\"\n]*\");");
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void everyHeadingIsAMessageOfTheSources() throws IOException {
    String sources = sources();

    assertThat(headings())
        .hasSizeGreaterThan(40)
        .allSatisfy(
            heading ->
                assertThat(pieces(heading))
                    .as("pieces of: %s", heading)
                    .anyMatch(piece -> piece.length() > 8)
                    .allSatisfy(piece -> assertThat(sources).contains(piece)));
  }

  @Test
  void everyReasonOfALossHasAHeadingWithItsRemedy() throws IOException {
    assertThat(headings())
        .containsAll(
            Arrays.stream(LossReason.values()).map(r -> r.label() + ": " + r.remedy()).toList());
  }

  private static List<String> headings() throws IOException {
    return HEADING
        .matcher(Files.readString(DOCUMENT))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static List<String> pieces(String heading) {
    return BETWEEN_PIECES
        .splitAsStream(heading)
        .map(String::strip)
        .filter(piece -> piece.length() > 3)
        .toList();
  }

  private static String sources() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path root : SOURCES) {
      try (Stream<Path> files = Files.walk(root)) {
        all.append(
            files
                .filter(Files::isRegularFile)
                .map(TroubleshootingDocumentTest::read)
                .collect(Collectors.joining("\n")));
      }
    }
    return JOINT.matcher(all.toString().replace("\\\"", "\"")).replaceAll("").replace("`", "");
  }

  /** The text, with the names of its string constants replaced by what they hold. */
  private static String read(Path file) {
    try {
      String text = Files.readString(file);
      for (MatchResult constant : CONSTANT.matcher(text).results().toList()) {
        text =
            text.replaceAll(
                "\\b" + constant.group(1) + "\\b", Matcher.quoteReplacement(constant.group(2)));
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
