// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.kernel.Capabilities;
import io.bhlat.kernel.Capability;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelRelease;
import io.bhlat.linux.Privileges;
import io.bhlat.linux.ProcessImage;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.bcc.HandOver;
import io.bhlat.trace.bcc.LiveSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The same program started anew in the same process, after attaching: libbcc's compiler, about 150
 * MB that it never gives back, is gone then, and so are the privileges that only attaching takes.
 */
final class Successor {

  /** Behind these the JVM's options end. */
  private static final Set<String> JAR_OR_CLASS_PATH = Set.of("-jar", "-cp");

  private Successor() {}

  /**
   * What the program before this one attached; empty when this one is the first.
   *
   * @throws CommandFailure if it cannot be understood
   */
  static Optional<HandOver> inherited() {
    try {
      Optional<HandOver> inherited =
          ProcessImage.message().map(bytes -> HandOver.decode(bytes, Version.text()));
      inherited.ifPresent(handOver -> ProcessImage.keepToThis(handOver.descriptors()));
      return inherited;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.CANNOT,
          "take over from the bhlat that attached: " + e.getMessage() + "; start bhlat again",
          e);
    }
  }

  /**
   * Starts it. Does not return.
   *
   * @param heapMiB most megabytes of its heap; what the user asked of the JVM goes before
   * @throws CommandFailure if it cannot be started; the source is of no more use
   */
  static void start(LiveSource source, Host host, int heapMiB) {
    try {
      Capabilities held = Capabilities.read(host.files());
      HandOver handOver = source.handOver(Version.text());
      boolean restricted = isPerfRestricted(host.files());
      Privileges.keepOnly(
          needed(source.plan(), host.release(), held, restricted), held.effective());
      ProcessImage.replace(
          arguments -> withHeap(arguments, heapMiB), handOver.encode(), handOver.descriptors());
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The launcher's own limit, the first, is for compiling and attaching; one of the user's follows
   * it, and the JVM takes the last.
   */
  static List<String> withHeap(List<String> arguments, int heapMiB) {
    List<String> changed = new ArrayList<>(arguments);
    for (int i = 1; i < changed.size() && !JAR_OR_CLASS_PATH.contains(changed.get(i)); i++) {
      if (changed.get(i).startsWith("-Xmx")) {
        changed.set(i, "-Xmx" + heapMiB + "m");
        break;
      }
    }
    return changed;
  }

  /** Debian's and Ubuntu's kernels know a level 3: nothing without CAP_SYS_ADMIN. */
  private static boolean isPerfRestricted(HostFiles files) {
    return files
        .text("/proc/sys/kernel/perf_event_paranoid")
        .map(Integer::parseInt)
        .filter(level -> level > 2)
        .isPresent();
  }

  /**
   * What reading takes, and probing functions of tasklets as they are found.
   *
   * @param perfRestricted whether CAP_PERFMON is not enough for kprobes
   */
  static Set<Capability> needed(
      ProbePlan plan, KernelRelease release, Capabilities held, boolean perfRestricted) {
    Set<Capability> needed = EnumSet.of(Capability.CAP_SYSLOG);
    if (!release.isAtLeast(5, 19)) { // later ones ask for it to make maps only, not to read them
      needed.add(orAdmin(Capability.CAP_BPF, held));
    }
    if (plan.probesCallbacks()) {
      needed.add(perfRestricted ? Capability.CAP_SYS_ADMIN : orAdmin(Capability.CAP_PERFMON, held));
    }
    return needed;
  }

  private static Capability orAdmin(Capability capability, Capabilities held) {
    return held.has(capability) ? capability : Capability.CAP_SYS_ADMIN;
  }
}
