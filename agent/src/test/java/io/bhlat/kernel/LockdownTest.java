// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockdownTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "[none] integrity confidentiality, NONE",
    "none [integrity] confidentiality, INTEGRITY",
    "none integrity [confidentiality], CONFIDENTIALITY",
    "[none] integrity, NONE",
  })
  void takesTheLevelInBrackets(String levels, Lockdown expected) {
    assertThat(Lockdown.read(host(levels + "\n"))).isEqualTo(expected);
  }

  @Test
  void isUnknownWithoutTheFile() {
    assertThat(Lockdown.read(new HostFiles(root))).isEqualTo(Lockdown.UNKNOWN);
  }

  @Test
  void refusesAFileThatNamesNoLevel() {
    assertThatThrownBy(() -> Lockdown.read(host("none [paranoid]")))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("no known level is in brackets: \"none [paranoid]\"");
  }

  @Test
  void reportsAFileThatCannotBeReadInsteadOfCallingItAbsent() {
    HostFiles host = new FixtureHost(root).withDirectory("/sys/kernel/security/lockdown").files();
    assertThatThrownBy(() -> Lockdown.read(host))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("lockdown: Is a directory");
  }

  private HostFiles host(String levels) {
    return new FixtureHost(root).with("/sys/kernel/security/lockdown", levels).files();
  }
}
