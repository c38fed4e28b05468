// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowClientsTest {

  @Test
  void requestsThatNeverEndDoNotKeepOthersWaiting() throws Exception {
    List<Socket> halfOpen = new ArrayList<>();
    try (AgentMetrics agent = new AgentMetrics();
        MetricsServer server =
            MetricsServer.start(
                ListenAddress.parse("127.0.0.1:0"),
                agent,
                () -> new Readiness(true, "ready"),
                () -> "")) {
      for (int i = 0; i < 8; i++) {
        halfOpen.add(beginRequest(server.address().getPort()));
      }
      HttpRequest healthy =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + server.address().getPort() + "/-/healthy"))
              .timeout(Duration.ofSeconds(30))
              .build();
      assertThat(HttpClient.newHttpClient().send(healthy, BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    } finally {
      for (Socket socket : halfOpen) {
        socket.close();
      }
    }
  }

  private static Socket beginRequest(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket
        .getOutputStream()
        .write("GET /metrics HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
