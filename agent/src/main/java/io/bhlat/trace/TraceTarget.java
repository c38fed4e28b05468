// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace;

import io.bhlat.kernel.CpuSet;
import io.bhlat.kernel.KernelLayout;
import io.bhlat.model.FastPoolMechanism;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What tracing must know of the kernel that it is for. Immutable.
 *
 * @param possibleCpus the CPUs that may ever be online; each gets counts of its own
 * @param preemptRt whether it is a PREEMPT_RT kernel, which runs softirqs in tasks only
 * @param layout offsets within the kernel's structs; absent when they cannot be found
 * @param layoutProblem why not, and what to install
 * @param mechanism how the fast pool is mixed
 * @param mixFunction address of mix_interrupt_randomness
 * @param mixProblem why the mixing cannot be recognised, and what would help; empty when it can
 * @param flushBarrierFunction address of wq_barrier_func; without it flush barriers count as starts
 *     without a queueing
 * @param executeEndArguments arguments of workqueue_execute_end, where known: 1 before 5.10
 */
public record TraceTarget(
    CpuSet possibleCpus,
    boolean preemptRt,
    Optional<KernelLayout> layout,
    String layoutProblem,
    FastPoolMechanism mechanism,
    OptionalLong mixFunction,
    String mixProblem,
    OptionalLong flushBarrierFunction,
    OptionalInt executeEndArguments) {}
