// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

/** What the BPF programs must know of the kernel's structs: one number each, in bytes. */
public enum LayoutField {
  WORK_STRUCT_FUNC_OFFSET("work_struct", "func"),
  WORK_STRUCT_DATA_OFFSET("work_struct", "data"),
  TASKLET_STRUCT_FUNC_OFFSET("tasklet_struct", "func"),
  TASKLET_STRUCT_STATE_OFFSET("tasklet_struct", "state"),
  TASKLET_STRUCT_DATA_OFFSET("tasklet_struct", "data"),
  /** Since 5.9. */
  TASKLET_STRUCT_USE_CALLBACK_OFFSET("tasklet_struct", "use_callback"),
  TIMER_LIST_FUNCTION_OFFSET("timer_list", "function"),
  TIMER_LIST_FLAGS_OFFSET("timer_list", "flags"),
  POOL_WORKQUEUE_WQ_OFFSET("pool_workqueue", "wq"),
  POOL_WORKQUEUE_POOL_OFFSET("pool_workqueue", "pool"),
  WORKQUEUE_STRUCT_NAME_OFFSET("workqueue_struct", "name"),
  WORKQUEUE_STRUCT_NAME_LENGTH("workqueue_struct", "name"),
  WORKQUEUE_STRUCT_FLAGS_OFFSET("workqueue_struct", "flags"),
  WORKER_POOL_CPU_OFFSET("worker_pool", "cpu"),
  IRQACTION_NEXT_OFFSET("irqaction", "next");

  private final String struct;
  private final String member;

  LayoutField(String struct, String member) {
    this.struct = struct;
    this.member = member;
  }

  /** The kernel's struct it is about. */
  public String struct() {
    return struct;
  }

  /** The member of {@link #struct()} it is about. */
  public String member() {
    return member;
  }

  /** The name of the macro that carries it into the C source. */
  public String macro() {
    return name();
  }

  /** True if the number is the member's size; else it is the member's offset. */
  public boolean isSize() {
    return this == WORKQUEUE_STRUCT_NAME_LENGTH;
  }
}
