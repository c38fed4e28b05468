// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static io.bhlat.kernel.BtfBuilder.Field.bitfield;
import static io.bhlat.kernel.BtfBuilder.Field.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class BtfTest {

  @Test
  void findsMembersOfEitherByteOrder() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      BtfBuilder builder = new BtfBuilder(order);
      int number = builder.integer("int", 4);
      int pointer = builder.pointer(0);
      builder.struct("work_struct", 32, field("data", pointer, 0), field("flags", number, 24));
      Btf btf = builder.parse();
      assertThat(btf.structSizeBytes("work_struct")).hasValue(32);
      assertThat(btf.memberOffsetBytes("work_struct", "data")).hasValue(0);
      assertThat(btf.memberOffsetBytes("work_struct", "flags")).hasValue(24);
      assertThat(btf.memberSizeBytes("work_struct", "flags")).hasValue(4);
    }
  }

  @Test
  void isEmptyForNamesThatAreNotThere() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("int", 4);
    builder.struct("work_struct", 32, field("data", number, 0));
    Btf btf = builder.parse();
    assertThat(btf.structSizeBytes("work")).isEmpty();
    assertThat(btf.structSizeBytes("work_struct_x")).isEmpty();
    assertThat(btf.structSizeBytes("int")).isEmpty();
    assertThat(btf.memberOffsetBytes("work_struct", "dat")).isEmpty();
    assertThat(btf.memberSizeBytes("work_struct", "data2")).isEmpty();
    assertThat(btf.hasFunction("work_struct")).isFalse();
    assertThat(btf.tracepointArguments("work_struct")).isEmpty();
  }

  @Test
  void looksIntoAnonymousStructsAndUnionsAlsoThroughQualifiers() {
    BtfBuilder builder = new BtfBuilder();
    int pointer = builder.pointer(0);
    int number = builder.integer("int", 4);
    int inner = builder.union("", 8, field("func", pointer, 0), field("callback", pointer, 0));
    int volatileInner = builder.reference(BtfTypes.VOLATILE, "", inner);
    int middle = builder.struct("", 16, field("count", number, 0), field("", volatileInner, 8));
    builder.struct("tasklet_struct", 40, field("next", pointer, 0), field("", middle, 16));
    Btf btf = builder.parse();
    assertThat(btf.memberOffsetBytes("tasklet_struct", "callback")).hasValue(24);
    assertThat(btf.memberOffsetBytes("tasklet_struct", "count")).hasValue(16);
    assertThat(btf.memberSizeBytes("tasklet_struct", "func")).hasValue(8);
  }

  @Test
  void doesNotLookIntoNamedMembers() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("int", 4);
    int inner = builder.struct("inner", 4, field("hidden", number, 0));
    builder.struct("outer", 8, field("in", inner, 4));
    assertThat(builder.parse().memberOffsetBytes("outer", "hidden")).isEmpty();
  }

  @Test
  void givesTheSizeOfArraysTypedefsAndEnums() {
    BtfBuilder builder = new BtfBuilder();
    int character = builder.integer("char", 1);
    int name = builder.array(character, 24);
    int table = builder.array(name, 3);
    int large = builder.reference(BtfTypes.TYPEDEF, "large_t", builder.enum64("large"));
    int real = builder.reference(BtfTypes.CONST, "", builder.type("float", 16, 0, false, 4));
    builder.struct(
        "s",
        128,
        field("name", name, 0),
        field("t", table, 24),
        field("e", large, 96),
        field("f", real, 104));
    Btf btf = builder.parse();
    assertThat(btf.memberSizeBytes("s", "name")).hasValue(24);
    assertThat(btf.memberSizeBytes("s", "t")).hasValue(72);
    assertThat(btf.memberSizeBytes("s", "e")).hasValue(8);
    assertThat(btf.memberSizeBytes("s", "f")).hasValue(4);
    assertThat(btf.memberOffsetBytes("s", "f")).hasValue(104);
  }

  @Test
  void takesPointersToBeAsLargeAsALong() {
    BtfBuilder builder = new BtfBuilder();
    builder.integer("long unsigned int", 4);
    builder.struct("s", 4, field("p", builder.pointer(0), 0));
    assertThat(builder.parse().memberSizeBytes("s", "p")).hasValue(4);
  }

  @Test
  void refusesBitfieldsThatAreNotWholeBytes() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("unsigned int", 4);
    builder.structWithBitfields(
        "s",
        16,
        field("plain", number, 0),
        bitfield("three", number, 37, 3),
        bitfield("byte", number, 40, 8));
    Btf btf = builder.parse();
    assertThat(btf.memberOffsetBytes("s", "plain")).hasValue(0);
    assertThat(btf.memberSizeBytes("s", "plain")).hasValue(4);
    assertThat(btf.memberOffsetBytes("s", "byte")).hasValue(5);
    assertThat(btf.memberSizeBytes("s", "byte")).hasValue(1);
    assertThatThrownBy(() -> btf.memberOffsetBytes("s", "three"))
        .isInstanceOf(BtfFormatException.class)
        .hasMessage("BTF: s.three begins at bit 37, not at a byte");
    assertThatThrownBy(() -> btf.memberSizeBytes("s", "three"))
        .hasMessage("BTF: s.three is a bitfield of 3 bits");
  }

  @Test
  void refusesBitfieldsOfStructsWithoutTheFlagToo() {
    BtfBuilder builder = new BtfBuilder();
    int three = builder.oldBitfieldInteger(4, 5, 3);
    builder.struct("s", 4, field("three", three, 0));
    Btf btf = builder.parse();
    assertThatThrownBy(() -> btf.memberOffsetBytes("s", "three"))
        .hasMessageContaining("begins at bit 5");
    assertThatThrownBy(() -> btf.memberSizeBytes("s", "three")).hasMessageContaining("of 3 bits");
  }

  @Test
  void takesTheFirstStructOfANameThatHasTheMember() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("int", 4);
    builder.reference(7, "pool", 0);
    builder.struct("pool", 4, field("other", number, 0));
    builder.struct("pool", 16, field("cpu", number, 8));
    builder.struct("pool", 32, field("cpu", number, 12));
    Btf btf = builder.parse();
    assertThat(btf.memberOffsetBytes("pool", "cpu")).hasValue(8);
    assertThat(btf.structSizeBytes("pool")).hasValue(4);
  }

  @Test
  void knowsFunctionsAndTheArgumentsOfTracepoints() {
    BtfBuilder builder = new BtfBuilder();
    int pointer = builder.pointer(0);
    int probe = builder.pointer(builder.functionType(0, pointer, pointer, pointer));
    builder.reference(BtfTypes.TYPEDEF, "btf_trace_workqueue_execute_end", probe);
    builder.reference(BtfTypes.TYPEDEF, "btf_trace_odd", pointer);
    builder.reference(BtfTypes.FUNC, "queue_work_on", probe);
    Btf btf = builder.parse();
    assertThat(btf.hasFunction("queue_work_on")).isTrue();
    assertThat(btf.hasFunction("queue_work")).isFalse();
    assertThat(btf.tracepointArguments("workqueue_execute_end")).hasValue(2);
    assertThatThrownBy(() -> btf.tracepointArguments("odd")).isInstanceOf(BtfFormatException.class);
  }

  @Test
  void stepsOverEveryKindThereIs() {
    BtfBuilder builder = new BtfBuilder();
    int number = builder.integer("int", 4);
    builder.type("e", 6, 2, false, 4, 0, 1, 0, 2);
    builder.reference(7, "f", 0);
    builder.reference(BtfTypes.RESTRICT, "", number);
    builder.functionType(0, number, number);
    builder.type("v", 14, 0, false, number, 1);
    builder.type(".data", 15, 2, false, 8, 1, 0, 4, 1, 4, 4);
    builder.type("d", 17, 0, false, number, -1);
    builder.reference(BtfTypes.TYPE_TAG, "user", number);
    builder.enum64("big");
    builder.struct("last", 4, field("x", number, 0));
    assertThat(builder.parse().structSizeBytes("last")).hasValue(4);
  }

  @Test
  void stepsOverUnknownKindsWhoseLayoutIsDescribed() {
    BtfBuilder builder = new BtfBuilder();
    byte[] kinds = new byte[2 * 21];
    kinds[40] = 4;
    kinds[41] = 8;
    builder.layout(kinds);
    int number = builder.integer("int", 4);
    builder.type("new", 20, 2, false, 0, 7, 1, 2, 3, 4);
    builder.struct("last", 4, field("x", number, 0));
    assertThat(builder.parse().structSizeBytes("last")).hasValue(4);
  }
}
