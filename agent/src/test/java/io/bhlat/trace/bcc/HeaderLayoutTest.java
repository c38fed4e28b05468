// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Layouts from kernel headers, against the headers of Debian's kernel. */
class HeaderLayoutTest {

  @Test
  void readsTheOffsetsThatHeadersDeclare() throws Exception {
    RealKernel.assume();
    Optional<String> release = debianRelease();
    assumeTrue(
        release.isPresent(),
        "no kernel headers in /lib/modules: run agent/bin/verify, which installs linux-headers-amd64");
    KernelLayout layout = HeaderLayout.ofInstalledHeaders(release.get()).orElseThrow();
    assertThat(layout.source()).isEqualTo(KernelLayout.Source.HOST_HEADERS);
    assertThat(layout.bytes(LayoutField.WORK_STRUCT_DATA_OFFSET)).isEqualTo(OptionalInt.of(0));
    assertThat(layout.bytes(LayoutField.WORK_STRUCT_FUNC_OFFSET)).isEqualTo(OptionalInt.of(24));
    assertThat(layout.bytes(LayoutField.TASKLET_STRUCT_FUNC_OFFSET)).isEqualTo(OptionalInt.of(24));
    assertThat(layout.bytes(LayoutField.TASKLET_STRUCT_STATE_OFFSET)).isEqualTo(OptionalInt.of(8));
    assertThat(layout.bytes(LayoutField.TASKLET_STRUCT_DATA_OFFSET)).isEqualTo(OptionalInt.of(32));
    assertThat(layout.bytes(LayoutField.TASKLET_STRUCT_USE_CALLBACK_OFFSET))
        .isEqualTo(OptionalInt.of(20));
    assertThat(layout.bytes(LayoutField.TIMER_LIST_FUNCTION_OFFSET)).isEqualTo(OptionalInt.of(24));
    assertThat(layout.bytes(LayoutField.TIMER_LIST_FLAGS_OFFSET)).isEqualTo(OptionalInt.of(32));
    assertThat(layout.missing())
        .as("private to kernel/workqueue.c")
        .contains(LayoutField.WORKQUEUE_STRUCT_NAME_OFFSET, LayoutField.POOL_WORKQUEUE_WQ_OFFSET);
  }

  @Test
  void findsNoHeadersWhereNoneAreInstalled() throws Exception {
    assertThat(HeaderLayout.ofInstalledHeaders("0.0.0-not-installed")).isEmpty();
  }

  private static Optional<String> debianRelease() throws IOException {
    Path modules = Path.of("/lib/modules");
    if (!Files.isDirectory(modules)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> releases = Files.newDirectoryStream(modules, "*-amd64")) {
      for (Path release : releases) {
        if (Files.isDirectory(release.resolve("build"))) {
          return Optional.of(String.valueOf(release.getFileName()));
        }
      }
    }
    return Optional.empty();
  }
}
