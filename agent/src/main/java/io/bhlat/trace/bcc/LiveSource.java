// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.Errno;
import io.bhlat.model.CallCounts;
import io.bhlat.model.Counts;
import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.Snapshot;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import io.bhlat.trace.BpfFiles;
import io.bhlat.trace.HostView;
import io.bhlat.trace.LatencySource;
import io.bhlat.trace.MapSizes;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlanner;
import io.bhlat.trace.TraceOptions;
import io.bhlat.trace.TraceTarget;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The probes attached to the running kernel, and the counts that they make. Any thread; calls are
 * serialised.
 */
public final class LiveSource implements LatencySource {

  private final Handles handles;
  private final TraceTarget target;
  private final SourceMaps maps;
  private final HostView host;
  private final MapSizes sizes;
  private final Attachments attachments;
  private final SlowReadings slow;
  private final ProbePlan plan;
  private final CpuCountsReader cpuCounts;
  private final @Nullable FunctionReader functions;
  private final CallReader calls;
  private final @Nullable BccMap pending;
  private final @Nullable PendingSweeper sweeper;
  private final Optional<CallbackWatch> callbacks;
  private final Instant attachedAt;
  private boolean closed;

  /**
   * Compiles, loads and attaches. Takes a few tenths of a second.
   *
   * @param options what to trace
   * @param target the kernel that runs here
   * @param host what is asked of the host for each snapshot
   * @return a source, of which some measurements may be missing: see {@link #plan}
   * @throws BpfException if the programs cannot be compiled or their maps not made
   */
  public static LiveSource open(TraceOptions options, TraceTarget target, HostView host)
      throws BpfException {
    ProbePlanner planner = new ProbePlanner(options, target);
    Handles handles = new Handles();
    try {
      Programs programs = new CompiledPrograms(handles.add(compile(planner)));
      return new LiveSource(options, target, planner, programs, handles, host, Optional.empty());
    } catch (BpfException | RuntimeException e) {
      handles.close();
      throw e;
    }
  }

  /**
   * Goes on with what the process image before this one attached. Loads no libbcc.
   *
   * @param options as they were there
   * @param handOver what {@link #handOver} gave there
   * @throws BpfException if a descriptor is not what it should be
   */
  public static LiveSource takeOver(TraceOptions options, HostView host, HandOver handOver)
      throws BpfException {
    TraceTarget target = handOver.target();
    ProbePlanner planner = new ProbePlanner(options, target);
    Handles handles = new Handles();
    try {
      Programs programs = handles.add(new InheritedPrograms(handOver));
      return new LiveSource(
          options, target, planner, programs, handles, host, Optional.of(handOver));
    } catch (BpfException | RuntimeException e) {
      handles.close();
      throw e;
    }
  }

  private static BccModule compile(ProbePlanner planner) throws BpfException {
    try (BpfFiles headers = BpfFiles.unpack()) {
      return BccModule.compile(planner.source(CountsLayout.defines()), headers.folder());
    } catch (IOException e) {
      throw new BpfException(
          BpfException.Kind.FAILED,
          "unpack BPF headers",
          Errno.text(e),
          "make the folder for temporary files writable, or name another by -Djava.io.tmpdir");
    }
  }

  private LiveSource(
      TraceOptions options,
      TraceTarget target,
      ProbePlanner planner,
      Programs programs,
      Handles handles,
      HostView host,
      Optional<HandOver> earlier)
      throws BpfException {
    this.handles = handles;
    this.target = target;
    this.maps = new SourceMaps(programs, handles);
    this.sizes = planner.sizes();
    this.host = host;
    this.cpuCounts =
        new CpuCountsReader(
            maps.openMapped("cpu_counts", CountsLayout.CPU_BYTES),
            sizes.cpus(),
            target.preemptRt());
    this.functions = options.countFunctions() ? functionReader(earlier.isEmpty()) : null;
    this.calls =
        new CallReader(
            planner.compiles("interrupt_randomness.c")
                ? maps.open(
                    "interrupts",
                    CountsLayout.INTERRUPT_KEY_BYTES,
                    CountsLayout.INTERRUPT_CALLS_BYTES)
                : null,
            planner.compiles("queue_work_on.c")
                ? maps.open(
                    "queue_calls",
                    CountsLayout.QUEUE_CALL_KEY_BYTES,
                    CountsLayout.QUEUE_CALLS_BYTES)
                : null,
            host::interruptDevices);
    if (planner.compiles("workqueue.c")) {
      maps.open("running", CountsLayout.RUNNING_KEY_BYTES, CountsLayout.RUNNING_BYTES);
    }
    if (planner.compiles("pending.c")) {
      this.pending = maps.open("pending", CountsLayout.STAMP_KEY_BYTES, CountsLayout.STAMP_BYTES);
      this.sweeper =
          new PendingSweeper(pending, options.maxPendingAge().toNanos(), System.nanoTime());
    } else {
      this.pending = null;
      this.sweeper = null;
    }
    this.attachments = handles.add(new Attachments(programs));
    this.plan = planner.attach(attachments);
    this.slow = new SlowReadings(host, attachments::programs);
    this.callbacks = watchCallbacks();
    this.attachedAt = earlier.map(HandOver::attachedAt).orElseGet(Instant::now);
  }

