// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Processes that make the kernel queue work items while something else is done: synchronous writes,
 * ptys.
 */
final class Load {

  private final List<Process> processes = new ArrayList<>();

  /**
   * Starts writers.
   *
   * @param folder where the files that are written go; the caller removes them
   * @param writers how many files are written at once, one block and one wait at a time
   */
  static Load ofSynchronousWrites(Path folder, int writers) {
    Load load = new Load();
    for (int writer = 0; writer < writers; writer++) {
      Path file = folder.resolve("written-" + writer);
      load.start("dd", "if=/dev/zero", "of=" + file, "bs=4k", "count=100000", "oflag=dsync");
    }
    return load;
  }

  /** Starts terminals that print without end; each line goes through a work item. */
  Load andTerminals(int terminals) {
    for (int terminal = 0; terminal < terminals; terminal++) {
      start("script", "-qfc", "while :; do echo line; sleep 0.001; done", "/dev/null");
    }
    return this;
  }

  private void start(String... command) {
    try {
      processes.add(
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does something, then ends the load. */
  <T> T during(Supplier<T> action) {
    try {
      return action.get();
    } finally {
      stop();
    }
  }

  private void stop() {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      process.onExit().join();
    }
  }
}
