// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The kernel's own description of its types (BPF Type Format), as far as offsets and sizes of
 * struct members, names of functions and arguments of tracepoints go.
 *
 * <p>Parsing keeps the blob (5-8 MB) and 4 bytes a type; look-ups scan the types and compare names
 * in place. Unions are looked up like structs. Where several structs have the same name, the first
 * that has the member asked for answers. Immutable.
 *
 * <p>All methods throw {@link BtfFormatException} where they meet malformed parts.
 */
public final class Btf {
  private static final String KERNEL_FILE = "/sys/kernel/btf/vmlinux";

  private final BtfTypes types;

  private Btf(BtfTypes types) {
    this.types = types;
  }

  /**
   * Parses a raw BTF blob (not an ELF file).
   *
   * @throws BtfFormatException if it is truncated, has another magic, or holds an unknown kind
   */
  public static Btf parse(byte[] blob) {
    return new Btf(new BtfTypes(blob.clone()));
  }

  /**
   * The types of the running kernel; empty if it was built without CONFIG_DEBUG_INFO_BTF.
   *
   * @throws HostReadException if the file exists but cannot be read
   * @throws BtfFormatException if it holds no BTF
   */
  public static Optional<Btf> ofKernel(HostFiles host) {
    return host.bytes(KERNEL_FILE).map(blob -> new Btf(new BtfTypes(blob)));
  }

  /** Size of the struct or union of this name; empty if there is none. */
  public OptionalInt structSizeBytes(String struct) {
    byte[] name = struct.getBytes(UTF_8);
    for (int id = 1; id < types.count(); id++) {
      if (types.isComposite(id) && types.isNamed(id, name)) {
        return OptionalInt.of(types.sizeOrType(id));
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Offset of a member from the beginning of the struct, also of a member of an anonymous struct or
   * union in it; empty if no such struct has such a member.
   *
   * @throws BtfFormatException if the member is a bitfield that does not begin at a byte
   */
  public OptionalInt memberOffsetBytes(String struct, String member) {
    Optional<BtfMember> found = member(struct, member);
    if (found.isEmpty()) {
      return OptionalInt.empty();
    }
    if (found.get().offsetBits() % 8 != 0) {
      throw new BtfFormatException(
          struct + "." + member + " begins at bit " + found.get().offsetBits() + ", not at a byte");
    }
    return OptionalInt.of(found.get().offsetBits() / 8);
  }

  /**
   * Size of a member; of an array, of all its elements together. Empty if no such struct has such a
   * member.
   *
   * @throws BtfFormatException if the member is a bitfield that is not whole bytes, or has no size
   */
  public OptionalInt memberSizeBytes(String struct, String member) {
    Optional<BtfMember> found = member(struct, member);
    if (found.isEmpty()) {
      return OptionalInt.empty();
    }
    int bits = found.get().bitfieldBits();
    if (bits % 8 != 0) {
      throw new BtfFormatException(struct + "." + member + " is a bitfield of " + bits + " bits");
    }
    return OptionalInt.of(bits > 0 ? bits / 8 : sizeBytes(found.get().type(), 0));
  }

  /**
   * Name of the struct or union that a member is, typedefs and qualifiers aside; empty if no such
   * struct has such a member, or if it is something else.
   */
  public Optional<String> memberStruct(String struct, String member) {
    return member(struct, member)
        .map(found -> types.withoutModifiers(found.type()))
        .filter(type -> type != 0 && types.isComposite(type))
        .map(types::name);
  }

  /** True if the kernel has a function of this name that BTF describes (fentry needs that). */
  public boolean hasFunction(String name) {
    return find(BtfTypes.FUNC, name).isPresent();
  }

  /**
   * How many arguments a raw tracepoint passes to a program; empty if the kernel has no such
   * tracepoint (of itself: modules have BTF of their own). A program that reads more is refused
   * with EINVAL. Since 5.5 each tracepoint leaves a typedef btf_trace_name of its probe's type.
   */
  public OptionalInt tracepointArguments(String tracepoint) {
    OptionalInt typedef = find(BtfTypes.TYPEDEF, "btf_trace_" + tracepoint);
    if (typedef.isEmpty()) {
      return OptionalInt.empty();
    }
    int pointer = types.sizeOrType(typedef.getAsInt());
    if (types.kind(pointer) != BtfTypes.PTR
        || types.kind(types.sizeOrType(pointer)) != BtfTypes.FUNC_PROTO) {
      throw new BtfFormatException("btf_trace_" + tracepoint + " is no pointer to a function");
    }
    // The first parameter is the probe's own data, which programs do not see.
    return OptionalInt.of(types.elements(types.sizeOrType(pointer)) - 1);
  }

  private OptionalInt find(int kind, String text) {
    byte[] name = text.getBytes(UTF_8);
    for (int id = 1; id < types.count(); id++) {
      if (types.kind(id) == kind && types.isNamed(id, name)) {
        return OptionalInt.of(id);
      }
    }
    return OptionalInt.empty();
  }

  private Optional<BtfMember> member(String struct, String member) {
    return new BtfMemberSearch(types, member).in(struct);
  }

  private int sizeBytes(int type, int depth) {
    BtfTypes.checkDepth(depth);
    int target = types.withoutModifiers(type);
    if (target == 0) {
      throw new BtfFormatException("void has no size");
    }
    return switch (types.kind(target)) {
      case BtfTypes.INT,
          BtfTypes.STRUCT,
          BtfTypes.UNION,
          BtfTypes.ENUM,
          BtfTypes.ENUM64,
          BtfTypes.FLOAT ->
          types.sizeOrType(target);
      case BtfTypes.PTR -> pointerBytes();
      case BtfTypes.ARRAY -> arrayBytes(target, depth);
      default ->
          throw new BtfFormatException("types of kind " + types.kind(target) + " have no size");
    };
  }

  private int arrayBytes(int array, int depth) {
    long elements = types.word(array, 8) & 0xffffffffL;
    long bytes = elements * sizeBytes(types.word(array, 0), depth + 1);
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw new BtfFormatException("an array of " + elements + " elements is impossibly large");
    }
    return (int) bytes;
  }

  /** BTF does not say how large a pointer is; in the kernel it is as large as a long. */
  private int pointerBytes() {
    for (String name : new String[] {"long unsigned int", "unsigned long", "long int", "long"}) {
      OptionalInt type = find(BtfTypes.INT, name);
      if (type.isPresent()) {
        return types.sizeOrType(type.getAsInt());
      }
    }
    return Long.BYTES;
  }
}
