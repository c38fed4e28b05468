// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.KernelSymbols;
import io.bhlat.kernel.LayoutField;
import io.bhlat.kernel.Lockdown;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.LossReason;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.ProbePlan.State;
import io.bhlat.trace.TraceTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/JSON.md names whatever --json can print. */
final class JsonDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "JSON.md");

  @Test
  void namesEveryFieldOfHist() throws IOException {
    String line =
        new HistJson(Set.of(), true)
            .render(
                HistJson.Kind.TOTAL, Example.HEADER, Example.interval(), Example.incompletePlan());

    assertThat(fields(line)).contains("schema", "quantiles", "failure").allSatisfy(named());
  }

  @Test
  void namesEveryFieldOfCheck() throws IOException {
    assertThat(fields(CheckJson.render(check())))
        .contains("schema", "hz", "hca_type", "sm_lid")
        .allSatisfy(named());
  }

  @Test
  void namesEveryValueOfAFixedSet() throws IOException {
    Stream<String> constants =
        Stream.of(
                State.values(),
                Lockdown.values(),
                KernelLayout.Source.values(),
                KernelSymbols.Visibility.values(),
                HistJson.Kind.values())
            .flatMap(Arrays::stream)
            .map(constant -> constant.name().toLowerCase(Locale.ROOT));
    Stream<String> labels =
        Stream.of(
                Arrays.stream(LossReason.values()).map(LossReason::label),
                Arrays.stream(FastPoolMechanism.values()).map(FastPoolMechanism::label),
                Arrays.stream(Measurement.values()).map(Measurement::label),
                Stream.of(HistJson.SCHEMA, CheckJson.SCHEMA))
            .flatMap(values -> values);

    assertThat(Stream.concat(constants, labels)).allSatisfy(named());
  }

  /** As code or as a string of an example, alone or as the last part of a path. */
  private static org.assertj.core.api.ThrowingConsumer<String> named() throws IOException {
    String document = Files.readString(DOCUMENT);
    return word ->
        assertThat(Pattern.compile("[`\".]" + Pattern.quote(word) + "[`\"]").matcher(document))
            .as("%s names `%s`", DOCUMENT, word)
            .matches(matcher -> matcher.find());
  }

  private static Set<String> fields(String json) {
    Set<String> fields = new TreeSet<>();
    collect(JsonParser.parseString(json), fields);
    return fields;
  }

  private static void collect(JsonElement element, Set<String> fields) {
    if (element instanceof JsonObject object) {
      fields.addAll(object.keySet());
      object.asMap().values().forEach(value -> collect(value, fields));
    } else if (element instanceof JsonArray array) {
      array.forEach(value -> collect(value, fields));
    }
  }

  private static CheckResult check() {
    return new CheckResult(
        Example.HEADER,
        "0.1.0",
        false,
        OptionalInt.of(250),
        List.of(),
        Lockdown.NONE,
        target(),
        KernelSymbols.Visibility.VISIBLE,
        Optional.empty(),
        Example.incompletePlan(),
        List.of("attach raw_tracepoint tasklet_entry: ENOENT"),
        ConnectX3.adapters());
  }

  private static TraceTarget target() {
    return new TraceTarget(
        CpuSet.parse("0-1"),
        false,
        Optional.of(
            new KernelLayout(
                KernelLayout.Source.BTF, Map.of(LayoutField.WORK_STRUCT_FUNC_OFFSET, 24))),
        "",
        FastPoolMechanism.TIMER,
        OptionalLong.empty(),
        "",
        OptionalLong.empty(),
        OptionalInt.of(2));
  }
}
