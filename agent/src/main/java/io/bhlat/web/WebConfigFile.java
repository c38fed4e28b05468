// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of {@code --web.config.file}, read again when it or a file that it names has changed.
 * That is looked at when a client comes, at most once a second. One that cannot be used any more is
 * logged once, and what was read before holds on. Thread-safe.
 */
public final class WebConfigFile implements WebSecurity, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WebConfigFile.class);
  private static final long CHECK_INTERVAL_NS = Duration.ofSeconds(1).toNanos();

  /** Passwords that wait for the one thread that checks them, 0.1 s each at a cost of 10. */
  private static final int MAX_CHECKS = 32;

  private final Path file;
  private final ReentrantLock reading = new ReentrantLock();
  private final ThreadPoolExecutor checks;
  private volatile Loaded loaded;
  private volatile long checkedNs;
  private String lastFailure = "";
  private FileStamps lastStamps;

  /** A configuration with those that it let in. */
  private record Loaded(WebConfig config, BasicAuth auth) {}

  private WebConfigFile(Path file) {
    this.file = file;
    this.checks =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MAX_CHECKS),
            new DaemonThreads("http-password"));
    checks.allowCoreThreadTimeOut(true);
    WebConfig config = WebConfigReader.read(file);
    this.lastStamps = FileStamps.of(config.files());
    this.loaded = new Loaded(config, new BasicAuth(config.users(), checks));
    this.checkedNs = System.nanoTime();
  }

  /**
   * Reads the file and all that it names.
   *
   * @throws ConfigException if it cannot be used; the message names the place and what is expected
   */
  public static WebConfigFile load(Path file) {
    return new WebConfigFile(file);
  }

  /** What works otherwise than the file may expect, in whole sentences. */
  public List<String> warnings() {
    return loaded.config().warnings();
  }

  /** Whether clients speak TLS. */
  public boolean isTls() {
    return loaded.config().tls().isPresent();
  }

  /** Whether only users may ask. */
  public boolean hasUsers() {
    return !loaded.config().users().isEmpty();
  }

  @Override
  public Optional<EngineSource> tls() {
    return loaded
        .config()
        .tls()
        .map(first -> () -> current().config().tls().orElse(first).newEngine());
  }

  @Override
  public Handler guard(Handler handler) {
    return request -> {
      Loaded now = current();
      return now.auth()
          .refusal(request)
          .thenCompose(
              refusal ->
                  refusal.isPresent()
                      ? java.util.concurrent.CompletableFuture.completedFuture(refusal.get())
                      : handler.handle(request))
          .thenApply(response -> withHeaders(response, now.config().headers()));
    };
  }

  private static Response withHeaders(Response response, Map<String, String> headers) {
    if (headers.isEmpty()) {
      return response;
    }
    Map<String, String> all = new LinkedHashMap<>(response.headers());
    all.putAll(headers);
    return new Response(response.status(), all, response.body());
  }

  /** How many credentials were verified since the last change. */
  int verifiedCount() {
    return loaded.auth().verifiedCount();
  }

  private Loaded current() {
    // One looks, and nobody waits for it.
    if (System.nanoTime() - checkedNs >= CHECK_INTERVAL_NS && reading.tryLock()) {
      try {
        checkedNs = System.nanoTime();
        readIfChanged();
      } finally {
        reading.unlock();
      }
    }
    return loaded;
  }

  private void readIfChanged() {
    FileStamps stamps = FileStamps.of(loaded.config().files());
    if (stamps.equals(lastStamps)) {
      return;
    }
    try {
      WebConfig config = WebConfigReader.read(file);
      if (config.tls().isPresent() != isTls()) {
        throw new ConfigException(
            file
                + ": TLS cannot be "
                + (isTls() ? "removed" : "added")
                + " while bhlat runs; restart it");
      }
      lastStamps =
          config.files().equals(loaded.config().files()) ? stamps : FileStamps.of(config.files());
      loaded = new Loaded(config, new BasicAuth(config.users(), checks));
      lastFailure = "";
      config.warnings().forEach(log::warn);
      log.info("{}: read again, for it or a file that it names has changed", file);
    } catch (ConfigException e) {
      // It may name a file that comes later: tried again until it succeeds.
      lastStamps = FileStamps.of(List.of());
      if (!e.text().equals(lastFailure)) {
        lastFailure = e.text();
        log.error(
            "{}. What was read before holds on; correct it, a restart is not needed", e.text());
      }
    }
  }

  @Override
  public void close() {
    checks.shutdownNow();
  }
}
