// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.kernel.CpuSet;
import io.bhlat.model.FastPoolMechanism;
import io.bhlat.model.LatencyBuckets;
import io.bhlat.trace.ProbePlan.Planned;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The payload of a header frame: fields of a tag, a length and a value each. */
final class HeaderCodec {

  private static final int BHLAT_VERSION = 1;
  private static final int ATTACHED_AT = 2;
  private static final int HOSTNAME = 3;
  private static final int KERNEL_RELEASE = 4;
  private static final int KERNEL_VERSION = 5;
  private static final int PREEMPT_RT = 6;
  private static final int POSSIBLE_CPUS = 7;
  private static final int ONLINE_CPUS = 8;
  private static final int MECHANISM = 9;
  private static final int PLANNED = 10;
  private static final int FACT = 11;
  private static final int KEYS = 12;
  private static final int CLASSES = 13;
  private static final int REASONS = 14;
  private static final int CONTEXTS = 15;
  private static final int BUCKETS = 16;

  private HeaderCodec() {}

  /** A header and what the numbers of its frames stand for. */
  record Decoded(RecordingHeader header, Tables tables) {}

  static byte[] encode(RecordingHeader header, Tables tables) {
    ByteSink sink = new ByteSink();
    putText(sink, BHLAT_VERSION, header.bhlatVersion());
    ByteSink attached = new ByteSink();
    attached.putInstant(header.attachedAt());
    put(sink, ATTACHED_AT, attached);
    putText(sink, HOSTNAME, header.hostname());
    putText(sink, KERNEL_RELEASE, header.kernelRelease());
    putText(sink, KERNEL_VERSION, header.kernelVersion());
    ByteSink preemptRt = new ByteSink();
    preemptRt.putNumber(header.preemptRt() ? 1 : 0);
    put(sink, PREEMPT_RT, preemptRt);
    putText(sink, POSSIBLE_CPUS, header.possibleCpus().toString());
    putText(sink, ONLINE_CPUS, header.onlineCpus().toString());
    putText(sink, MECHANISM, header.plan().mechanism().label());
    header.plan().measurements().forEach(p -> put(sink, PLANNED, PlanCodec.encode(p)));
    header.facts().forEach((name, value) -> put(sink, FACT, fact(name, value)));
    putTable(sink, KEYS, tables.keyNames());
    putTable(sink, CLASSES, tables.classNames());
    putTable(sink, REASONS, tables.reasonNames());
    putTable(sink, CONTEXTS, tables.contextNames());
    ByteSink buckets = new ByteSink();
    buckets.putNumber(LatencyBuckets.SCHEMA);
    buckets.putSigned(LatencyBuckets.FIRST_INDEX);
    buckets.putNumber(LatencyBuckets.CELLS);
    put(sink, BUCKETS, buckets);
    return sink.toArray();
  }

  private static ByteSink fact(String name, String value) {
    ByteSink fact = new ByteSink();
    fact.putText(name);
    fact.putText(value);
    return fact;
  }

  private static void putTable(ByteSink sink, int tag, List<String> names) {
    ByteSink table = new ByteSink();
    Tables.put(table, names);
    put(sink, tag, table);
  }

  private static void putText(ByteSink sink, int tag, String text) {
    sink.putNumber(tag);
    sink.putText(text);
  }

  private static void put(ByteSink sink, int tag, ByteSink value) {
    sink.putNumber(tag);
    sink.putNumber(value.length());
    sink.putAll(value);
  }

  /** Reads a header; fields that this version does not know are skipped. */
  static Decoded decode(byte[] payload) throws RecordingException {
    Map<Integer, ByteSource> fields = new HashMap<>();
    List<Planned> plan = new java.util.ArrayList<>();
    Map<String, String> facts = new TreeMap<>();
    ByteSource source = new ByteSource(payload);
    while (!source.isAtEnd()) {
      int tag = source.takeIndex(Integer.MAX_VALUE);
      ByteSource value = source.takeSource(source.takeCount());
      switch (tag) {
        case PLANNED -> PlanCodec.decode(value).ifPresent(plan::add);
        case FACT -> facts.put(value.takeText(), value.takeText());
        default -> fields.put(tag, value);
      }
    }
    requireOwnBuckets(field(fields, BUCKETS));
    RecordingHeader header =
        new RecordingHeader(
            text(fields, BHLAT_VERSION),
            field(fields, ATTACHED_AT).takeInstant(),
            text(fields, HOSTNAME),
            text(fields, KERNEL_RELEASE),
            text(fields, KERNEL_VERSION),
            field(fields, PREEMPT_RT).takeNumber() != 0,
            cpus(text(fields, POSSIBLE_CPUS)),
            cpus(text(fields, ONLINE_CPUS)),
            PlanCodec.plan(mechanism(text(fields, MECHANISM)), plan),
            facts);
    return new Decoded(
        header,
        new Tables(
            Tables.takeKeys(field(fields, KEYS)),
            Tables.takeClasses(field(fields, CLASSES)),
            Tables.takeReasons(field(fields, REASONS)),
            Tables.takeContexts(field(fields, CONTEXTS))));
  }

  /** CPUs in the kernel's list form. */
  static CpuSet cpus(String list) throws RecordingException {
    try {
      return CpuSet.parse(list);
    } catch (IllegalArgumentException e) {
      throw new RecordingException("a set of CPUs that is none", e);
    }
  }

  private static FastPoolMechanism mechanism(String label) {
    for (FastPoolMechanism mechanism : FastPoolMechanism.values()) {
      if (mechanism.label().equals(label)) {
        return mechanism;
      }
    }
    return FastPoolMechanism.UNKNOWN;
  }

  private static void requireOwnBuckets(ByteSource buckets) throws RecordingException {
    if (buckets.takeNumber() != LatencyBuckets.SCHEMA
        || buckets.takeSigned() != LatencyBuckets.FIRST_INDEX
        || buckets.takeNumber() != LatencyBuckets.CELLS) {
      throw new RecordingException("its buckets are not those of this version");
    }
  }

  private static String text(Map<Integer, ByteSource> fields, int tag) throws RecordingException {
    ByteSource value = field(fields, tag);
    return new String(value.takeBytes(value.remaining()), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static ByteSource field(Map<Integer, ByteSource> fields, int tag)
      throws RecordingException {
    return Optional.ofNullable(fields.get(tag))
        .orElseThrow(() -> new RecordingException("its header lacks field " + tag));
  }
}
