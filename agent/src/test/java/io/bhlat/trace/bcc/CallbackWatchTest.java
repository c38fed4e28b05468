// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That nothing is lost of what goes wrong in the thread that probes the functions of tasklets. */
class CallbackWatchTest {

  @BeforeEach
  void needsLibbcc() throws BpfException {
    RealKernel.assume();
    LibBcc.load();
  }

  /** Reading them fails: there is no such descriptor. */
  private static CallbackProbes probesThatFail() {
    return new CallbackProbes(
        new BccMap("callbacks", -1, 8, 8, 1),
        new BccMap("callback_changes", -1, 4, 4, 1),
        List.of(),
        addresses -> Map.of());
  }

  @Test
  void theFailureThatEndedTheThreadIsThrownByEveryLook() throws InterruptedException {
    try (CallbackWatch watch = CallbackWatch.start(probesThatFail())) {
      assertThat(watch.awaitEnd(TimeUnit.SECONDS.toMillis(10))).isTrue();
      for (int look = 0; look < 2; look++) {
        assertThatExceptionOfType(BpfException.class)
            .isThrownBy(watch::look)
            .withMessageContaining("read map callback_changes: EBADF");
      }
    }
  }

  @Test
  void closingEndsTheThreadAndMayBeDoneTwice() throws BpfException, InterruptedException {
    try (BccModule module = RealKernel.compile(RealKernel.resource("callbacks.c"));
        BccMap callbacks = module.map("callbacks", 8, 8);
        BccMap changes = module.map("callback_changes", 4, 4)) {
      CallbackWatch watch =
          CallbackWatch.start(
              new CallbackProbes(callbacks, changes, List.of(), addresses -> Map.of()));
      watch.look();
      assertThat(watch.awaitEnd(600)).as("it goes on").isFalse();
      watch.close();
      watch.close();
      assertThat(watch.awaitEnd(1)).isTrue();
      assertThatCode(watch::look).as("there is nothing left to do").doesNotThrowAnyException();
    }
  }
}
