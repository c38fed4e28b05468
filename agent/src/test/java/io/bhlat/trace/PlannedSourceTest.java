// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.bhlat.kernel.LayoutField;
import io.bhlat.model.FastPoolMechanism;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BPF source that a plan asks for. */
class PlannedSourceTest {

  private static final Pattern FILE = Pattern.compile("(?m)^#line 1 \"bpf/(.*)\"$");

  private static BpfSource source(TraceTarget target, Measurement... measurements) {
    return new ProbePlanner(TraceOptions.of(Set.of(measurements)), target)
        .source(Map.of("KEYS", "17"));
  }

  private static List<String> files(BpfSource source) {
    return FILE.matcher(source.text())
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void holdsOnlyTheFilesThatAreNeededAfterTheSharedOne() {
    TraceTarget target = Targets.of(FastPoolMechanism.TIMER);
    assertThat(files(source(target, Measurement.SOFTIRQ)))
        .containsExactly("counting.c", "context.c", "softirq.c", "hotplug.c");
    assertThat(files(source(target, Measurement.TASKLET)))
        .containsExactly(
            "counting.c",
            "context.c",
            "fast_pool.c",
            "pending.c",
            "softirq.c",
            "tasklet.c",
            "tasklet_by_raise.c",
            "tasklet_by_function.c",
            "tasklet_by_callback.c");
    assertThat(files(source(target, Measurement.FAST_POOL)))
        .contains("fast_pool_timer.c", "interrupt_randomness.c")
        .doesNotContain("softirq.c", "queue_work_on.c");
    assertThat(files(source(target, Measurement.values())))
        .containsExactlyElementsOf(ProbePlanner.SOURCE_ORDER);
  }

  @Test
  void whatCannotBeMeasuredIsNotCompiled() {
    TraceTarget target = Targets.withoutLayout(FastPoolMechanism.TIMER);
    assertThat(files(source(target, Measurement.values())))
        .containsExactly(
            "counting.c",
            "context.c",
            "fast_pool.c",
            "softirq.c",
            "tasklet.c",
            "tasklet_by_raise.c",
            "interrupt_randomness.c",
            "queue_work_on.c",
            "hotplug.c");
  }

  @Test
  void takesOffsetsAndAddressesAsConstants() {
    BpfSource source = source(Targets.of(FastPoolMechanism.WORKQUEUE), Measurement.WORKQUEUE);
    assertThat(source.defines())
        .containsEntry("KEYS", "17")
        .containsEntry("MAX_CPUS", "2")
        .containsEntry("MAX_PENDING", "16384")
        .containsEntry("WORK_STRUCT_FUNC_OFFSET", "8")
        .containsEntry(
            "WORKQUEUE_NAME_SIZE",
            Integer.toString(8 * (LayoutField.WORKQUEUE_STRUCT_NAME_LENGTH.ordinal() + 1)))
        .containsEntry("MIX_FUNCTION", "0xffffffff81000010ULL")
        .containsEntry("FLUSH_BARRIER_FUNCTION", "0xffffffff81000020ULL")
        .containsEntry("COUNT_FUNCTIONS", "1")
        .containsEntry("FUNCTION_SHARDS", "2")
        .containsEntry("FUNCTION_INDEXES", "260")
        .doesNotContainKey("EXECUTE_END_WITHOUT_FUNCTION");
    assertThat(source.definesAsFlags()).contains("-DMAX_CPUS=2");
  }

  @Test
  void functionsThatAreNotCountedAreNotCompiled() {
    TraceOptions options = TraceOptions.everything().withoutFunctions();
    BpfSource source =
        new ProbePlanner(options, Targets.of(FastPoolMechanism.TIMER)).source(Map.of());
    assertThat(source.defines().keySet())
        .noneMatch(name -> name.contains("FUNCTIONS") || name.contains("SHARDS"));
  }

  @Test
  void aFileThatDoesNotExistIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BpfSource.read("no_such_file.c"))
        .withMessage("no such BPF source: no_such_file.c");
  }
}
