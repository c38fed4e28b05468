// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The kernel's symbols from /proc/kallsyms, read once, when first asked for. Symbols of modules
 * that are loaded later are not seen; make a new one.
 *
 * <p>Addresses are unsigned. Where the kernel hides them or the file cannot be read, look-ups are
 * empty and {@link #state()} and {@link #remedy()} say why; nothing is thrown. Safe for use by
 * several threads.
 */
public final class KernelSymbols {

  /** Whether symbols can be looked up here. */
  public enum Visibility {
    /** Names and addresses are known. */
    VISIBLE,
    /** Names are known, but the kernel shows every address as zero. */
    HIDDEN,
    /** Nothing is known. */
    UNREADABLE
  }

  private static final String FILE = "/proc/kallsyms";

  /** No function is that long; what lies farther behind a symbol belongs to something unnamed. */
  private static final long MAX_FUNCTION_BYTES = 1 << 20;

  /**
   * What compilers append to the name of a function that is still the whole function. Not among
   * them: .cold and .part.N, which are pieces of one.
   */
  private static final Pattern CLONE_SUFFIXES =
      Pattern.compile("(\\.(isra|constprop|llvm|lto_priv)\\.\\d+)+");

  /** Empty arrays and a reason if the file could not be read. */
  private record Loaded(SymbolTable table, Visibility state, Optional<String> remedy) {}

  private final HostFiles host;
  private Optional<Loaded> loaded = Optional.empty();
  private Optional<TextAddresses> text = Optional.empty();

  /** The symbols of a host; reads nothing yet. */
  public KernelSymbols(HostFiles host) {
    this.host = host;
  }

  public Visibility state() {
    return load().state();
  }

  /** What is wrong and what would help; empty if {@link Visibility#VISIBLE}. */
  public Optional<String> remedy() {
    return load().remedy();
  }

  /** True if there is a symbol of exactly this name, be its address hidden or not. */
  public boolean contains(String name) {
    return !named(name).isEmpty();
  }

  /**
   * The address of the symbol, code or data, of exactly this name. Empty if there is none, if
   * addresses are hidden, and also if several symbols of this name have different addresses (static
   * functions of different files): to take one of them would be a guess. {@link #find} lists them.
   */
  public OptionalLong address(String name) {
    if (load().state() != Visibility.VISIBLE) {
      return OptionalLong.empty();
    }
    long[] distinct =
        named(name).stream()
            .mapToLong(symbol -> symbol.address().orElseThrow())
            .distinct()
            .toArray();
    return distinct.length == 1 ? OptionalLong.of(distinct[0]) : OptionalLong.empty();
  }

  /**
   * "name+0x10" or "name+0x10 [module]" of the code symbol that the address lies in, "name" at its
   * very beginning; empty if none begins at most 1 MiB before.
   */
  public Optional<String> nameContaining(long address) {
    Loaded symbols = load();
    int index = text().atOrBefore(address);
    if (index < 0) {
      return Optional.empty();
    }
    KernelSymbol symbol = symbols.table().symbol(index, true);
    long offset = address - symbol.address().orElseThrow();
    if (Long.compareUnsigned(offset, MAX_FUNCTION_BYTES) >= 0) {
      return Optional.empty();
    }
    String place = offset == 0 ? "" : "+0x" + Long.toHexString(offset);
    return Optional.of(
        symbol.name() + place + symbol.module().map(module -> " [" + module + "]").orElse(""));
  }

  /**
   * The functions that are {@code base} to a reader of the source: of exactly that name, then those
   * with a suffix of the compiler (.isra.N, .constprop.N, .llvm.N, .lto_priv.N). More than one
   * means that each may be called: clones, or static functions of one name. Pieces of a function
   * (.cold, .part.N) and the padding before one (__pfx_) are not the function.
   */
  public List<KernelSymbol> find(String base) {
    List<KernelSymbol> exact = new ArrayList<>();
    List<KernelSymbol> clones = new ArrayList<>();
    for (KernelSymbol symbol : withHashOf(base)) {
      String name = symbol.name();
      if (!symbol.isText() || !name.startsWith(base)) {
        continue;
      }
      if (name.length() == base.length()) {
        exact.add(symbol);
      } else if (CLONE_SUFFIXES.matcher(name.substring(base.length())).matches()) {
        clones.add(symbol);
      }
    }
    exact.addAll(clones);
    return List.copyOf(exact);
  }

  private List<KernelSymbol> named(String name) {
    return withHashOf(name).stream().filter(symbol -> symbol.name().equals(name)).toList();
  }

  private List<KernelSymbol> withHashOf(String name) {
    Loaded symbols = load();
    SymbolTable table = symbols.table();
    boolean isAddressKnown = symbols.state() == Visibility.VISIBLE;
    int hash = SymbolTable.hash(name.getBytes(StandardCharsets.UTF_8));
    List<KernelSymbol> found = new ArrayList<>();
    for (int i = table.withHash(hash, 0); i >= 0; i = table.withHash(hash, i + 1)) {
      found.add(table.symbol(i, isAddressKnown));
    }
    return found;
  }

  /** By address; sorting them takes longer than who only looks for names should wait. */
  private synchronized TextAddresses text() {
    Loaded symbols = load();
    if (text.isEmpty()) {
      boolean visible = symbols.state() == Visibility.VISIBLE;
      text = Optional.of(new TextAddresses(visible ? symbols.table() : SymbolTable.empty()));
    }
    return text.get();
  }

  private synchronized Loaded load() {
    if (loaded.isEmpty()) {
      loaded = Optional.of(read());
    }
    return loaded.get();
  }

  private Loaded read() {
    Path path = host.path(FILE);
    try (InputStream in = Files.newInputStream(path)) {
      SymbolTable table = SymbolTable.read(in);
      if (table.count() == 0) {
        return unreadable("read " + path + ": it is empty; is procfs mounted on /proc?");
      }
      return hasAddresses(table)
          ? new Loaded(table, Visibility.VISIBLE, Optional.empty())
          : new Loaded(table, Visibility.HIDDEN, Optional.of(remedyForHidden()));
    } catch (NoSuchFileException absent) {
      return unreadable(
          "read "
              + path
              + ": ENOENT; the kernel was built without CONFIG_KALLSYMS or procfs is"
              + " not mounted on /proc");
    } catch (IOException e) {
      return unreadable(String.valueOf(new HostReadException(path, e).getMessage()));
    }
  }

  private static boolean hasAddresses(SymbolTable table) {
    for (int symbol = 0; symbol < table.count(); symbol++) {
      if (table.address(symbol) != 0) {
        return true;
      }
    }
    return false;
  }

  private String remedyForHidden() {
    String restrict;
    try {
      restrict = host.text("/proc/sys/kernel/kptr_restrict").orElse("unknown");
    } catch (HostReadException e) {
      restrict = "unknown";
    }
    String remedy =
        "2".equals(restrict)
            ? "hides them even from root; run sysctl kernel.kptr_restrict=1"
            : "shows them to root only; run as root or grant CAP_SYSLOG";
    return "addresses in " + FILE + " are hidden: kernel.kptr_restrict=" + restrict + " " + remedy;
  }

  private static Loaded unreadable(String reason) {
    return new Loaded(SymbolTable.empty(), Visibility.UNREADABLE, Optional.of(reason));
  }
}
