// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.infiniband.Adapters;
import io.bhlat.kernel.Capabilities;
import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.KernelConfig;
import io.bhlat.kernel.Lockdown;
import io.bhlat.terminal.CheckJson;
import io.bhlat.terminal.CheckReport;
import io.bhlat.terminal.CheckResult;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlanner;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import io.bhlat.trace.bcc.BpfException;
import io.bhlat.trace.bcc.LiveSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bhlat check}: what can be measured here. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Says what can be measured on this host: attaches every probe for a moment, detaches it, and"
          + " names what stands in the way and what helps. Lists InfiniBand adapters and ports.",
      "",
      "With --config or --web.config.file it checks that file instead, and attaches nothing: exit code 0"
          + " if it can be used, 2 if not.",
      ""
    })
final class CheckCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Option(names = "--json", description = "Print one JSON object; see docs/JSON.md.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print what clang and the kernel's verifier wrote when something fails.")
  private boolean verbose;

  @Option(
      names = "--sysfs-root",
      paramLabel = "DIR",
      description = "Read adapters below DIR instead of / (for fixtures and saved hosts).")
  private @Nullable Path sysfsRoot;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Check only this configuration file, and the one for the web that it names.")
  private @Nullable Path configFile;

  @Option(
      names = "--web.config.file",
      paramLabel = "FILE",
      description = "Check only this file of TLS, users and headers.")
  private @Nullable Path webConfigFile;

  CheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (configFile != null || webConfigFile != null) {
      return new ConfigCheck(terminal).run(configFile, webConfigFile);
    }
    Host host = new Host();
    TraceTarget target = host.target();
    List<BpfException> failures = new ArrayList<>();
    ProbePlan plan = tryProbes(host, target, failures);
    CheckResult result = result(host, target, plan, failures);
    if (json) {
      terminal.print(CheckJson.render(result).getBytes(StandardCharsets.UTF_8));
    } else {
      terminal.print(new CheckReport(terminal.units(), terminal.columns()).render(result));
    }
    if (verbose) {
      failures.stream()
          .filter(e -> !e.details().isBlank())
          .forEach(e -> terminal.complain(e.getMessage() + "\n" + e.details().strip()));
    }
    return exitCode(plan, failures);
  }

  /** The plan as it came out; where nothing could even be compiled, every probe fails for that. */
  private static ProbePlan tryProbes(Host host, TraceTarget target, List<BpfException> failures) {
    TraceOptions everything = TraceOptions.everything();
    try (LiveSource source = host.open(everything, target)) {
      failures.addAll(source.failures());
      return source.plan();
    } catch (BpfException e) {
      failures.add(e);
      return new ProbePlanner(everything, target).attach(new Refusal(e));
    }
  }

  /** What could not be compiled cannot be attached, for the same reason. */
  private record Refusal(BpfException reason) implements ProbePlanner.Attacher {
    @Override
    public Optional<String> attach(Probe probe) {
      return Optional.of(String.valueOf(reason.getMessage()));
    }

    @Override
    public void detach(Probe probe) {}
  }

  private CheckResult result(
      Host host, TraceTarget target, ProbePlan plan, List<BpfException> failures) {
    HostFiles files = host.files();
    OptionalInt hz =
        KernelConfig.read(files, host.release()).map(KernelConfig::hz).orElse(OptionalInt.empty());
    return new CheckResult(
        host.reportHeader(),
        Version.text(),
        host.release().isPreemptRt(),
        hz,
        Capabilities.read(files).remedies(),
        Lockdown.read(files),
        target,
        host.symbols().state(),
        host.symbols().remedy(),
        plan,
        failures.stream().map(e -> String.valueOf(e.getMessage())).distinct().toList(),
        Adapters.read(sysfsRoot == null ? files : new HostFiles(sysfsRoot)));
  }

  private static int exitCode(ProbePlan plan, List<BpfException> failures) {
    if (plan.isComplete()) {
      return ExitCode.OK;
    }
    if (plan.measuresAnything()) {
      return ExitCode.INCOMPLETE;
    }
    return failures.stream().mapToInt(ExitCode::of).min().orElse(ExitCode.CANNOT);
  }
}
