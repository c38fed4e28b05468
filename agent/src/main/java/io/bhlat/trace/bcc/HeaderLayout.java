// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.kernel.KernelLayout;
import io.bhlat.kernel.LayoutField;
import io.bhlat.trace.BpfSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Offsets from the host's kernel headers, for kernels without BTF: clang lays out maps whose values
 * are as long as the offsets, and libbcc tells how long they are.
 *
 * <p>Only what the headers declare: work items, tasklets and timers. What belongs to a workqueue is
 * private to kernel/workqueue.c, so that functions come without the names of their workqueues.
 */
public final class HeaderLayout {

  private static final List<LayoutField> DECLARED =
      List.of(
          LayoutField.WORK_STRUCT_FUNC_OFFSET,
          LayoutField.WORK_STRUCT_DATA_OFFSET,
          LayoutField.TASKLET_STRUCT_FUNC_OFFSET,
          LayoutField.TASKLET_STRUCT_STATE_OFFSET,
          LayoutField.TASKLET_STRUCT_DATA_OFFSET,
          LayoutField.TASKLET_STRUCT_USE_CALLBACK_OFFSET,
          LayoutField.TIMER_LIST_FUNCTION_OFFSET,
          LayoutField.TIMER_LIST_FLAGS_OFFSET);

  private HeaderLayout() {}

  /**
   * Reads the headers of the running kernel.
   *
   * @param release the kernel's release
   * @return empty if they are not installed
   * @throws BpfException if they do not compile
   */
  public static Optional<KernelLayout> ofInstalledHeaders(String release) throws BpfException {
    Path build = Path.of("/lib/modules", release, "build");
    Path source = Path.of("/lib/modules", release, "source");
    if (!Files.isDirectory(build)) {
      return Optional.empty();
    }
    return Optional.of(of(Files.isDirectory(source) ? source : build, build));
  }

  /**
   * Reads a tree of prepared kernel headers.
   *
   * @param source the folder with include/linux
   * @param build the folder with what the configuration generated; Debian keeps the two apart
   */
  private static KernelLayout of(Path source, Path build) throws BpfException {
    try (BccModule module =
        BccModule.compile(new BpfSource(text(), Map.of()), source, generatedIncludes(build))) {
      EnumMap<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
      for (LayoutField field : DECLARED) {
        int length = (int) module.valueBytes(field.macro());
        if (length > 0) {
          bytes.put(field, length - 1);
        }
      }
      return new KernelLayout(KernelLayout.Source.HOST_HEADERS, bytes);
    }
  }

  private static List<String> generatedIncludes(Path build) {
    List<String> flags = new ArrayList<>();
    flags.add("-I" + build.resolve("include"));
    flags.add("-I" + build.resolve("include/generated/uapi"));
    for (String architecture : List.of("x86", "arm64")) {
      Path includes = build.resolve("arch").resolve(architecture).resolve("include");
      flags.add("-I" + includes.resolve("generated"));
      flags.add("-I" + includes.resolve("generated/uapi"));
    }
    return flags;
  }

  /** One map a field, its value one byte longer than the offset, which may be 0. */
  private static String text() {
    StringBuilder text =
        new StringBuilder(
            """
            #include <linux/interrupt.h>
            #include <linux/timer.h>
            #include <linux/version.h>
            #include <linux/workqueue.h>
            """);
    for (LayoutField field : DECLARED) {
      boolean isNew = field == LayoutField.TASKLET_STRUCT_USE_CALLBACK_OFFSET;
      text.append(isNew ? "#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 9, 0)\n" : "");
      text.append(
          "struct at_%s { char bytes[__builtin_offsetof(struct %s, %s) + 1]; };%n"
              .formatted(field.macro(), field.struct(), field.member()));
      text.append("BPF_ARRAY(%s, struct at_%s, 1);%n".formatted(field.macro(), field.macro()));
      text.append(isNew ? "#endif\n" : "");
    }
    return text.toString();
  }
}
