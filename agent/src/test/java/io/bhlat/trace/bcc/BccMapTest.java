// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.trace.ProbeKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maps of the real kernel, filled by programs that it runs. */
class BccMapTest {

  @SuppressWarnings("NullAway.Init") // by compile
  private BccModule module;

  private final RealKernel.Runner runner = new RealKernel.Runner();

  @BeforeEach
  void compile() throws BpfException {
    RealKernel.assume();
    module = RealKernel.compile(RealKernel.resource("maps.c"));
  }

  @AfterEach
  void close() {
    runner.close();
    if (module != null) {
      module.close();
    }
  }

  private int run(String program, long argument) throws BpfException {
    try (FileDescriptor loaded =
        module.load(ProbeKind.RAW_TRACEPOINT, "raw_tracepoint__" + program)) {
      return runner.run(loaded, argument);
    }
  }

  private static Map<Long, Long> numbers(BccMap map) throws BpfException {
    Map<Long, Long> numbers = new TreeMap<>();
    for (BccMap.Entry entry : map.entries()) {
      numbers.put(entry.key().getLong(0), entry.value().getLong(0));
    }
    return numbers;
  }

  private static ByteBuffer key(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(0, number);
  }

  @Test
  void anEmptyMapHasNoEntries() throws BpfException {
    try (BccMap squares = module.map("squares", 8, 8)) {
      assertThat(squares.entries()).isEmpty();
      assertThat(squares.maxEntries()).isEqualTo(64);
    }
  }

  @Test
  void readsEveryEntryThatAProgramAdded() throws BpfException {
    for (long number = 1; number <= 64; number++) {
      assertThat(run("add_square", number)).isZero();
    }
    assertThat(run("add_square", 65)).as("-E2BIG: the map is full").isEqualTo(-7);
    try (BccMap squares = module.map("squares", 8, 8)) {
      assertThat(squares.entries()).hasSize(64);
      assertThat(numbers(squares)).hasSize(64).containsEntry(1L, 1L).containsEntry(64L, 4096L);
    }
  }

  @Test
  void deletingSaysWhetherTheEntryWasThere() throws BpfException {
    run("add_square", 3);
    run("add_square", 5);
    try (BccMap squares = module.map("squares", 8, 8)) {
      assertThat(squares.delete(key(3))).isTrue();
      assertThat(squares.delete(key(3))).isFalse();
      assertThat(squares.delete(key(4))).isFalse();
      assertThat(numbers(squares)).containsExactly(Map.entry(5L, 25L));
    }
  }

  @Test
  void everyEntryCanBeDeletedWhileItIsReadFromACopy() throws BpfException {
    run("add_square", 3);
    run("add_square", 5);
    try (BccMap squares = module.map("squares", 8, 8)) {
      for (BccMap.Entry entry : squares.entries()) {
        assertThat(squares.delete(entry.key())).isTrue();
      }
      assertThat(squares.entries()).isEmpty();
    }
  }

  @Test
  void whatIsPushedIsTakenInOrder() throws BpfException {
    try (BccMap numbers = module.map("numbers", 0, 4)) {
      numbers.push(17);
      numbers.push(4);
      assertThat(run("take_number", 0)).isEqualTo(17);
      assertThat(run("take_number", 0)).isEqualTo(4);
    }
  }

  @Test
  void pushingToAFullQueueIsAnErrorThatNamesIt() throws BpfException {
    try (BccMap numbers = module.map("numbers", 0, 4)) {
      numbers.push(1);
      numbers.push(2);
      assertThatExceptionOfType(BpfException.class)
          .isThrownBy(() -> numbers.push(3))
          .withMessage("push to map numbers: E2BIG");
    }
  }

  @Test
  void aMappedMapShowsWhatIsCountedMeanwhileUntilItIsClosed() throws BpfException {
    try (BccMap totals = module.map("totals", 4, 8)) {
      MappedMemory memory = totals.mapped(8);
      long[] total = new long[1];
      run("add_to_total", 40);
      memory.copy(3, total, 0, total.length);
      assertThat(total[0]).isEqualTo(40);
      run("add_to_total", 2);
      memory.copy(3, total, 0, total.length);
      assertThat(total[0]).isEqualTo(42);
      memory.close();
      memory.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> memory.copy(3, total, 0, total.length))
          .withMessage("read of a map that is closed");
    }
  }

  @Test
  void aMapThatCannotBeMappedSaysWhy() throws BpfException {
    try (BccMap squares = module.map("squares", 8, 8)) {
      assertThatExceptionOfType(BpfException.class)
          .isThrownBy(() -> squares.mapped(8))
          .withMessageStartingWith("map squares into memory: ENOTSUPP");
    }
  }

  @Test
  void aMapOfAnotherLayoutIsRefusedWithBothSizes() {
    assertThatExceptionOfType(BpfException.class)
        .isThrownBy(() -> module.map("squares", 8, 24))
        .withMessage(
            "open map squares: key and value have 8 and 8 bytes in C, 8 and 24 in Java; the agent"
                + " and its BPF sources are of different versions: install bhlat again");
    assertThatExceptionOfType(BpfException.class).isThrownBy(() -> module.map("squares", 4, 8));
  }

  @Test
  void aMapThatTheSourceDoesNotHaveIsNamed() {
    assertThatExceptionOfType(BpfException.class)
        .isThrownBy(() -> module.map("cubes", 8, 8))
        .withMessage("open map cubes: not in the source");
  }
}
