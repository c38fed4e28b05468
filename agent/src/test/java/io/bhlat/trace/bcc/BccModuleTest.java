// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.ProbeKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong between a BPF source and the real kernel, and what is said about it. */
class BccModuleTest {

  private static final String COUNTS_NOTHING =
      """
      RAW_TRACEPOINT_PROBE(nothing)
      {
        return 0;
      }
      """;

  @BeforeEach
  void needsTheKernel() {
    RealKernel.assume();
  }

  private interface Attempt {
    void run() throws BpfException;
  }

  /** The failure of an attempt, which must leave nothing on stderr and no descriptor. */
  private static BpfException failureOf(Attempt attempt) {
    int before = RealKernel.openBpfDescriptors().size();
    NativeStderr.Captured<BpfException> caught =
        NativeStderr.capture(() -> catchThrowableOfType(BpfException.class, attempt::run));
    assertThat(caught.value()).as("the failure").isNotNull();
    assertThat(caught.text()).as("what is left on stderr").isEmpty();
    assertThat(RealKernel.openBpfDescriptors()).hasSize(before);
    return caught.value();
  }

  @Test
  void anErrorInASourceIsReportedByFileAndLineWithAllOfClangsWords() {
    BpfException failure =
        failureOf(
            () ->
                RealKernel.compile(
                    """
                    #line 1 "bpf/fine.c"
                    static int fine;
                    #line 1 "bpf/broken.c"
                    RAW_TRACEPOINT_PROBE(broken)
                    {
                      return no_such_thing + nor_this;
                    }
                    """));
    assertThat(failure)
        .hasMessageStartingWith("compile BPF programs: bpf/broken.c:3:10: error:")
        .hasMessageContaining("no_such_thing")
        .hasMessageEndingWith("report it with the output of `bhlat check --verbose`");
    assertThat(failure.kind()).isEqualTo(BpfException.Kind.FAILED);
    assertThat(failure.details())
        .contains("bpf/broken.c:3:10: error:", "bpf/broken.c:3:26: error:", "nor_this")
        .contains("return no_such_thing + nor_this;");
  }

  @Test
  void aWarningIsAnError() {
    assertThat(
            failureOf(
                () ->
                    RealKernel.compile(
                        """
                        #line 1 "bpf/careless.c"
                        RAW_TRACEPOINT_PROBE(careless)
                        {
                          int unused = 1;
                          return 0;
                        }
                        """)))
        .hasMessageContaining("bpf/careless.c:3")
        .hasMessageContaining("unused");
  }

  @Test
  void aMapThatTheKernelRefusesIsNamed() {
    assertThat(
            failureOf(
                () ->
                    RealKernel.compile(
                        "BPF_TABLE(\"array\", u64, u64, odd_keys, 4);\n" + COUNTS_NOTHING)))
        .hasMessageContaining("odd_keys");
  }

  @Test
  void aProgramThatTheVerifierRefusesComesWithItsLog() {
    BpfException failure =
        failureOf(
            () -> {
              try (BccModule module =
                  RealKernel.compile(
                      """
                      BPF_TABLE("hash", u64, u64, values, 4);
                      RAW_TRACEPOINT_PROBE(trusting)
                      {
                        u64 key = 1;
                        u64 *value = values.lookup(&key);
                        return *value;
                      }
                      """)) {
                module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__trusting").close();
              }
            });
    assertThat(failure)
        .hasMessageStartingWith("load program raw_tracepoint__trusting: EACCES, the verifier");
    assertThat(failure.kind()).isEqualTo(BpfException.Kind.UNSUPPORTED);
    assertThat(failure.details()).contains("invalid mem access 'map_value_or_null'");
  }

  @Test
  void anFentryProgramIsNamedAsThisVersionOfLibbccWants() {
    assertThat(BccModule.loadName(ProbeKind.FENTRY, "kfunc____tasklet_schedule", true))
        .isEqualTo("kfunc__vmlinux____tasklet_schedule");
    assertThat(BccModule.loadName(ProbeKind.FEXIT, "kretfunc__queue_work_on", true))
        .isEqualTo("kretfunc__vmlinux__queue_work_on");
    assertThat(BccModule.loadName(ProbeKind.FEXIT, "kretfunc__queue_work_on", false))
        .isEqualTo("kretfunc__queue_work_on");
    assertThat(BccModule.loadName(ProbeKind.KPROBE, "kprobe____tasklet_schedule", true))
        .isEqualTo("kprobe____tasklet_schedule");
  }

  @Test
  void aProgramThatTheSourceDoesNotHaveIsNamed() {
    assertThat(
            failureOf(
                () -> {
                  try (BccModule module = RealKernel.compile(COUNTS_NOTHING)) {
                    module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__something").close();
                  }
                }))
        .hasMessage("load raw_tracepoint__something: not in the BPF source");
  }

  @Test
  void aTracepointThatDoesNotExistIsWhatTheKernelLacks() {
    BpfException failure = failureOf(() -> attach(COUNTS_NOTHING, "no_such_tracepoint"));
    assertThat(failure)
        .hasMessage(
            "attach raw_tracepoint no_such_tracepoint: ENOENT; this kernel does not have it");
    assertThat(failure.kind()).isEqualTo(BpfException.Kind.UNSUPPORTED);
  }

  @Test
  void aTracepointOfFewerArgumentsIsWhatTheKernelDoesNotSupport() {
    BpfException failure =
        failureOf(
            () ->
                attach(
                    """
                    RAW_TRACEPOINT_PROBE(nothing)
                    {
                      return ctx->args[5] == 1;
                    }
                    """,
                    "softirq_raise"));
    assertThat(failure).hasMessageStartingWith("attach raw_tracepoint softirq_raise: EINVAL");
    assertThat(failure.kind()).isEqualTo(BpfException.Kind.UNSUPPORTED);
  }

  private static void attach(String source, String tracepoint) throws BpfException {
    try (BccModule module = RealKernel.compile(source);
        FileDescriptor program = module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__nothing")) {
      Link.attach(ProbeKind.RAW_TRACEPOINT, program, tracepoint).close();
    }
  }
}
