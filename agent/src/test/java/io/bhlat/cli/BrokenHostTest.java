// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bhlat.cli.BhlatProcess.Call;
import io.bhlat.cli.BhlatProcess.Outcome;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelLayouts;
import io.bhlat.kernel.KernelRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Hosts that lack something. Files are hidden in a mount namespace of the process alone; only
 * kptr_restrict is the whole host's, and is restored.
 */
final class BrokenHostTest {

  /** Below procfs nobody can make a folder, root neither. */
  private static final String NO_FOLDER = "/proc/none";

  private static final Path KPTR_RESTRICT = Path.of("/proc/sys/kernel/kptr_restrict");

  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() {
    Needs.root();
  }

  private static Call hist(String... options) {
    String[] arguments = new String[options.length + 3];
    System.arraycopy(new String[] {"hist", "--duration", "500ms"}, 0, arguments, 0, 3);
    System.arraycopy(options, 0, arguments, 3, options.length);
    return bhlat(arguments);
  }

  @Test
  @ResourceLock(Resources.GLOBAL)
  void measuresTheRestWhenAddressesAreHiddenEvenFromRoot() throws IOException {
    Needs.noFunctionProbes();
    String before = Files.readString(KPTR_RESTRICT);
    Outcome hist;
    try {
      Files.writeString(KPTR_RESTRICT, "2\n");
      hist = Load.ofSynchronousWrites(folder, 1).during(() -> hist().run());
    } finally {
      Files.writeString(KPTR_RESTRICT, before);
    }
    assertThat(hist.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(hist.out().replaceAll("\\s+", " "))
        .contains("softirq TIMER", "workqueue queued")
        .contains("fast_pool missing: addresses in /proc/kallsyms are hidden:")
        .contains("run sysctl kernel.kptr_restrict=1");
    assertThat(hist.out())
        .as("no address")
        .containsPattern("(?m)^hidden_[0-9]+ ")
        .doesNotContain("0xffff");
  }

  @Test
  void namesThePackagesWhenLibbccCannotBeLoaded() throws IOException {
    Path library = Path.of("/usr/lib/x86_64-linux-gnu/libbcc.so.0");
    assumeTrue(Files.exists(library), "needs libbcc where Debian for x86-64 has it");
    Path empty = Files.createFile(folder.resolve("empty"));
    Outcome hist = hist().afterMounting("mount --bind " + empty + " " + library.toRealPath()).run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(hist.err())
        .startsWith("bhlat: load libbcc.so.0: ")
        .contains("file too short", "apt-get install libbpfcc", "dnf install bcc")
        .hasLineCount(1);
  }

  @Test
  void measuresSoftirqsWithoutBtf() {
    HostFiles host = HostFiles.ofThisHost();
    KernelRelease release = KernelRelease.read(host);
    assumeTrue(
        KernelLayouts.known(release).isEmpty()
            && !host.isDirectory("/lib/modules/" + release.release() + "/build"),
        "needs a kernel that is not in the table of known layouts and has no headers installed");
    Outcome hist = hist().afterMounting("mount --bind " + folder + " /sys/kernel/btf").run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(hist.out().replaceAll("\\s+", " "))
        .contains("softirq TIMER", "softirq queued")
        .contains(
            "fast_pool missing: the layout of the kernel's structs is unknown: there is no BTF")
        .contains("workqueue missing: the layout of the kernel's structs is unknown")
        .contains("install them (Debian: linux-headers-" + release.release());
  }

  @Test
  void countsWorkItemsForWhichThereIsNoRoomAndNamesTheOption() {
    Outcome hist =
        Load.ofSynchronousWrites(folder, 4)
            .andTerminals(4)
            .during(() -> hist("--max-pending", "1", "--class", "workqueue").run());
    assertThat(hist.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(hist.out())
        .containsPattern("pending_full: raise --max-pending\n +workqueue +[1-9]")
        .containsPattern("workqueue +queued [0-9,]+ = started [0-9,]+ .* \\+ lost [1-9]");
  }

  @Test
  void saysWhichOptionHelpsWhenTemporaryFilesCannotBeWritten() {
    Outcome hist = hist().jvm("-Djava.io.tmpdir=" + NO_FOLDER).run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(hist.err())
        .startsWith("bhlat: unpack BPF headers: " + NO_FOLDER + "/bhlat-")
        .endsWith(
            ": ENOENT; make the folder for temporary files writable, or name another by"
                + " -Djava.io.tmpdir\n");
  }

  @Test
  void saysWhichOptionHelpsWhenJnaCannotUnpackItsLibrary() {
    Outcome hist = hist().jvm("-Djna.tmpdir=" + NO_FOLDER).run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(hist.err())
        .contains("bhlat: load JNA's native library: ", "by -Djna.tmpdir")
        .doesNotContain("libbpfcc");
  }

  /** It has what 0.10 had of what is called; the kernel is never reached. */
  @Test
  void namesTheFunctionsThatAnOldLibbccLacksAndTheVersionThatHasThem() throws Exception {
    Needs.program("gcc");
    Path source =
        Files.writeString(
            folder.resolve("old.c"),
            Stream.of(
                    "bpf_module_create_c_from_string bpf_module_destroy bpf_function_start"
                        + " bpf_function_size bpf_module_license bpf_module_kern_version"
                        + " bpf_table_fd bcc_func_load bpf_attach_raw_tracepoint"
                        + " bpf_attach_kprobe")
                .flatMap(names -> Stream.of(names.split(" ")))
                .map(name -> "int " + name + "(void) { return -1; }\n")
                .collect(Collectors.joining()));
    Path library = folder.resolve("libbcc.so.0");
    Process gcc =
        new ProcessBuilder(
                "gcc",
                "-shared",
                "-Wl,-soname,libbcc.so.0",
                "-o",
                library.toString(),
                source.toString())
            .inheritIO()
            .start();
    assertThat(gcc.waitFor()).isZero();

    Outcome hist = hist().by("env", "LD_LIBRARY_PATH=" + folder).run();

    assertThat(hist.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(hist.err())
        .startsWith("bhlat: load libbcc.so.0: ")
        .contains("lacks bpf_attach_kfunc, bpf_table_leaf_size and is too old;")
        .contains("bhlat needs libbcc 0.18 or newer: install libbcc")
        .hasLineCount(1);
  }

  @Test
  void measuresTheFastPoolWhereTheCompilerAppendedToItsFunctionsName() {
    Outcome hist = hist("--json").afterMounting(kallsyms("s/$/.isra.0/")).run();
    assertThat(hist.exitCode()).as(hist.out() + hist.err()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d;             | mix_interrupt_randomness is not in /proc/kallsyms: the kernel needs CONFIG_KALLSYMS",
        "s/$/.constprop.0/p; s/0$/1/ | which one is called is unknown; report it with them: mix_"
      })
  void measuresTheRestWhereTheMixingIsNotOneFunction(String edit, String reason) {
    Needs.noFunctionProbes();
    Outcome hist = hist().afterMounting(kallsyms(edit)).run();
    assertThat(hist.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(hist.out().replaceAll("\\s+", " "))
        .contains("softirq TIMER", "softirq queued")
        .containsPattern("fast_pool missing: mix_interrupt_randomness is ")
        .contains(reason);
  }

  /** Shell that lays a changed table of symbols over the kernel's; sed edits the mixing's line. */
  private String kallsyms(String edit) {
    Path changed = folder.resolve("kallsyms");
    return "sed '/ mix_interrupt_randomness$/{ %s\n}' /proc/kallsyms >%s\nmount --bind %s /proc/kallsyms"
        .formatted(edit, changed, changed);
  }
}
