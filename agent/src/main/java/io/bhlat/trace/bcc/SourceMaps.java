// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.util.Map;
import java.util.TreeMap;

/** The maps that a source opened, closed with its other handles. Not thread-safe. */
final class SourceMaps {

  private final Programs programs;
  private final Handles handles;
  private final Map<String, Integer> descriptors = new TreeMap<>();

  SourceMaps(Programs programs, Handles handles) {
    this.programs = programs;
    this.handles = handles;
  }

  /** As {@link Programs#map}. */
  BccMap open(String name, int keyBytes, int valueBytes) throws BpfException {
    BccMap map = handles.add(programs.map(name, keyBytes, valueBytes));
    descriptors.put(name, map.descriptor());
    return map;
  }

  /** An array's values, readable without system calls. */
  MappedMemory openMapped(String name, int valueBytes) throws BpfException {
    return handles.add(open(name, Integer.BYTES, valueBytes).mapped(valueBytes));
  }

  /** The descriptors of those that were opened, by name. */
  Map<String, Integer> descriptors() {
    return Map.copyOf(descriptors);
  }
}
