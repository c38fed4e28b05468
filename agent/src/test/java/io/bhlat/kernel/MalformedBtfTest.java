// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.BtfBuilder.Field.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class MalformedBtfTest {

  @Test
  void refusesAnotherMagic() {
    assertThatThrownBy(() -> Btf.parse(new byte[24]))
        .isInstanceOf(BtfFormatException.class)
        .hasMessage("BTF: bad magic: bytes 00 00, expected eb9f in either order");
    byte[] elf = Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F'}, 64);
    assertThatThrownBy(() -> Btf.parse(elf)).hasMessageContaining("bad magic: bytes 7f 45");
  }

  @Test
  void refusesEveryTruncation() {
    byte[] blob = sample().build();
    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Arrays.copyOf(blob, length);
      assertThatThrownBy(() -> Btf.parse(cut))
          .isInstanceOf(BtfFormatException.class)
          .hasMessageContaining("BTF: ");
    }
    assertThat(Btf.parse(blob).memberOffsetBytes("s", "x")).hasValue(4);
  }

  @Test
  void refusesImpossibleHeaders() {
    assertThatThrownBy(() -> Btf.parse(patched(2, 0xff))).hasMessageContaining("version");
    assertThatThrownBy(() -> Btf.parse(patched(4, -1))).hasMessageContaining("header length -1");
    assertThatThrownBy(() -> Btf.parse(patched(12, -4)))
        .hasMessageContaining("the type section ends at");
    assertThatThrownBy(() -> Btf.parse(patched(20, 0)))
        .hasMessageContaining("must begin and end with a zero byte");
  }

  @Test
  void refusesStringsOutOfRange() {
    BtfBuilder builder = new BtfBuilder();
    builder.reference(BtfTypes.FUNC, "f", 0);
    byte[] blob = builder.build();
    ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).putInt(24, 1 << 20);
    Btf btf = Btf.parse(blob);
    assertThatThrownBy(() -> btf.hasFunction("f"))
        .isInstanceOf(BtfFormatException.class)
        .hasMessageContaining("string offset 1048576 is out of range");
  }

  @Test
  void refusesTypesOutOfRange() {
    BtfBuilder builder = new BtfBuilder();
    builder.struct("s", 8, field("x", 77, 0), field("", -1, 4));
    Btf btf = builder.parse();
    assertThatThrownBy(() -> btf.memberSizeBytes("s", "x"))
        .hasMessage("BTF: type id 77 is out of range 1..1");
    assertThatThrownBy(() -> btf.memberOffsetBytes("s", "y"))
        .hasMessage("BTF: type id 4294967295 is out of range 1..1");
  }

  @Test
  void refusesUnknownKindsWithoutLayout() {
    BtfBuilder builder = new BtfBuilder();
    builder.type("new", 20, 0, false, 0);
    assertThatThrownBy(builder::parse)
        .hasMessage("BTF: type 1 is of unknown kind 20, and its layout is not described");
    BtfBuilder zero = new BtfBuilder();
    zero.type("zero", 0, 0, false, 0);
    assertThatThrownBy(zero::parse).hasMessageContaining("unknown kind 0");
  }

  @Test
  void endsOnCircles() {
    BtfBuilder builder = new BtfBuilder();
    builder.reference(BtfTypes.TYPEDEF, "a", 2);
    builder.reference(BtfTypes.CONST, "", 1);
    builder.struct("s", 8, field("x", 1, 0));
    builder.struct("self", 8, field("", 4, 0));
    builder.array(5, 2);
    builder.struct("t", 8, field("x", 5, 0));
    Btf btf = builder.parse();
    assertThatThrownBy(() -> btf.memberSizeBytes("s", "x")).hasMessageContaining("in a circle");
    assertThatThrownBy(() -> btf.memberSizeBytes("self", "x")).hasMessageContaining("in a circle");
    assertThatThrownBy(() -> btf.memberSizeBytes("t", "x")).hasMessageContaining("in a circle");
  }

  @Test
  void refusesArraysThatNoMemoryHolds() {
    BtfBuilder builder = new BtfBuilder();
    int huge = builder.array(builder.integer("int", 4), Integer.MIN_VALUE);
    builder.struct("s", 8, field("x", huge, 0));
    Btf btf = builder.parse();
    assertThatThrownBy(() -> btf.memberSizeBytes("s", "x"))
        .hasMessage("BTF: an array of 2147483648 elements is impossibly large");
  }

  @Test
  void endsWhereNestingMultiplies() {
    BtfBuilder builder = new BtfBuilder();
    int inner = builder.integer("int", 4);
    for (int level = 0; level < 60; level++) {
      inner = builder.struct("", 8, field("", inner, 0), field("", inner, 4));
    }
    builder.struct("s", 8, field("", inner, 0));
    Btf btf = builder.parse();
    assertThatThrownBy(() -> btf.memberOffsetBytes("s", "x"))
        .hasMessageContaining("nested without end");
  }

  @Test
  void answersOrRefusesWhateverBytesAreWrong() {
    long seed = 20260101;
    Random random = new Random(seed);
    byte[] good = sample().build();
    for (int round = 0; round < 20_000; round++) {
      byte[] blob = good.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        blob[random.nextInt(blob.length)] = (byte) random.nextInt();
      }
      try {
        Btf btf = Btf.parse(blob);
        btf.structSizeBytes("s");
        btf.memberOffsetBytes("s", "y");
        btf.memberSizeBytes("s", "y");
        btf.tracepointArguments("t");
      } catch (BtfFormatException refused) {
        assertThat(refused).hasMessageStartingWith("BTF: ");
      }
    }
  }

  @Test
  void isAbsentOnKernelsBuiltWithoutBtf(@TempDir Path root) {
    FixtureHost host = new FixtureHost(root);
    assertThat(Btf.ofKernel(host.files())).isEmpty();
    host.with("/sys/kernel/btf/vmlinux", sample().build());
    assertThat(Btf.ofKernel(host.files()).orElseThrow().structSizeBytes("s")).hasValue(8);
  }

  private static BtfBuilder sample() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("int", 4);
    int list = builder.array(number, 2);
    int nested = builder.union("", 8, field("x", number, 0), field("y", list, 0));
    builder.struct("s", 8, field("first", number, 0), field("", nested, 4));
    int probe = builder.pointer(builder.functionType(0, number));
    builder.reference(BtfTypes.TYPEDEF, "btf_trace_t", probe);
    return builder;
  }

  private static byte[] patched(int position, int word) {
    byte[] blob = sample().build();
    ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).putInt(position, word);
    return blob;
  }
}
