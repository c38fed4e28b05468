// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelConfigTest {
  private static final KernelRelease RELEASE =
      KernelRelease.of("6.1.0-25-amd64", "#1 SMP Debian 6.1.106-3");
  private static final String CONFIG =
      """
      #
      # Automatically generated file; DO NOT EDIT.
      CONFIG_HZ_250=y
      CONFIG_HZ=250
      CONFIG_KPROBES=y
      CONFIG_INFINIBAND=m
      CONFIG_LOCALVERSION="-test"
      # CONFIG_PREEMPT_RT is not set
      """;

  @TempDir Path root;

  @Test
  void readsTheConfigurationInProcfs() throws IOException {
    HostFiles host =
        new FixtureHost(root)
            .with("/proc/config.gz", gzip(CONFIG))
            .with("/boot/config-6.1.0-25-amd64", "CONFIG_HZ=1000\n")
            .files();
    assertThat(KernelConfig.read(host, RELEASE).orElseThrow().hz()).hasValue(250);
  }

  @Test
  void readsTheDistributionsFileElse() {
    for (String file :
        new String[] {"/boot/config-6.1.0-25-amd64", "/lib/modules/6.1.0-25-amd64/config"}) {
      HostFiles host =
          new FixtureHost(root.resolve(file.substring(1, 4))).with(file, CONFIG).files();
      KernelConfig config = KernelConfig.read(host, RELEASE).orElseThrow();
      assertThat(config.hz()).hasValue(250);
      assertThat(config.hasKprobes()).isTrue();
      assertThat(config.isSet("CONFIG_INFINIBAND")).isTrue();
      assertThat(config.isSet("CONFIG_PREEMPT_RT")).isFalse();
      assertThat(config.values()).containsEntry("CONFIG_LOCALVERSION", "-test").hasSize(5);
    }
  }

  @Test
  void isEmptyWithoutAnyFile() {
    assertThat(KernelConfig.read(new HostFiles(root), RELEASE)).isEmpty();
  }

  @Test
  void knowsNoHzWhereItIsNotSaid() {
    HostFiles host =
        new FixtureHost(root).with("/boot/config-6.1.0-25-amd64", "CONFIG_X=y\n").files();
    assertThat(KernelConfig.read(host, RELEASE).orElseThrow().hz()).isEmpty();
    assertThat(KernelConfig.read(host, RELEASE).orElseThrow().hasKprobes()).isFalse();
  }

  @Test
  void reportsAFileThatIsNotCompressed() {
    HostFiles host = new FixtureHost(root).with("/proc/config.gz", CONFIG).files();
    assertThatThrownBy(() -> KernelConfig.read(host, RELEASE))
        .isInstanceOf(HostReadException.class)
        .hasMessageContaining("config.gz: Not in GZIP format");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
