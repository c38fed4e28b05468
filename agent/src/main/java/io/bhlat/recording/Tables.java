// SPDX-License-Identifier: Apache-2.0
package io.bhlat.recording;

import io.bhlat.model.LossReason;
import io.bhlat.model.RunContext;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkKey;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What the numbers in frames stand for. The header of a recording names them, so that it can be
 * read where their order is another. Immutable.
 */
record Tables(
    List<WorkKey> keys,
    List<WorkClass> classes,
    List<LossReason> reasons,
    List<RunContext> contexts) {

  /** Those of this version, by which it writes. */
  static final Tables OWN =
      new Tables(
          WorkKey.ALL,
          List.of(WorkClass.values()),
          List.of(LossReason.values()),
          List.of(RunContext.values()));

  static void put(ByteSink sink, List<String> names) {
    sink.putNumber(names.size());
    names.forEach(sink::putText);
  }

  List<String> keyNames() {
    return keys.stream().map(WorkKey::toString).toList();
  }

  List<String> classNames() {
    return classes.stream().map(WorkClass::label).toList();
  }

  List<String> reasonNames() {
    return reasons.stream().map(LossReason::label).toList();
  }

  List<String> contextNames() {
    return contexts.stream().map(RunContext::label).toList();
  }

  static List<WorkKey> takeKeys(ByteSource source) throws RecordingException {
    return take(source, WorkKey.ALL, WorkKey::toString);
  }

  static List<WorkClass> takeClasses(ByteSource source) throws RecordingException {
    return take(source, Arrays.asList(WorkClass.values()), WorkClass::label);
  }

  static List<LossReason> takeReasons(ByteSource source) throws RecordingException {
    return take(source, Arrays.asList(LossReason.values()), LossReason::label);
  }

  static List<RunContext> takeContexts(ByteSource source) throws RecordingException {
    return take(source, Arrays.asList(RunContext.values()), RunContext::label);
  }

  private static <T> List<T> take(ByteSource source, List<T> known, Function<T, String> nameOf)
      throws RecordingException {
    int count = source.takeCount();
    List<T> table = new java.util.ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = source.takeText();
      table.add(
          known.stream()
              .filter(one -> nameOf.apply(one).equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new RecordingException(
                          "it counts \"" + name + "\", which this version does not know")));
    }
    return List.copyOf(table);
  }
}
