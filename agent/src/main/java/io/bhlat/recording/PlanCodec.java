// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.FastPoolMechanism;
import io.bhlat.trace.Measurement;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import io.bhlat.trace.ProbePlan.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One measurement of a probe plan, as a field of the header. */
final class PlanCodec {

  private PlanCodec() {}

  static ByteSink encode(Planned planned) {
    ByteSink sink = new ByteSink();
    sink.putText(planned.measurement().label());
    sink.putText(planned.state().name().toLowerCase(Locale.ROOT));
    sink.putNumber(planned.countsQueued() ? 1 : 0);
    Tables.put(sink, planned.notes());
    sink.putNumber(planned.probes().size());
    for (ProbeStatus status : planned.probes()) {
      sink.putText(status.probe().kind().label());
      sink.putText(status.probe().target());
      sink.putText(status.probe().program());
      Tables.put(sink, status.failure().stream().toList());
    }
    return sink;
  }

  /** Absent for a measurement that this version does not know. */
  static Optional<Planned> decode(ByteSource source) throws RecordingException {
    String measurement = source.takeText();
    String state = source.takeText();
    boolean countsQueued = source.takeNumber() != 0;
    List<String> notes = texts(source);
    List<ProbeStatus> probes = new ArrayList<>();
    for (int left = source.takeCount(); left > 0; left--) {
      ProbeKind kind = kind(source.takeText());
      Probe probe = new Probe(kind, source.takeText(), source.takeText());
      probes.add(new ProbeStatus(probe, texts(source).stream().findFirst()));
    }
    for (Measurement known : Measurement.values()) {
      if (known.label().equals(measurement)) {
        return Optional.of(new Planned(known, state(state), probes, countsQueued, notes));
      }
    }
    return Optional.empty();
  }

  /** The plan of these measurements; those that are not among them were not asked for. */
  static ProbePlan plan(FastPoolMechanism mechanism, List<Planned> planned) {
    List<Planned> all = new ArrayList<>();
    for (Measurement measurement : Measurement.values()) {
      all.add(
          planned.stream()
              .filter(p -> p.measurement() == measurement)
              .findFirst()
              .orElseGet(
                  () ->
                      new Planned(measurement, State.NOT_REQUESTED, List.of(), false, List.of())));
    }
    return new ProbePlan(mechanism, all);
  }

  private static List<String> texts(ByteSource source) throws RecordingException {
    List<String> texts = new ArrayList<>();
    for (int left = source.takeCount(); left > 0; left--) {
      texts.add(source.takeText());
    }
    return texts;
  }

  private static ProbeKind kind(String label) throws RecordingException {
    return Arrays.stream(ProbeKind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new RecordingException("a probe of unknown kind: " + label));
  }

  private static State state(String name) throws RecordingException {
    return Arrays.stream(State.values())
        .filter(state -> state.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(() -> new RecordingException("a measurement in unknown state: " + name));
  }
}
