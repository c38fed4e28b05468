// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * bhlat as its users start it: a process of its own, on the kernel that runs here. What it prints
 * is read while it runs. {@link #close} ends it whatever happened.
 */
final class BhlatProcess implements AutoCloseable {

  /** Generous: tests may share two cores with everything else that is built. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As the launcher starts it. */
  private static final List<String> JVM =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-Xss512k",
          "-Xmx128m");

  private final Process process;
  private final Output out;
  private final Output err;

  private BhlatProcess(Process process) {
    this.process = process;
    this.out = new Output(process.getInputStream(), "stdout of bhlat");
    this.err = new Output(process.getErrorStream(), "stderr of bhlat");
  }

  /** What a process said and how it ended. */
  record Outcome(int exitCode, String out, String err) {}

  /** A command line in the making. */
  static final class Call {
    private final List<String> arguments;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");
    private Optional<File> stdout = Optional.empty();

    private Call(String... arguments) {
      this.arguments = List.of(arguments);
    }

    /** Runs it by another program, which ends with exec: the process id stays the same. */
    Call by(String... command) {
      prefix.addAll(List.of(command));
      return this;
    }

    /** Runs it in a mount namespace of its own, after these shell commands changed its files. */
    Call afterMounting(String shell) {
      Needs.mountNamespaces();
      return by("unshare", "-m", "sh", "-ec", shell + "\nexec \"$@\"", "sh");
    }

    Call jvm(String... options) {
      jvmOptions.addAll(List.of(options));
      return this;
    }

    Call classPath(String path) {
      classPath = path;
      return this;
    }

    Call stdout(String file) {
      stdout = Optional.of(new File(file));
      return this;
    }

    BhlatProcess start() {
      List<String> command = new ArrayList<>(prefix);
      command.addAll(JVM);
      command.addAll(jvmOptions);
      command.addAll(List.of("-cp", classPath, "io.bhlat.cli.Main"));
      command.addAll(arguments);
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      stdout.ifPresent(builder::redirectOutput);
      try {
        Process process = builder.start();
        process.getOutputStream().close();
        return new BhlatProcess(process);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Outcome run() {
      try (BhlatProcess process = start()) {
        return process.awaitEnd();
      }
    }
  }

  /** bhlat with these arguments. */
  static Call bhlat(String... arguments) {
    return new Call(arguments);
  }

  long pid() {
    return process.pid();
  }

  /** Sends a signal by its name: INT, TERM, KILL. */
  void signal(String name) {
    try {
      // The shell's own: a minimal system has no program of that name.
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until a line of its standard error passes. */
  String awaitErr(Predicate<String> line) {
    return await("a line on stderr", () -> err.text().lines().filter(line).findFirst());
  }

  /** Waits until it holds BPF links: it has attached something. */
  void awaitAttached() {
    await("BPF links", () -> holdsLink() ? Optional.of(true) : Optional.empty());
  }

  private boolean holdsLink() {
    File[] descriptors = new File("/proc/" + pid() + "/fd").listFiles();
    if (descriptors == null) {
      return false;
    }
    for (File descriptor : descriptors) {
      try {
        if (Files.readSymbolicLink(descriptor.toPath()).toString().contains("bpf_link")) {
          return true;
        }
      } catch (IOException e) {
        // Closed in the meantime.
      }
    }
    return false;
  }

  /** Asks again and again. */
  private <T> T await(String what, java.util.function.Supplier<Optional<T>> found) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadlineNs) {
      boolean ended = !process.isAlive();
      Optional<T> answer = found.get();
      if (answer.isPresent()) {
        return answer.get();
      }
      if (ended) {
        break;
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("no " + what + " from " + this);
  }

  Outcome awaitEnd() {
    return awaitEnd(PATIENCE);
  }

  /** Waits until it has ended and all it printed is read. */
  Outcome awaitEnd(Duration atMost) {
    try {
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("still runs after " + atMost + ": " + this);
      }
      out.join();
      err.join();
      return new Outcome(process.exitValue(), out.text(), err.text());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return "bhlat, pid " + pid() + "\nstdout:\n" + out.text() + "\nstderr:\n" + err.text();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** Reads a stream to its end in a thread of its own. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Output(InputStream in, String name) {
      thread =
          new Thread(
              () -> {
                try (in) {
                  in.transferTo(bytes);
                } catch (IOException e) {
                  // The process was killed; what it said until then counts.
                }
              },
              name);
      thread.setDaemon(true);
      thread.start();
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }

    void join() throws InterruptedException {
      thread.join(PATIENCE.toMillis());
    }
  }
}
