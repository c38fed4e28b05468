// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are slow, half there or rude, and what others notice of them: nothing. */
@Timeout(120)
class StormTest {

  /** What an honest request may take here, where other tests share the cores. */
  private static final Duration PROMPT = Duration.ofSeconds(2);

  private static final Bytes LARGE = Bytes.of("0123456789abcdef".repeat(500_000));

  private final CountDownLatch release = new CountDownLatch(1);
  private final List<RawClient> clients = new ArrayList<>();
  private WebServer server = start(limits(40, Duration.ofSeconds(20), 64L << 20));

  private static Limits limits(int maxConnections, Duration time, long maxHeldBytes) {
    return new Limits(maxConnections, 16 * 1024, time, time, time, 2, 32, maxHeldBytes);
  }

  private WebServer start(Limits limits) {
    Routes routes =
        Routes.none()
            .withPage("/page", request -> Response.text(200, "page\n"))
            .withPage("/large", request -> Response.text(200, "").withBody(LARGE))
            .withPage("/own", request -> Response.text(200, "x".repeat(8_000_000)))
            .withPage(
                "/stuck",
                request -> {
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return Response.text(200, "late\n");
                });
    try {
      return WebServer.start(ListenAddress.parse("127.0.0.1:0"), routes, Optional.empty(), limits);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void restart(Limits limits) {
    server.close();
    server = start(limits);
  }

  @AfterEach
  void stop() throws IOException {
    release.countDown();
    for (RawClient client : clients) {
      client.close();
    }
    server.close();
  }

  private RawClient client() throws IOException {
    RawClient client = new RawClient(server.address().getPort());
    clients.add(client);
    return client;
  }

  private RawClient clientThatDoesNotRead(String path) throws IOException {
    RawClient client = new RawClient(server.address().getPort(), 4_096);
    clients.add(client);
    return client.get(path);
  }

  /** Asks for a page as others do. */
  private void assertServed() throws IOException {
    long startNs = System.nanoTime();
    try (RawClient honest = new RawClient(server.address().getPort())) {
      assertThat(honest.get("/page").readAll()).startsWith("HTTP/1.1 200 OK").endsWith("page\n");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(PROMPT);
  }

  @Test
  void clientsThatSendAByteAtATimeKeepNobodyWaitingAndAreCutOff() throws Exception {
    restart(limits(40, Duration.ofMillis(700), 64L << 20));
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      slow.add(client());
    }
    for (char next : "GET /page HT".toCharArray()) {
      for (RawClient client : slow) {
        sendIfOpen(client, next);
      }
      assertServed();
      Thread.sleep(80);
    }
    for (RawClient client : slow) {
      assertThat(client.readAll()).startsWith("HTTP/1.1 408 ").contains("did not end within");
    }
    assertThat(ProcessThreads.named("http-")).isLessThanOrEqualTo(4);
  }

  private static void sendIfOpen(RawClient client, char next) {
    try {
      client.send(String.valueOf(next));
    } catch (IOException e) {
      // Cut off already, which is what the test is about.
    }
  }

  @Test
  void moreSlowClientsThanConnectionsKeepNobodyOut() throws Exception {
    for (int i = 0; i < 200; i++) {
      client().send("GET /metrics HTTP/1.1\r\nHost: x\r\n");
      if (i % 10 == 0) {
        assertServed();
      }
    }
    assertServed();
    assertThat(server.openConnections()).isLessThanOrEqualTo(40);
    assertThat(clients.get(0).isEnded()).as("the first waited longest").isTrue();
    assertThat(clients.get(199).isEnded()).as("the last").isFalse();
  }

  @Test
  void clientsThatNeverReadKeepNobodyWaitingAndAreCutOff() throws Exception {
    restart(limits(40, Duration.ofMillis(500), 64L << 20));
    for (int i = 0; i < 30; i++) {
      clientThatDoesNotRead("/large");
    }
    ProcessThreads.await("all connected", PROMPT, () -> server.openConnections() >= 30);
    assertServed();
    // 8 MB at 256 KB a second, and the half second.
    ProcessThreads.await("cut off", Duration.ofSeconds(60), () -> server.openConnections() == 0);
  }

  @Test
  void answersThatNobodyReadsTakeABoundedShareOfTheHeap() throws Exception {
    restart(limits(40, Duration.ofSeconds(60), 20_000_000));
    for (int i = 0; i < 10; i++) {
      clientThatDoesNotRead("/own");
      Thread.sleep(100);
    }
    ProcessThreads.await("two left", PROMPT, () -> server.openConnections() == 2);
    assertServed();
  }

  @Test
  void aSharedAnswerIsCountedOnceHoweverManyReadIt() throws Exception {
    restart(limits(40, Duration.ofSeconds(60), 9_000_000));
    for (int i = 0; i < 20; i++) {
      clientThatDoesNotRead("/large");
    }
    ProcessThreads.await("all of them", PROMPT, () -> server.openConnections() == 20);
  }

  @Test
  void halfOpenConnectionsAreClosedWhenTheirTimeIsOver() throws Exception {
    restart(limits(40, Duration.ofMillis(300), 64L << 20));
    for (int i = 0; i < 20; i++) {
      client();
    }
    ProcessThreads.await("connected", PROMPT, () -> server.openConnections() == 20);
    ProcessThreads.await("closed", PROMPT, () -> server.openConnections() == 0);
  }

  @Test
  void clientsThatCloseEarlyLeakNeitherThreadsNorDescriptors() throws Exception {
    assertServed();
    int before = ProcessThreads.descriptors();
    for (int i = 0; i < 300; i++) {
      askAndGoAway(i % 4);
    }
    ProcessThreads.await("all gone", PROMPT, () -> server.openConnections() == 0);
    assertServed();
    ProcessThreads.await(
        "descriptors as before", PROMPT, () -> ProcessThreads.descriptors() <= before + 1);
    assertThat(ProcessThreads.named("http-")).isLessThanOrEqualTo(4);
  }

  /** One of them may itself be the one that gives way when connections are used up. */
  private void askAndGoAway(int manner) throws IOException {
    RawClient rude = new RawClient(server.address().getPort());
    try {
      switch (manner) {
        case 0 -> rude.reset();
        case 1 -> rude.send("GET /page HT").reset();
        case 2 -> rude.get("/large").reset();
        default -> rude.get("/large").close();
      }
    } catch (SocketException e) {
      rude.close();
    }
  }

  /**
   * All connections wait for us and none for its client: nobody has to give way, one has to wait.
   */
  @Test
  void oneMoreClientWaitsWhileEveryConnectionIsBeingAnswered() throws Exception {
    restart(limits(4, PROMPT, 64L << 20));
    for (int i = 0; i < 4; i++) {
      client().get("/stuck");
    }
    ProcessThreads.await("all connected", PROMPT, () -> server.openConnections() == 4);
    Thread.sleep(100); // until their requests are with the workers
    try (RawClient honest = new RawClient(server.address().getPort())) {
      honest.get("/page");
      Thread.sleep(100);
      release.countDown();
      assertThat(honest.readAll()).startsWith("HTTP/1.1 200 OK").endsWith("page\n");
    }
  }

  @Test
  void refusesWith503WhenEveryWorkerAndTheQueueAreTaken() throws Exception {
    for (int i = 0; i < 34; i++) {
      client().get("/stuck");
    }
    ProcessThreads.await("all connected", PROMPT, () -> server.openConnections() >= 34);
    try (RawClient honest = new RawClient(server.address().getPort())) {
      assertThat(honest.get("/page").readAll())
          .startsWith("HTTP/1.1 503 Service Unavailable")
          .contains("Retry-After: 1\r\n", "try again in a second");
    }
    release.countDown();
    for (RawClient waiting : clients) {
      assertThat(waiting.readAll()).endsWith("late\n");
    }
    assertServed();
  }
}
