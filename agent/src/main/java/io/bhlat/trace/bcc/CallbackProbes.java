// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes the functions that tasklets run, as the programs of bpf/tasklet_by_callback.c find them:
 * those write what they find into a map, this attaches and writes there that it did. Thread-safe.
 *
 * <p>When a module was unloaded, any function may be gone and another be in its place: all are
 * probed anew, and the programs trust no probe of before. Those that cannot be any more are
 * forgotten, until they are found again.
 */
final class CallbackProbes {

  private static final Logger log = LoggerFactory.getLogger(CallbackProbes.class);

  // As in bpf/tasklet_by_callback.c.
  private static final int FOUND = 0;
  private static final int PROBED = 1;
  private static final int REFUSED = 2;

  private final BccMap callbacks;
  private final BccMap changes;
  private final List<FunctionLinks> links;
  private final Function<Set<Long>, Map<Long, String>> namesOf;
  private final Set<Long> complainedOf = new HashSet<>();
  private List<Integer> lastChanges = List.of();

  /**
   * Works on these maps.
   *
   * @param callbacks function to what became of it
   * @param changes how many functions were found, and how many modules unloaded
   * @param links what to attach
   * @param namesOf the names of functions by their addresses
   */
  CallbackProbes(
      BccMap callbacks,
      BccMap changes,
      List<FunctionLinks> links,
      Function<Set<Long>, Map<Long, String>> namesOf) {
    this.callbacks = callbacks;
    this.changes = changes;
    this.links = List.copyOf(links);
    this.namesOf = namesOf;
  }

  /**
   * Probes what was found since the last time; cheap when nothing was. One that cannot be probed is
   * logged, once.
   *
   * @throws BpfException if a map cannot be read or written
   */
  synchronized void probeFound() throws BpfException {
    // Read first: what changes from here on is seen the next time.
    List<Integer> now = changes.entries().stream().map(entry -> entry.value().getInt(0)).toList();
    if (now.equals(lastChanges)) {
      return;
    }
    int unloads = now.get(1);
    List<BccMap.Entry> found = callbacks.entries();
    for (BccMap.Entry entry : found) {
      boolean isNew = entry.value().getInt(0) == unloads;
      if (!isNew || entry.value().getInt(CountsLayout.CALLBACK_STATE_OFFSET) == FOUND) {
        probe(entry.key(), isNew, unloads);
      }
    }
    if (found.size() == callbacks.maxEntries() && complainedOf.add(0L)) {
      log.warn(
          "tasklets run more than {} functions: further ones are not probed, and what is queued for"
              + " them is lost as start_missed; please report it",
          callbacks.maxEntries());
    }
    lastChanges = now;
  }

  private void probe(ByteBuffer function, boolean isNew, int unloads) throws BpfException {
    long address = function.getLong(0);
    Optional<BpfException> failure = attach(address);
    if (failure.isEmpty()) {
      callbacks.put(function, value(unloads, PROBED));
    } else if (isNew) {
      callbacks.put(function, value(unloads, REFUSED));
      complain(address, failure.get());
    } else {
      callbacks.delete(function);
    }
  }

  /** Attaches to a function, with all links or none. */
  private Optional<BpfException> attach(long address) {
    try {
      for (FunctionLinks link : links) {
        link.attach(address);
      }
      return Optional.empty();
    } catch (BpfException e) {
      links.forEach(link -> link.detach(address));
      return Optional.of(e);
    }
  }

  private void complain(long address, BpfException failure) {
    if (complainedOf.add(address)) {
      log.warn(
          "tasklets that run {} are lost as start_missed: {}",
          namesOf.apply(Set.of(address)).get(address),
          failure.getMessage());
    }
  }

  private static ByteBuffer value(int unloads, int state) {
    return ByteBuffer.allocate(CountsLayout.CALLBACK_BYTES)
        .order(ByteOrder.nativeOrder())
        .putInt(0, unloads)
        .putInt(CountsLayout.CALLBACK_STATE_OFFSET, state);
  }
}
