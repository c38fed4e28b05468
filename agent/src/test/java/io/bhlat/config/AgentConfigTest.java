// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bhlat.model.WorkClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentConfigTest {

  @TempDir Path folder;

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("bhlat.yml"), yaml);
  }

  private AgentConfig read(String yaml) throws IOException {
    return AgentConfig.read(write(yaml), Set.of("cpu", "work_class"));
  }

  @Test
  void takesEveryKey() throws IOException {
    AgentConfig config =
        read(
            """
            classes: [softirq, fast_pool]
            functions:
              include: [^nvme, mlx]
              exclude: ['_idle$']
            limits:
              max_functions: 32
              max_pending: 65536
              max_pending_age: 2m
            labels:
              rack: r12
              experiment: 7
            web:
              listen_address: ':9971'
              config_file: tls/web.yml
            """);

    assertThat(config.classes()).containsExactlyInAnyOrder(WorkClass.SOFTIRQ, WorkClass.FAST_POOL);
    assertThat(config.functions().select("nvme_work")).isTrue();
    assertThat(config.functions().select("mlx5_work [mlx5_core]")).isTrue();
    assertThat(config.functions().select("my_nvme_work")).isFalse();
    assertThat(config.functions().select("nvme_idle")).isFalse();
    assertThat(config.maxFunctions()).hasValue(32);
    assertThat(config.maxPending()).hasValue(65_536);
    assertThat(config.maxPendingAge()).hasValue(Duration.ofMinutes(2));
    assertThat(config.labels())
        .containsExactly(Map.entry("rack", "r12"), Map.entry("experiment", "7"));
    assertThat(config.listenAddress().map(ConfigValue::text)).hasValue(":9971");
    assertThat(config.webConfigFile()).hasValue(folder.resolve("tls/web.yml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "---\n", "labels:\nlimits:\nfunctions:\nclasses:\n"})
  void leavesEverythingToFlagsAndDefaultsWhereItSaysNothing(String yaml) throws IOException {
    assertThat(read(yaml)).isEqualTo(AgentConfig.NONE);
    assertThat(AgentConfig.NONE.functions().select("anything")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "clases: [] | 1:1: unknown key \"clases\"; known are: classes, functions, limits, labels, web",
        "limits: {max: 1} | 1:10: unknown key \"max\" in limits; known there: max_functions, max_pending",
        "classes: softirq | 1:10: classes: expected a list, as in [A, B], not \"softirq\"",
        "classes: [softirk] | 1:11: classes[0]: expected one of fast_pool, workqueue, bh_workqueue",
        "classes: [] | 1:10: classes: expected at least one class",
        "limits: {max_functions: many} | 1:25: limits.max_functions: expected a whole number from 1 to 1,024, not \"many\"",
        "limits: {max_functions: 0} | expected a whole number from 1 to 1,024, not \"0\"",
        "limits: {max_functions: 2000} | expected a whole number from 1 to 1,024, not \"2000\"",
        "limits: {max_functions: 1.5} | expected a whole number from 1 to 1,024, not \"1.5\"",
        "limits: {max_pending: 99999999999} | expected a whole number from 1 to 1,000,000",
        "limits: {max_pending_age: 60} | expected a duration up to a year, as in 500ms, 10s, 5m, 2h, not \"60\"",
        "limits: [max_pending] | 1:9: limits: expected keys with values below it, not a list",
        "functions: {include: nvme} | functions.include: expected a list",
        "functions: {include: ['[']} | functions.include[0]: expected a regular expression (Unclosed character class)",
        "labels: {1st: x} | 1:10: labels.1st: a label's name has letters, digits and _, and begins with no digit",
        "labels: {rack-row: x} | a label's name has letters, digits and _",
        "labels: {__meta: x} | names that begin with __ are Prometheus's own",
        "labels: {instance: x} | Prometheus gives this label itself",
        "labels: {cpu: x} | metrics of bhlat have a label of that name",
        "labels: {rack: } | labels.rack: expected a text, not nothing",
        "labels: {rack: [a]} | labels.rack: expected a text, not a list",
        "labels: {rack: a, rack: b} | 1:19: labels.rack is here twice; leave one",
        "labels: {rack: a | no YAML",
      })
  void refusesTheRestNamingFileLineAndColumn(String yaml, String message) throws IOException {
    assertThatThrownBy(() -> read(yaml.strip()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(folder.resolve("bhlat.yml").toString())
        .hasMessageContaining(message.strip());
  }

  @Test
  void refusesWhatIsNestedTooDeeplyToBeRead() throws IOException {
    String deep = "labels: " + "{a: ".repeat(20_000) + "}".repeat(20_000);
    assertThatThrownBy(() -> read(deep))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void readsNumbersAsYamlWritesThem() throws IOException {
    assertThat(read("limits: {max_functions: 010}").maxFunctions()).hasValue(10);
    assertThat(read("limits: {max_functions: 0o10}").maxFunctions()).hasValue(8);
    assertThat(read("limits: {max_functions: 0x10}").maxFunctions()).hasValue(16);
  }

  @Test
  void saysWhatToDoWhenTheFileIsNotThere() {
    Path file = folder.resolve("none.yml");
    assertThatThrownBy(() -> AgentConfig.read(file, Set.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("read " + file + ": ENOENT; there is no such file");
  }

  @Test
  void refusesAFileThatIsNotUtf8() throws IOException {
    Path file = folder.resolve("bhlat.yml");
    Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xff});
    assertThatThrownBy(() -> AgentConfig.read(file, Set.of())).hasMessageContaining("not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1500ms", "10s", "5m", "2h"})
  void writesDurationsAsItReadsThem(String text) {
    assertThat(DurationText.of(DurationText.parse(text))).isEqualTo(text);
  }
}
