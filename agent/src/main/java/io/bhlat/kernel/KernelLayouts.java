// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.LayoutField.IRQACTION_NEXT_OFFSET;
import static io.bhlat.kernel.LayoutField.POOL_WORKQUEUE_POOL_OFFSET;
import static io.bhlat.kernel.LayoutField.POOL_WORKQUEUE_WQ_OFFSET;
import static io.bhlat.kernel.LayoutField.TASKLET_STRUCT_DATA_OFFSET;
import static io.bhlat.kernel.LayoutField.TASKLET_STRUCT_FUNC_OFFSET;
import static io.bhlat.kernel.LayoutField.TASKLET_STRUCT_STATE_OFFSET;
import static io.bhlat.kernel.LayoutField.TASKLET_STRUCT_USE_CALLBACK_OFFSET;
import static io.bhlat.kernel.LayoutField.TIMER_LIST_FLAGS_OFFSET;
import static io.bhlat.kernel.LayoutField.TIMER_LIST_FUNCTION_OFFSET;
import static io.bhlat.kernel.LayoutField.WORKER_POOL_CPU_OFFSET;
import static io.bhlat.kernel.LayoutField.WORKQUEUE_STRUCT_NAME_LENGTH;
import static io.bhlat.kernel.LayoutField.WORKQUEUE_STRUCT_NAME_OFFSET;
import static io.bhlat.kernel.LayoutField.WORK_STRUCT_DATA_OFFSET;
import static io.bhlat.kernel.LayoutField.WORK_STRUCT_FUNC_OFFSET;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** The ways to a {@link KernelLayout}. */
public final class KernelLayouts {
  /**
   * Debian's releases for x86-64: 6.1.0-25-amd64, 6.12.43+deb13-amd64. Its cloud and -rt kernels
   * are configured differently ("-cloud-amd64", "-rt-amd64") and are not in the table.
   */
  private static final Pattern DEBIAN_AMD64 =
      Pattern.compile("[0-9.]+([-+][0-9.]+|[+](deb|bpo)[0-9.]*)*-amd64");

  /** workqueue_struct.name: where and how long, by "major.minor". */
  private record WorkqueueName(int offsetBytes, int lengthBytes) {}

  // Read from the BTF of Debian's images.
  private static final Map<String, WorkqueueName> WORKQUEUE_NAMES =
      Map.of(
          "5.10", new WorkqueueName(176, 24),
          "6.1", new WorkqueueName(176, 24),
          "6.12", new WorkqueueName(192, 32),
          "6.18", new WorkqueueName(192, 32),
          "7.3", new WorkqueueName(184, 32));

  private KernelLayouts() {}

  /**
   * The layout that the kernel itself describes; members it does not have are left out.
   *
   * @throws BtfFormatException if the description is malformed
   */
  public static KernelLayout fromBtf(Btf btf) {
    EnumMap<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
    for (LayoutField field : LayoutField.values()) {
      OptionalInt value =
          field.isSize()
              ? btf.memberSizeBytes(field.struct(), field.member())
              : btf.memberOffsetBytes(field.struct(), field.member());
      value.ifPresent(known -> bytes.put(field, known));
    }
    return new KernelLayout(KernelLayout.Source.BTF, bytes);
  }

  /**
   * The layout of a kernel whose image was looked at; empty for every other one, because the layout
   * follows from the configuration and not from the version. Only Debian's ordinary x86-64 kernels
   * are known.
   */
  public static Optional<KernelLayout> known(KernelRelease kernel) {
    WorkqueueName name = WORKQUEUE_NAMES.get(kernel.major() + "." + kernel.minor());
    if (name == null
        || kernel.isPreemptRt()
        || !kernel.version().contains("Debian")
        || !DEBIAN_AMD64.matcher(kernel.release()).matches()) {
      return Optional.empty();
    }
    EnumMap<LayoutField, Integer> bytes = new EnumMap<>(LayoutField.class);
    bytes.put(WORK_STRUCT_DATA_OFFSET, 0);
    bytes.put(WORK_STRUCT_FUNC_OFFSET, 24);
    bytes.put(TASKLET_STRUCT_FUNC_OFFSET, 24);
    bytes.put(TASKLET_STRUCT_STATE_OFFSET, 8);
    bytes.put(TASKLET_STRUCT_DATA_OFFSET, 32);
    bytes.put(TASKLET_STRUCT_USE_CALLBACK_OFFSET, 20);
    bytes.put(TIMER_LIST_FUNCTION_OFFSET, 24);
    bytes.put(TIMER_LIST_FLAGS_OFFSET, 32);
    bytes.put(POOL_WORKQUEUE_POOL_OFFSET, 0);
    bytes.put(POOL_WORKQUEUE_WQ_OFFSET, 8);
    bytes.put(WORKER_POOL_CPU_OFFSET, 4);
    bytes.put(IRQACTION_NEXT_OFFSET, 24);
    bytes.put(WORKQUEUE_STRUCT_NAME_OFFSET, name.offsetBytes());
    bytes.put(WORKQUEUE_STRUCT_NAME_LENGTH, name.lengthBytes());
    return Optional.of(new KernelLayout(KernelLayout.Source.KNOWN_TABLE, bytes));
  }
}
