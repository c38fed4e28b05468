// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Asks a running {@code bhlat serve} for recordings. Used by one thread.
 *
 * <p>By HttpURLConnection, since java.net.http takes 0.3 s longer to start.
 */
final class DaemonClient {

  private static final String CREDENTIALS_VARIABLE = "BHLAT_DAEMON_CREDENTIALS";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 30_000;

  private final URI url;
  private final Optional<SSLSocketFactory> trust;
  private final Optional<String> credentials;

  private DaemonClient(URI url, Optional<SSLSocketFactory> trust, Optional<String> credentials) {
    this.url = url;
    this.trust = trust;
    this.credentials = credentials;
  }

  /**
   * A client; nothing is asked yet.
   *
   * @param url such as {@code http://127.0.0.1:9971}
   * @param certificates PEM file of those to trust
   * @param credentials file that begins with USER:PASSWORD
   * @throws CommandFailure if one of them is wrong
   */
  static DaemonClient of(String url, Optional<Path> certificates, Optional<Path> credentials) {
    URI parsed;
    try {
      parsed = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw wrongUrl(url);
    }
    if (parsed.getUserInfo() != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--from-daemon: others can see what is on a command line; give credentials by"
              + " --daemon-credentials or "
              + CREDENTIALS_VARIABLE);
    }
    boolean https = "https".equals(parsed.getScheme());
    if (!(https || "http".equals(parsed.getScheme()))
        || parsed.getHost() == null
        || parsed.getQuery() != null) {
      throw wrongUrl(url);
    }
    return new DaemonClient(
        parsed,
        certificates.map(DaemonClient::trust),
        credentials
            .map(DaemonClient::firstLine)
            .or(() -> Optional.ofNullable(System.getenv(CREDENTIALS_VARIABLE))));
  }

  private static CommandFailure wrongUrl(String url) {
    return new CommandFailure(
        ExitCode.USAGE,
        "--from-daemon: \"" + url + "\" is no address of a daemon, such as http://127.0.0.1:9971");
  }

  private static String firstLine(Path file) {
    try {
      String line = Files.readString(file).lines().findFirst().orElse("");
      if (!line.contains(":")) {
        throw new CommandFailure(
            ExitCode.USAGE, "read " + file + ": its first line must be USER:PASSWORD");
      }
      return line;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, "read " + file + ": " + reason(e), e);
    }
  }

  private static SSLSocketFactory trust(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + number++, one);
      }
      if (number == 0) {
        throw new CommandFailure(ExitCode.USAGE, "read " + file + ": it holds no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.CANNOT, "read " + file + ": " + reason(e), e);
    } catch (GeneralSecurityException e) {
      throw new CommandFailure(
          ExitCode.USAGE, "read " + file + ": no certificates in PEM: " + e.getMessage(), e);
    }
  }

  private static String reason(IOException e) {
    return e instanceof java.nio.file.NoSuchFileException
        ? "ENOENT; name a file that exists"
        : String.valueOf(e.getMessage());
  }

  /** Where it asks. */
  String address() {
    return url.toString();
  }

  /**
   * The recording of what the daemon holds.
   *
   * @param since how far back; absent: everything
   * @throws CommandFailure if there is no daemon, or it does not give it
   */
  InputStream recording(Optional<Duration> since) {
    String base = url.toString().replaceFirst("/+$", "");
    String query = since.map(age -> "?since=" + age.toMillis() + "ms").orElse("");
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create(base + RecordingEndpoint.PATH + query).toURL().openConnection();
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(READ_MILLIS);
      connection.setInstanceFollowRedirects(false); // credentials go where they were meant to go
      if (connection instanceof HttpsURLConnection https) {
        trust.ifPresent(https::setSSLSocketFactory);
      }
      credentials.ifPresent(
          line ->
              connection.setRequestProperty(
                  "Authorization",
                  "Basic "
                      + Base64.getEncoder().encodeToString(line.getBytes(StandardCharsets.UTF_8))));
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw refused(status, message(connection));
      }
      return new BufferedInputStream(connection.getInputStream());
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private static String message(HttpURLConnection connection) throws IOException {
    InputStream body = connection.getErrorStream();
    if (body == null) {
      return "";
    }
    return new String(body.readNBytes(1_000), StandardCharsets.UTF_8)
        .lines()
        .findFirst()
        .orElse("")
        .strip();
  }

  private CommandFailure refused(int status, String message) {
    String ask = "ask the daemon at " + url + ": ";
    return switch (status) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          new CommandFailure(
              ExitCode.NOT_PERMITTED,
              ask
                  + (credentials.isEmpty()
                      ? "it wants credentials; give them by --daemon-credentials or "
                          + CREDENTIALS_VARIABLE
                      : "it does not accept these credentials"));
      case HttpURLConnection.HTTP_FORBIDDEN ->
          new CommandFailure(ExitCode.NOT_PERMITTED, ask + message);
      case HttpURLConnection.HTTP_NOT_FOUND ->
          new CommandFailure(
              ExitCode.CANNOT,
              ask
                  + (message.startsWith("no recording")
                      ? message
                      : "it has no recordings; it is no bhlat, or one that is older than this"));
      default -> new CommandFailure(ExitCode.CANNOT, ask + "HTTP " + status + " " + message);
    };
  }

  private CommandFailure unreachable(IOException e) {
    String ask = "ask the daemon at " + url + ": ";
    if (e instanceof ConnectException || e instanceof UnknownHostException) {
      return new CommandFailure(
          ExitCode.CANNOT,
          ask + "none is there; start one with `bhlat serve`, or measure without --from-daemon",
          e);
    }
    if (e instanceof SocketTimeoutException) {
      return new CommandFailure(ExitCode.CANNOT, ask + "it does not answer", e);
    }
    if (e instanceof SSLException) {
      return new CommandFailure(
          ExitCode.CANNOT,
          ask + e.getMessage() + "; name the certificates to trust by --daemon-ca",
          e);
    }
    return new CommandFailure(ExitCode.CANNOT, ask + e.getMessage(), e);
  }
}
