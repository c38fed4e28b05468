// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Times steps of a benchmark, with what they allocate and what the whole process takes for them.
 */
final class StepTimes {

  private final String wanted;

  /**
   * Has timed nothing yet.
   *
   * @param wanted regular expression of the names of steps; others are not run
   */
  StepTimes(String wanted) {
    this.wanted = wanted;
  }

  /** What is timed. */
  interface Step {
    Object run();
  }

  /** Runs a step half as often unmeasured, then so often, and prints what one took. */
  void measure(String name, int times, Step step) {
    if (!name.matches(wanted)) {
      return;
    }
    long[] ns = new long[times];
    for (int i = 0; i < times / 2; i++) {
      step.run();
    }
    long allocated = allocatedBytes();
    long cpuNs = cpuNs();
    long collecting = collectingMs();
    for (int i = 0; i < times; i++) {
      long startNs = System.nanoTime();
      Object result = step.run();
      ns[i] = System.nanoTime() - startNs;
      if (result.equals("")) {
        System.out.print(""); // so that it is needed
      }
    }
    cpuNs = cpuNs() - cpuNs;
    allocated = allocatedBytes() - allocated;
    collecting = collectingMs() - collecting;
    Arrays.sort(ns);
    System.out.printf(
        Locale.ROOT,
        "%-30s median %7.1f ms  max %7.1f ms  CPU %7.1f ms  allocates %7.1f MB  collector %5.1f ms each%n",
        name,
        ns[times / 2] / 1e6,
        ns[times - 1] / 1e6,
        cpuNs / 1e6 / times,
        allocated / 1e6 / times,
        (double) collecting / times);
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  /** Of the whole process, with its garbage collector and compiler. */
  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long collectingMs() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(collector -> collector.getCollectionTime())
        .sum();
  }
}
