// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bhlat.model.WorkClass;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ConvertersTest {

  @ParameterizedTest
  @CsvSource({
    "1ms, PT0.001S",
    "500ms, PT0.5S",
    "10s, PT10S",
    "5m, PT5M",
    "2h, PT2H",
    "8760h, PT8760H",
    "0010s, PT10S"
  })
  void readsDurationsWithTheirUnit(String text, Duration expected) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "", "s", "-5s", "+5s", "abc", "1.5s", "10 s", "10S", "5d", "1h30m"})
  void refusesDurationsOfAnotherForm(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'%s' is not a duration: a whole number and a unit, as in 500ms, 10s, 5m, 2h", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0ms", "000h"})
  void refusesDurationsOfNothing(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("a duration must be longer than 0: '%s'", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8761h", "999999999999999h", "999999999999999ms"})
  void refusesDurationsThatNanosecondsCouldNotCount(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("a duration is at most a year (8760h): '%s'", text);
  }

  @ParameterizedTest
  @EnumSource
  void readsEveryWorkClassByItsLabel(WorkClass workClass) {
    assertThat(new WorkClassConverter().convert(workClass.label())).isEqualTo(workClass);
    assertThat(new WorkClassConverter.Labels()).contains(workClass.label());
  }

  @Test
  void namesTheWorkClassesWhenGivenAnotherWord() {
    assertThatThrownBy(() -> new WorkClassConverter().convert("SOFTIRQ"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageStartingWith("'SOFTIRQ' is no work class: ")
        .message()
        .contains(Arrays.stream(WorkClass.values()).map(WorkClass::label).toList());
  }

  @Test
  void saysWhereARegularExpressionIsWrong() {
    assertThat(new PatternConverter().convert("^vmstat_").matcher("vmstat_update").find()).isTrue();
    assertThatThrownBy(() -> new PatternConverter().convert("ab(c"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'ab(c' is not a regular expression of java.util.regex: Unclosed group at character 5");
  }
}
