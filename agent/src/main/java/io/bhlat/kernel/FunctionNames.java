// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Names of functions by their addresses, read from /proc/kallsyms whenever they are asked for and
 * forgotten again: a process that stays has no room for all symbols, and those of modules come and
 * go. One look takes some tens of milliseconds, whatever the number of addresses. Any thread.
 */
public final class FunctionNames {

  private static final String FILE = "/proc/kallsyms";

  private final HostFiles host;

  /** Those of a host; reads nothing yet. */
  public FunctionNames(HostFiles host) {
    this.host = host;
  }

  /**
   * "name" or "name [module]" of the code symbols that begin exactly at these addresses. Of several
   * at one address the first, as in the kernel's own messages.
   *
   * @return the names that are known; empty if the kernel hides addresses or has no such file
   * @throws HostReadException if the file exists and cannot be read
   */
  public Optional<Map<Long, String>> of(Set<Long> addresses) {
    Path file = host.path(FILE);
    Map<Long, String> names = new HashMap<>();
    boolean visible = false;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), SymbolTableBuilder.CHARSET))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int digits = line.indexOf(' ');
        long address = Long.parseUnsignedLong(line, 0, digits, 16);
        visible |= address != 0;
        if (addresses.contains(address) && KernelSymbol.isText(line.charAt(digits + 1))) {
          names.putIfAbsent(address, line.substring(digits + 3).replace('\t', ' ').strip());
        }
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new HostReadException(file, e);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new HostReadException(file, "a line is not \"address type name\"");
    }
    return visible ? Optional.of(names) : Optional.empty();
  }
}
