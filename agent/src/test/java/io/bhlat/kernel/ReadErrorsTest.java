// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadErrorsTest {

  private static final Logger LOGGER = Logger.getLogger(ReadErrors.class.getName());
  private static final String EIO = "read /sys/rate: Input/output error";
  private static final String EINVAL = "read /sys/rate: Invalid argument";

  private final List<String> lines = new ArrayList<>();
  private final ReadErrors errors = new ReadErrors();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          lines.add(new SimpleFormatter().formatMessage(logged));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  private void read(String... problems) {
    errors.afterReading(ReadErrors.Kind.INFINIBAND, List.of(problems));
  }

  @Test
  void countsEveryFailureAndLogsItOnceUntilItChanges() {
    read(EIO);
    read(EIO);
    read(EINVAL);
    read();
    read();
    read(EINVAL);

    assertThat(errors.count(ReadErrors.Kind.INFINIBAND)).isEqualTo(4);
    assertThat(errors.count(ReadErrors.Kind.CPUS)).isZero();
    assertThat(lines)
        .containsExactly(
            EIO + "; going on without it",
            EINVAL + "; going on without it",
            "all files of infiniband are read again, or gone",
            EINVAL + "; going on without it");
  }

  @Test
  void logsNoMoreThanAFewOfMany() {
    read(IntStream.range(0, 300).mapToObj(i -> "read /sys/" + i + ": EIO").toArray(String[]::new));

    assertThat(errors.count(ReadErrors.Kind.INFINIBAND)).isEqualTo(300);
    assertThat(lines).hasSize(11).last().isEqualTo("290 more files of infiniband cannot be read");
  }

  @Test
  void logsNothingOfFilesThatAreRead() {
    read();

    assertThat(lines).isEmpty();
  }
}
