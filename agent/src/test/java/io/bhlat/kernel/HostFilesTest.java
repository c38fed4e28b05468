// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFilesTest {
  @TempDir Path root;

  @Test
  void treatsOnlyAMissingFileAsAbsent() {
    HostFiles host = new FixtureHost(root).withDirectory("/proc/odd").files();
    assertThat(host.text("/proc/none")).isEmpty();
    assertThat(host.names("/proc/none")).isEmpty();
    assertThatThrownBy(() -> host.text("/proc/odd"))
        .isInstanceOf(HostReadException.class)
        .hasMessage("read " + root.resolve("proc/odd") + ": Is a directory");
  }

  @Test
  void refusesToListAFile() {
    HostFiles host = new FixtureHost(root).with("/sys/class", "x").files();
    assertThatThrownBy(() -> host.names("/sys/class"))
        .isInstanceOf(HostReadException.class)
        .hasMessageEndingWith("sys/class: ENOTDIR; a directory was expected");
  }

  @Test
  void sortsNamesWithNumbersByValue() {
    FixtureHost host = new FixtureHost(root);
    for (String name : new String[] {"10", "9", "100", "mlx4_10", "mlx4_2", "mlx4_1", "mlx5_0"}) {
      host.with("/d/" + name, "");
    }
    assertThat(host.files().names("/d"))
        .containsExactly("9", "10", "100", "mlx4_1", "mlx4_2", "mlx4_10", "mlx5_0");
  }

  @Test
  void readsTheRealHostFromSlash() {
    assertThat(HostFiles.ofThisHost().path("/proc/kallsyms")).isEqualTo(Path.of("/proc/kallsyms"));
  }
}
