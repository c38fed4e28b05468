// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * An immutable set of CPU numbers, read and written in the kernel's list format "0-3,8,10-11".
 *
 * <p>Possible CPUs fix the size of per-CPU maps; online CPUs are those that can count now. Neither
 * need be without holes.
 */
public final class CpuSet {
  /** Far above the largest NR_CPUS of any kernel (8192); keeps a typing error from using memory. */
  private static final int MAX_CPU = (1 << 20) - 1;

  private final BitSet cpus;

  private CpuSet(BitSet cpus) {
    this.cpus = cpus;
  }

  /** The CPUs that this kernel could ever bring up. */
  public static CpuSet possible(HostFiles host) {
    return read(host, "/sys/devices/system/cpu/possible");
  }

  /** The CPUs that run now. */
  public static CpuSet online(HostFiles host) {
    return read(host, "/sys/devices/system/cpu/online");
  }

  /** The set of exactly these CPUs. */
  public static CpuSet of(int... cpus) {
    BitSet set = new BitSet();
    for (int cpu : cpus) {
      set.set(cpu);
    }
    return new CpuSet(set);
  }

  /**
   * Parses the kernel's list format; the empty text is the empty set.
   *
   * @throws IllegalArgumentException if it is not such a list; the message names the wrong part.
   *     The stride form "0-7:2/4", which the kernel accepts but never prints, is refused.
   */
  public static CpuSet parse(String list) {
    BitSet set = new BitSet();
    String text = list.strip();
    if (text.isEmpty()) {
      return new CpuSet(set);
    }
    for (String part : text.split(",", -1)) {
      addRange(set, part.strip(), text);
    }
    return new CpuSet(set);
  }

  public int count() {
    return cpus.cardinality();
  }

  public boolean isEmpty() {
    return cpus.isEmpty();
  }

  /**
   * The highest CPU number.
   *
   * @throws IllegalStateException if the set is empty
   */
  public int max() {
    if (cpus.isEmpty()) {
      throw new IllegalStateException("the empty set of CPUs has no highest CPU");
    }
    return cpus.length() - 1;
  }

  public boolean contains(int cpu) {
    return cpu >= 0 && cpus.get(cpu);
  }

  /** The CPU numbers, rising. */
  public IntStream stream() {
    return cpus.stream();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && cpus.equals(set.cpus);
  }

  @Override
  public int hashCode() {
    return cpus.hashCode();
  }

  /** The list format, as the kernel would print it. */
  @Override
  public String toString() {
    StringBuilder list = new StringBuilder();
    int first = cpus.nextSetBit(0);
    while (first >= 0) {
      int last = cpus.nextClearBit(first) - 1;
      list.append(list.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        list.append('-').append(last);
      }
      first = cpus.nextSetBit(last + 1);
    }
    return list.toString();
  }

  private static CpuSet read(HostFiles host, String file) {
    String list = host.requiredText(file);
    try {
      return parse(list);
    } catch (IllegalArgumentException e) {
      throw new HostReadException(host.path(file), String.valueOf(e.getMessage()));
    }
  }

  private static void addRange(BitSet set, String part, String list) {
    if (part.indexOf(':') >= 0 || part.indexOf('/') >= 0) {
      throw wrong(part, list, "strides are not supported, list the CPUs");
    }
    int dash = part.indexOf('-');
    int first = cpu(dash < 0 ? part : part.substring(0, dash), part, list);
    int last = dash < 0 ? first : cpu(part.substring(dash + 1), part, list);
    if (last < first) {
      throw wrong(part, list, "the range ends before it begins");
    }
    set.set(first, last + 1);
  }

  private static int cpu(String number, String part, String list) {
    boolean digits = !number.isEmpty() && number.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) {
      throw wrong(part, list, "a CPU is a decimal number");
    }
    if (number.length() > 7 || Integer.parseInt(number) > MAX_CPU) {
      throw wrong(part, list, "no kernel has a CPU above " + MAX_CPU);
    }
    return Integer.parseInt(number);
  }

  private static IllegalArgumentException wrong(String part, String list, String rule) {
    return new IllegalArgumentException(
        "CPU list \"" + list + "\": \"" + part + "\" is wrong: " + rule + " (form: 0-3,8,10-11)");
  }
}
