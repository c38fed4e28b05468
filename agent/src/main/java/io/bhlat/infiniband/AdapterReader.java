// SPDX-License-Identifier: Apache-2.0
package io.bhlat.infiniband;

import io.bhlat.kernel.HostFiles;
import io.bhlat.kernel.HostReadException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** One reading of /sys/class/infiniband, which collects what goes wrong on the way. */
final class AdapterReader {
  private static final String CLASS = "/sys/class/infiniband";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern PCI_ADDRESS =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
  private static final Pattern ZERO_GID = Pattern.compile("[0:]*");

  private final HostFiles host;
  private final boolean withGids;
  private final List<String> problems = new ArrayList<>();

  AdapterReader(HostFiles host, boolean withGids) {
    this.host = host;
    this.withGids = withGids;
  }

  Adapters read() {
    List<Adapter> adapters = new ArrayList<>();
    for (String name : names(CLASS)) {
      int problemsBefore = problems.size();
      Adapter adapter = adapter(name);
      if (isThere(name)) {
        adapters.add(adapter);
      } else {
        // Removed while it was read: what failed for that is no problem.
        problems.subList(problemsBefore, problems.size()).clear();
      }
    }
    return new Adapters(adapters, problems);
  }

  private boolean isThere(String name) {
    return orProblem(() -> host.isDirectory(CLASS + "/" + name), true);
  }

  private Adapter adapter(String name) {
    String base = CLASS + "/" + name;
    String device = base + "/device";
    return new Adapter(
        name,
        text(base + "/hca_type"),
        text(base + "/fw_ver"),
        text(base + "/board_id"),
        text(base + "/node_guid"),
        numaNode(device + "/numa_node"),
        pciAddress(device),
        names(device + "/net"),
        numbers(device + "/msi_irqs"),
        numbers(base + "/ports").stream()
            .map(number -> port(number, base + "/ports/" + number))
            .toList());
  }

  private Port port(int number, String base) {
    return new Port(
        number,
        parsed(base + "/state", CodedState::parse),
        parsed(base + "/phys_state", CodedState::parse),
        text(base + "/rate"),
        text(base + "/link_layer"),
        number(base + "/lid"),
        number(base + "/sm_lid"),
        withGids ? gids(base) : List.of());
  }

  private List<String> gids(String port) {
    return numbers(port + "/gids").stream()
        .map(index -> text(port + "/gids/" + index))
        .flatMap(Optional::stream)
        .filter(gid -> !ZERO_GID.matcher(gid).matches())
        .toList();
  }

  /** The kernel writes -1 where the device is not bound to a node. */
  private OptionalInt numaNode(String file) {
    OptionalInt node = number(file);
    return node.isPresent() && node.getAsInt() < 0 ? OptionalInt.empty() : node;
  }

  /** The device is a link into the tree of buses; the directory it leads to has the address. */
  private Optional<String> pciAddress(String device) {
    Path link = host.path(device);
    try {
      String target = String.valueOf(link.toRealPath().getFileName());
      return Optional.of(target).filter(PCI_ADDRESS.asMatchPredicate());
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    } catch (IOException e) {
      problems.add("read " + link + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private OptionalInt number(String file) {
    Optional<Integer> number = parsed(file, AdapterReader::decode);
    return number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
  }

  /** Decimal, or hexadecimal with 0x. */
  private static Optional<Integer> decode(String text) {
    try {
      return Optional.of(Integer.decode(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private <T> Optional<T> parsed(String file, Function<String, Optional<T>> parser) {
    Optional<String> text = text(file);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<T> value = parser.apply(text.get());
    if (value.isEmpty()) {
      problems.add("read " + host.path(file) + ": unexpected text \"" + text.get() + "\"");
    }
    return value;
  }

  private List<Integer> numbers(String directory) {
    return names(directory).stream()
        .filter(NUMBER.asMatchPredicate())
        .map(Integer::valueOf)
        .sorted()
        .toList();
  }

  private List<String> names(String directory) {
    return orProblem(() -> host.names(directory), List.of());
  }

  /**
   * Empty for a file that is not there, is empty, or cannot be read; only the last is a problem.
   */
  private Optional<String> text(String file) {
    return orProblem(() -> host.text(file), Optional.<String>empty())
        .filter(text -> !text.isEmpty());
  }

  private <T> T orProblem(Supplier<T> reading, T otherwise) {
    try {
      return reading.get();
    } catch (HostReadException e) {
      problems.add(String.valueOf(e.getMessage()));
      return otherwise;
    }
  }
}
