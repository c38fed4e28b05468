// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which kernel runs: "6.1.0-25-rt-amd64" and what it says of its build.
 *
 * <p>Distributions bring changes into old releases, so nothing may be concluded from {@link
 * #major()} and {@link #minor()} that a probe can tell.
 *
 * @param release /proc/sys/kernel/osrelease
 * @param version /proc/sys/kernel/version: build number, preemption model, build date or package
 * @param isPreemptRt true if spinlocks sleep and softirqs run in threads
 */
public record KernelRelease(String release, String version, boolean isPreemptRt) {
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(\\D.*)?");

  /** Checks that the release begins with two numbers. */
  public KernelRelease {
    numbers(release);
  }

  /** A release whose preemption model follows from the version text alone. */
  public static KernelRelease of(String release, String version) {
    return new KernelRelease(release, version, saysPreemptRt(version));
  }

  /**
   * The release of the running kernel.
   *
   * @throws HostReadException if procfs cannot be read
   */
  public static KernelRelease read(HostFiles host) {
    String version = host.requiredText("/proc/sys/kernel/version");
    // Present only with the -rt patches, before PREEMPT_RT was merged.
    boolean realtime = host.text("/sys/kernel/realtime").filter("1"::equals).isPresent();
    return new KernelRelease(
        host.requiredText("/proc/sys/kernel/osrelease"),
        version,
        realtime || saysPreemptRt(version));
  }

  public int major() {
    return Integer.parseInt(numbers(release).group(1));
  }

  public int minor() {
    return Integer.parseInt(numbers(release).group(2));
  }

  /** Whether it is this version or a later one; what a distribution took over it does not know. */
  public boolean isAtLeast(int leastMajor, int leastMinor) {
    return major() > leastMajor || (major() == leastMajor && minor() >= leastMinor);
  }

  @Override
  public String toString() {
    return release + " (" + version + ")";
  }

  /** "PREEMPT RT" is how kernels before 5.4 wrote it. */
  private static boolean saysPreemptRt(String version) {
    return version.contains("PREEMPT_RT") || version.contains("PREEMPT RT");
  }

  private static Matcher numbers(String release) {
    Matcher matcher = NUMBERS.matcher(release);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "kernel release must begin with two numbers, like 6.1.0-25-amd64: \"" + release + "\"");
    }
    return matcher;
  }
}
