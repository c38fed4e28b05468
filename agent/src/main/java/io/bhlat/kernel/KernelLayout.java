// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Offsets and sizes within kernel structs, as far as they are known. Programs leave out what needs
 * an unknown one.
 *
 * @param source where the numbers come from
 * @param bytes the known numbers; a field that is not known is not in the map
 */
public record KernelLayout(Source source, Map<LayoutField, Integer> bytes) {

  /** Where a layout comes from, the most trustworthy first. */
  public enum Source {
    /** The running kernel's own BTF. */
    BTF,
    /** The table of layouts that were read from kernel images by hand. */
    KNOWN_TABLE,
    /** Headers of the running kernel that are installed on the host. */
    HOST_HEADERS
  }

  /** Copies the numbers. */
  public KernelLayout {
    EnumMap<LayoutField, Integer> copy = new EnumMap<>(LayoutField.class);
    copy.putAll(bytes);
    bytes = Collections.unmodifiableMap(copy);
  }

  /** The offset or size in bytes; empty if not known. */
  public OptionalInt bytes(LayoutField field) {
    Integer known = bytes.get(field);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }

  /** The fields that are not known. */
  public Set<LayoutField> missing() {
    EnumSet<LayoutField> missing = EnumSet.allOf(LayoutField.class);
    missing.removeAll(bytes.keySet());
    return Collections.unmodifiableSet(missing);
  }

  /** The known numbers by the names of their C macros, in the order of {@link LayoutField}. */
  public Map<String, Long> defines() {
    Map<String, Long> defines = new LinkedHashMap<>();
    bytes.forEach((field, value) -> defines.put(field.macro(), value.longValue()));
    return Collections.unmodifiableMap(defines);
  }
}
