// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootTimeTest {

  @TempDir private Path root;

  @Test
  void thisHostBootedBeforeNow() {
    assertThat(BootTime.seconds(HostFiles.ofThisHost()).orElseThrow())
        .isBetween(1L, Instant.now().getEpochSecond());
  }

  @Test
  void readsTheLineOfProcStat() throws IOException {
    write("cpu  1 2 3\nintr 4 5\nbtime 1700000000\nprocesses 7\n");

    assertThat(BootTime.seconds(new HostFiles(root))).hasValue(1_700_000_000);
  }

  @Test
  void isEmptyWhereProcfsDoesNotTell() throws IOException {
    assertThat(BootTime.seconds(new HostFiles(root))).isEmpty();

    write("cpu  1 2 3\n");

    assertThat(BootTime.seconds(new HostFiles(root))).isEmpty();
  }

  private void write(String text) throws IOException {
    Files.createDirectories(root.resolve("proc"));
    Files.writeString(root.resolve("proc").resolve("stat"), text);
  }
}
