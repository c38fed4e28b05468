// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.recording.IntervalSum;
import io.bhlat.recording.RecordedInterval;
import io.bhlat.recording.RecordingException;
import io.bhlat.recording.RecordingReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bhlat record}: writes a recording to a file. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Writes what a running `bhlat serve` has counted lately to a file, second by second, with what"
          + " the host is. `bhlat hist --recording FILE` prints it, on any host.",
      ""
    })
final class RecordCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private DaemonFlags daemon = new DaemonFlags();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write.")
  private Path file = Path.of("");

  @Option(names = "--force", description = "Replace the file if it exists.")
  private boolean force;

  RecordCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!daemon.isAsked()) {
      throw new CommandFailure(
          ExitCode.USAGE, "record needs --from-daemon: it cannot measure by itself yet");
    }
    requireAbsent();
    DaemonClient client = daemon.client();
    Optional<Duration> since = Optional.ofNullable(daemon.since);
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder == null) {
      throw new CommandFailure(ExitCode.USAGE, "write " + file + ": EISDIR; name a file");
    }
    Path temporary =
        folder.resolve("." + file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    try {
      try (InputStream in = client.recording(since)) {
        copy(in, temporary);
      }
      Written written = verify(temporary);
      move(temporary);
      return say(written, since);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private void requireAbsent() {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new CommandFailure(
          ExitCode.CANNOT, "write " + file + ": not a regular file; choose another name");
    }
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists();
    }
  }

  private CommandFailure exists() {
    return new CommandFailure(
        ExitCode.USAGE,
        "write " + file + ": EEXIST; choose another name, or replace it by --force");
  }

  private void copy(InputStream in, Path temporary) {
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      in.transferTo(Channels.newOutputStream(channel));
      channel.force(true);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(
          ExitCode.CANNOT, "write " + file + ": ENOENT; name a folder that exists", e);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, "write " + file + ": " + e.getMessage(), e);
    }
  }

  private record Written(IntervalSum sum, long bytes) {}

  /** What arrived can be read, to its end. */
  private static Written verify(Path temporary) throws IOException {
    IntervalSum sum = new IntervalSum();
    try (RecordingReader reader =
        new RecordingReader(new BufferedInputStream(Files.newInputStream(temporary)))) {
      for (Optional<RecordedInterval> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        sum.add(next.get());
      }
      if (reader.damage().isPresent()) {
        throw new CommandFailure(
            ExitCode.CANNOT, "receive the recording: " + reader.damage().get() + "; try again");
      }
      if (sum.frames() == 0) {
        throw new CommandFailure(
            ExitCode.CANNOT,
            "receive the recording: nothing is recorded yet; try again in a second");
      }
      return new Written(sum, Files.size(temporary));
    } catch (RecordingException e) {
      throw new CommandFailure(ExitCode.CANNOT, "receive the recording: " + e.getMessage(), e);
    }
  }

  private void move(Path temporary) throws IOException {
    if (force) {
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    try {
      Files.move(temporary, file);
    } catch (FileAlreadyExistsException e) {
      throw exists();
    }
  }

  private int say(Written written, Optional<Duration> since) {
    var span = written.sum.interval();
    terminal.print(
        "wrote %s: %s from %s to %s, %,d frames, %,d bytes%n"
            .formatted(
                file,
                terminal.units().duration(span.durationNs()),
                span.from().truncatedTo(ChronoUnit.SECONDS),
                span.to().truncatedTo(ChronoUnit.SECONDS),
                written.sum.frames(),
                written.bytes));
    return Coverage.exitCode(terminal, since, span);
  }
}
