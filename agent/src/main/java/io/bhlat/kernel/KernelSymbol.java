// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A symbol of the kernel or of one of its modules.
 *
 * @param name as the linker knows it, with any suffix of the compiler
 * @param module the module it belongs to; empty for the kernel itself
 * @param address unsigned; empty if the kernel hides addresses
 * @param type the letter of nm(1): t and T are code, lower case is local
 */
public record KernelSymbol(String name, Optional<String> module, OptionalLong address, char type) {

  /** True if the symbol names code; W and w are weak functions. */
  public boolean isText() {
    return isText(type);
  }

  static boolean isText(int type) {
    return type == 't' || type == 'T' || type == 'w' || type == 'W';
  }

  /** As the kernel prints it: "name" or "name [module]". */
  @Override
  public String toString() {
    return module.map(of -> name + " [" + of + "]").orElse(name);
  }
}
