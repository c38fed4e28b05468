// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.bhlat.testing.NotifySocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real datagram sockets, as the service manager has them. */
final class ServiceManagerTest {

  private static final long PID = 4711;

  @TempDir Path folder;

  @Test
  void tellsThatItIsReadyAliveAndStopping() throws IOException {
    String path = folder.resolve("notify").toString();
    try (NotifySocket manager = NotifySocket.at(path)) {
      ServiceManager service =
          ServiceManager.of(
              Map.of("NOTIFY_SOCKET", path, "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "" + PID),
              PID);
      service.ready("serving");
      assertThat(manager.message()).isEqualTo("READY=1\nSTATUS=serving");
      service.alive();
      assertThat(manager.message()).isEqualTo("WATCHDOG=1");
      service.stopping("detaching");
      assertThat(manager.message()).isEqualTo("STOPPING=1\nSTATUS=detaching");
      assertThat(service.watchdogInterval()).hasValue(Duration.ofSeconds(30));
    }
  }

  @Test
  void findsAbstractSockets() throws IOException {
    String name = "bhlat-test-" + ProcessHandle.current().pid();
    try (NotifySocket manager = NotifySocket.named(name)) {
      ServiceManager.of(Map.of("NOTIFY_SOCKET", "@" + name), PID).ready("ok");
      assertThat(manager.message()).isEqualTo("READY=1\nSTATUS=ok");
    }
  }

  @Test
  void saysNothingWithoutAManagerAndNothingOfAWatchdogThatIsAnotherProcesss() throws IOException {
    ServiceManager none = ServiceManager.of(Map.of(), PID);
    none.ready("to nobody");
    none.alive();
    assertThat(none.watchdogInterval()).isEmpty();
    assertThat(
            ServiceManager.of(Map.of("WATCHDOG_USEC", "1000", "WATCHDOG_PID", "1"), PID)
                .watchdogInterval())
        .isEmpty();
  }

  @Test
  void saysWhyItCannotTell() {
    ServiceManager gone =
        ServiceManager.of(Map.of("NOTIFY_SOCKET", folder.resolve("gone").toString()), PID);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> gone.ready("serving"))
        .withMessage("tell the service manager: ENOENT");
    for (String socket : new String[] {"relative", "/" + "x".repeat(120)}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServiceManager.of(Map.of("NOTIFY_SOCKET", socket), PID))
          .withMessageContaining("NOTIFY_SOCKET=" + socket);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceManager.of(Map.of("WATCHDOG_USEC", "soon"), PID))
        .withMessageContaining("WATCHDOG_USEC=soon");
  }
}
