// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import io.bhlat.model.WorkClass;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a work class by its label. */
final class WorkClassConverter implements ITypeConverter<WorkClass> {

  @Override
  public WorkClass convert(String text) {
    return WorkClass.ofLabel(text)
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' is no work class: " + labels()));
  }

  private static String labels() {
    return Arrays.stream(WorkClass.values())
        .map(WorkClass::label)
        .collect(Collectors.joining(", "));
  }

  /** The labels, for the help. */
  static final class Labels implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(WorkClass.values()).map(WorkClass::label).iterator();
    }
  }
}
