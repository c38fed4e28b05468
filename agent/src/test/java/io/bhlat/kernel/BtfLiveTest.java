// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads the BTF of the kernel that runs the test. */
class BtfLiveTest {
  private static Optional<Btf> kernel = Optional.empty();

  @BeforeAll
  static void readTheKernelsTypes() {
    kernel = Btf.ofKernel(HostFiles.ofThisHost());
    assumeTrue(kernel.isPresent(), "the kernel has no /sys/kernel/btf/vmlinux");
  }

  @Test
  void findsEveryFieldThatTheProgramsNeed() {
    KernelLayout layout = KernelLayouts.fromBtf(kernel.orElseThrow());
    assertThat(layout.missing()).isEmpty();
    assertThat(layout.bytes(LayoutField.WORK_STRUCT_DATA_OFFSET)).hasValue(0);
    assertThat(layout.bytes(LayoutField.WORKQUEUE_STRUCT_NAME_LENGTH).orElseThrow()).isIn(24, 32);
  }

  @Test
  void agreesWithWhatIsKnownOfThisLineOfKernels() {
    KernelRelease release = KernelRelease.read(HostFiles.ofThisHost());
    assumeTrue(release.major() == 6 && release.minor() == 18, "figures are those of 6.18");
    assumeTrue("amd64".equals(System.getProperty("os.arch")), "figures are those of x86-64");
    assertThat(KernelLayouts.fromBtf(kernel.orElseThrow()).defines())
        .containsEntry("WORK_STRUCT_FUNC_OFFSET", 24L)
        .containsEntry("TASKLET_STRUCT_FUNC_OFFSET", 24L)
        .containsEntry("TIMER_LIST_FUNCTION_OFFSET", 24L)
        .containsEntry("TIMER_LIST_FLAGS_OFFSET", 32L)
        .containsEntry("POOL_WORKQUEUE_POOL_OFFSET", 0L)
        .containsEntry("POOL_WORKQUEUE_WQ_OFFSET", 8L)
        .containsEntry("WORKER_POOL_CPU_OFFSET", 4L)
        .containsEntry("WORKQUEUE_STRUCT_NAME_LENGTH", 32L);
  }

  @Test
  void knowsTheArgumentsOfTheTracepointsThatAreUsed() {
    Btf btf = kernel.orElseThrow();
    assertThat(btf.tracepointArguments("workqueue_queue_work")).hasValue(3);
    assertThat(btf.tracepointArguments("softirq_raise")).hasValue(1);
    assertThat(btf.tracepointArguments("no_such_tracepoint")).isEmpty();
    assertThat(btf.hasFunction("queue_work_on")).isTrue();
  }
}
