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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

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
}
