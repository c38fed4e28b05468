// SPDX-License-Identifier: Apache-2.0
package io.bhlat.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file under {@code src/test/resources/golden} that holds what a formatter is expected to print,
 * byte for byte, in UTF-8.
 *
 * <p>{@code mvn verify -Dbhlat.golden.update=true} writes what is printed instead of comparing it;
 * the change is then reviewed as a difference of text.
 */
public final class Golden {

  private static final String UPDATE = "bhlat.golden.update";
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /** Asserts that a text is what the file holds; a missing file is a difference too. */
  public static void assertMatches(String name, String actual) {
    Path file = FOLDER.resolve(name);
    try {
      if (Boolean.getBoolean(UPDATE)) {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, actual);
        return;
      }
      assertThat(actual)
          .as("%s; if the new text is right, run with -D%s=true", file, UPDATE)
          .isEqualTo(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new AssertionError(file + " is missing; run with -D" + UPDATE + "=true", e);
    } catch (IOException e) {
      throw new UncheckedIOException("read or write " + file, e);
    }
  }
}