  /** Where tasklets are seen by their functions, the watch that finds these; ends when closed. */
  private Optional<CallbackWatch> watchCallbacks() throws BpfException {
    List<FunctionLinks> links = attachments.functionLinks();
    if (links.isEmpty()) {
      return Optional.empty();
    }
    CallbackProbes probes =
        new CallbackProbes(
            maps.open("callbacks", CountsLayout.CALLBACK_KEY_BYTES, CountsLayout.CALLBACK_BYTES),
            maps.open("callback_changes", Integer.BYTES, Integer.BYTES),
            links,
            host::functionNames);
    return Optional.of(handles.add(CallbackWatch.start(probes)));
  }

  /**
   * Reads what is counted by function.
   *
   * @param fresh whether the map's free indexes must be offered to the kernel: once only
   */
  private FunctionReader functionReader(boolean fresh) throws BpfException {
    BccMap names =
        maps.open(
            "functions",
            CountsLayout.FUNCTION_KEY_BYTES,
            CountsLayout.FUNCTION_WORKQUEUE_OFFSET + sizes.workqueueNameBytes());
    BccMap freeIndexes = maps.open("free_function_indexes", 0, Integer.BYTES);
    if (fresh) {
      FunctionReader.offerIndexes(freeIndexes, sizes);
    }
    MappedMemory counts = maps.openMapped("function_counts", CountsLayout.FUNCTION_BYTES);
    return new FunctionReader(names, counts, sizes, host::functionNames);
  }

  @Override
  public ProbePlan plan() {
    return plan;
  }

  /**
   * Why probes of the plan are not attached, with what clang or the verifier wrote. What failed
   * where something else serves is not among them.
   */
  public List<BpfException> failures() {
    return plan.measurements().stream()
        .flatMap(planned -> planned.probes().stream())
        .filter(status -> !status.attached())
        .map(ProbePlan.ProbeStatus::probe)
        .distinct()
        .flatMap(probe -> attachments.failureOf(probe).stream())
        .toList();
  }

  @Override
  public synchronized Snapshot snapshot() {
    slow.makeDue();
    return frequentSnapshot();
  }

  /**
   * As {@link #snapshot}, for whoever takes one every second: which CPUs are online, how often
   * programs were skipped and which functions ran at all, which files of /proc and /sys tell, is
   * not older than ten seconds. A new function is then told with all that it counted.
   */
  public synchronized Snapshot frequentSnapshot() {
    if (closed) {
      throw new IllegalStateException("snapshot of a source that is closed");
    }
    try {
      if (callbacks.isPresent()) {
        callbacks.get().look();
      }
      Instant takenAt = Instant.now();
      long takenAtNs = System.nanoTime();
      Map<WorkKey, LossCounts> agedOut = sweep(takenAtNs);
      Map<Integer, List<WorkCounts>> byCpu = new TreeMap<>();
      TreeMap<Integer, LatencyHistogram> timeInInterrupt = new TreeMap<>();
      Map<Integer, CallReader.UntoldCalls> untold = new TreeMap<>();
      boolean all = slow.readIfDue(takenAtNs);
      cpuCounts.readHistograms();
      for (int cpu = 0; cpu < sizes.cpus(); cpu++) {
        List<WorkCounts> counts = cpuCounts.of(cpu);
        if (slow.online().contains(cpu) || !counts.stream().allMatch(WorkCounts::isNone)) {
          byCpu.put(cpu, counts);
          timeInInterrupt.put(cpu, cpuCounts.timeInInterrupt(cpu));
          untold.put(cpu, cpuCounts.untold());
        }
      }
      // Before the functions: naming new ones may take a while, and calls go with what was queued.
      CallCounts called = calls.read(timeInInterrupt, untold);
      Counts counts =
          new Counts(byCpu, agedOut, functions == null ? Map.of() : functions.read(all), called)
              .withLostByClass(slow.skipped(plan))
              .withPrograms(slow.runs());
      return new Snapshot(takenAt, takenAtNs, attachedAt, counts);
    } catch (BpfException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private Map<WorkKey, LossCounts> sweep(long nowNs) throws BpfException {
    if (sweeper == null) {
      return Map.of();
    }
    sweeper.sweepIfDue(nowNs);
    return sweeper.agedOut();
  }

  /**
   * What the next process image needs to go on with these probes. From here on nothing may be asked
   * of this source but to be closed.
   *
   * @param build the version of bhlat
   */
  public synchronized HandOver handOver(String build) {
    callbacks.ifPresent(CallbackWatch::close);
    return new HandOver(build, attachedAt, target, maps.descriptors(), attachments.held());
  }

  /** Detaches every probe; what was counted can still be read. Idempotent. */
  public synchronized void detach() {
    callbacks.ifPresent(CallbackWatch::close);
    try {
      slow.readPrograms();
    } finally {
      attachments.close();
    }
  }

  /** How many stamps of queued work items and tasklets the kernel holds. */
  public synchronized int pendingStamps() throws BpfException {
    return pending == null ? 0 : pending.entries().size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    handles.close();
  }
}
