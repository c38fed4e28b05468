// SPDX-License-Identifier: Apache-2.0
package io.bhlat.packaging;

import io.bhlat.cli.CommandModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes the documents of the packages, the same bytes whenever it is called. */
final class Documents {

  /** Of RFC 1952: which level of compression was used. Debian's lintian wants the highest. */
  private static final int EXTRA_FLAGS = 8;

  private static final byte MAXIMUM_COMPRESSION = 2;

  private Documents() {}

  /**
   * Called by Maven.
   *
   * @param args the folder with the templates, the folder to write to, the version, and the date of
   *     the build in the form of ISO 8601
   */
  public static void main(String[] args) throws IOException {
    Path templates = Path.of(args[0]);
    Path target = Files.createDirectories(Path.of(args[1]));
    String version = args[2];
    String date = args[3].substring(0, "2026-11-30".length());
    CommandLine commandLine = CommandModel.commandLine();

    String template = Files.readString(templates.resolve("bhlat.1"));
    String page = ManPage.fill(template, commandLine, version, date);
    Files.writeString(target.resolve("bhlat.1"), page);
    Files.write(target.resolve("bhlat.1.gz"), compressed(page));
    String changes = Files.readString(templates.resolve("changelog"));
    Files.write(target.resolve("changelog.gz"), compressed(changes));
    Files.writeString(target.resolve("bash-completion"), completion(commandLine));
  }

  /** The completion of picocli for bash, which zsh reads too. */
  static String completion(CommandLine commandLine) {
    return "# SPDX-License-Identifier: Apache-2.0\n"
        + AutoComplete.bash("bhlat", commandLine)
            .replaceFirst("(?m)^#!.*\n", "")
            // Its only line that differs from build to build.
            .replaceAll("(?m)^# (Generated|Date|on ).*\n", "");
  }

  /** Without a time, unlike what gzip makes. */
  static byte[] compressed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new Best(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    byte[] file = bytes.toByteArray();
    file[EXTRA_FLAGS] = MAXIMUM_COMPRESSION;
    return file;
  }

  private static final class Best extends GZIPOutputStream {
    Best(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
