// SPDX-License-Identifier: Apache-2.0
package io.bhlat.config;

import io.bhlat.model.WorkClass;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/** Reads the agent's own file. One thread. */
final class AgentConfigReader {

  /** All keys; a test holds docs/CONFIGURATION.md to them. */
  static final Map<String, List<String>> KEYS = keys();

  private static final Pattern LABEL_NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  /** Prometheus gives each series the first two; histograms and summaries have the others. */
  private static final Set<String> LABELS_OF_PROMETHEUS =
      Set.of("job", "instance", "le", "quantile");

  private static final int MOST_LABELS = 32;
  private static final int LONGEST_LABEL = 256;

  private final ConfigSection root;
  private final Set<String> takenLabels;

  AgentConfigReader(ConfigSection root, Set<String> takenLabels) {
    this.root = root.allowing(List.copyOf(KEYS.keySet()));
    this.takenLabels = Set.copyOf(takenLabels);
  }

  private static Map<String, List<String>> keys() {
    Map<String, List<String>> keys = new LinkedHashMap<>();
    keys.put("classes", List.of());
    keys.put("functions", List.of("include", "exclude"));
    keys.put("limits", List.of("max_functions", "max_pending", "max_pending_age"));
    keys.put("labels", List.of());
    keys.put("web", List.of("listen_address", "config_file"));
    return java.util.Collections.unmodifiableMap(keys);
  }

  AgentConfig read() {
    return new AgentConfig(
        root.value("classes").map(AgentConfigReader::classes).orElse(Set.of()),
        new FunctionPatterns(patterns("include"), patterns("exclude")),
        integer("max_functions", AgentConfig.MOST_FUNCTIONS),
        integer("max_pending", AgentConfig.MOST_PENDING),
        value("limits", "max_pending_age").map(AgentConfigReader::duration),
        root.section("labels").map(this::labels).orElse(Map.of()),
        value("web", "listen_address"),
        value("web", "config_file").map(ConfigValue::path));
  }

  private Optional<ConfigValue> value(String section, String key) {
    return root.section(section)
        .map(s -> s.allowing(KEYS.getOrDefault(section, List.of())))
        .flatMap(s -> s.value(key));
  }

  private OptionalInt integer(String key, int most) {
    return value("limits", key).stream().mapToInt(value -> value.integer(1, most)).findFirst();
  }

  private static Set<WorkClass> classes(ConfigValue value) {
    EnumSet<WorkClass> classes = EnumSet.noneOf(WorkClass.class);
    for (ConfigValue item : value.list()) {
      classes.add(WorkClass.ofLabel(item.text()).orElseThrow(() -> item.wrong(classNames())));
    }
    if (classes.isEmpty()) {
      throw value.wrong("at least one class; without this key all are measured");
    }
    return classes;
  }

  private static String classNames() {
    return Arrays.stream(WorkClass.values())
        .map(WorkClass::label)
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  private List<Pattern> patterns(String key) {
    return value("functions", key).map(ConfigValue::list).orElse(List.of()).stream()
        .map(AgentConfigReader::pattern)
        .toList();
  }

  private static Pattern pattern(ConfigValue value) {
    try {
      return Pattern.compile(value.nonEmptyText());
    } catch (PatternSyntaxException e) {
      throw value.wrong("a regular expression (" + e.getDescription() + ")", e);
    }
  }

  private static Duration duration(ConfigValue value) {
    try {
      return DurationText.parse(value.text());
    } catch (IllegalArgumentException e) {
      throw value.wrong("a duration up to a year, as in 500ms, 10s, 5m, 2h", e);
    }
  }

  private Map<String, String> labels(ConfigSection section) {
    Map<String, String> labels = new LinkedHashMap<>();
    section.values().forEach((name, value) -> labels.put(name, label(name, value)));
    if (labels.size() > MOST_LABELS) {
      throw new ConfigException(
          section.file() + ": labels: at most " + MOST_LABELS + ", not " + labels.size());
    }
    return labels;
  }

  private String label(String name, ConfigValue value) {
    String refusal = "";
    if (!LABEL_NAME.matcher(name).matches()) {
      refusal = "a label's name has letters, digits and _, and begins with no digit";
    } else if (name.startsWith("__")) {
      refusal = "names that begin with __ are Prometheus's own; choose another";
    } else if (LABELS_OF_PROMETHEUS.contains(name)) {
      refusal = "Prometheus gives this label itself; choose another name";
    } else if (takenLabels.contains(name)) {
      refusal = "metrics of bhlat have a label of that name; choose another, to be able to join";
    }
    if (!refusal.isEmpty()) {
      throw new ConfigException(value.keyPosition() + ": " + value.name() + ": " + refusal);
    }
    String text = value.nonEmptyText();
    if (text.length() > LONGEST_LABEL) {
      throw value.wrong("at most " + LONGEST_LABEL + " characters");
    }
    return text;
  }
}
