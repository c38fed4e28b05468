// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;

/** A server with a configuration file, and clients for it. */
final class WebConfigHost implements AutoCloseable {

  final Path file;
  final WebConfigFile config;
  final WebServer server;

  WebConfigHost(Path folder, String yaml) throws IOException {
    file = Files.writeString(folder.resolve("web.yml"), yaml);
    config = WebConfigFile.load(file);
    server =
        WebServer.start(
            ListenAddress.parse("127.0.0.1:0"),
            Routes.none().withPage("/page", request -> Response.text(200, "page\n")),
            config);
  }

  int port() {
    return server.address().getPort();
  }

  HttpRequest.Builder request(String scheme) {
    return HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + port() + "/page"))
        .timeout(Duration.ofSeconds(30));
  }

  static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse<String> as(String credentials) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            request("http").header("Authorization", basic(credentials)).build(),
            BodyHandlers.ofString());
  }

  /** A new client, so that nothing of an earlier handshake is left. */
  HttpResponse<String> by(SSLContext context) throws IOException, InterruptedException {
    return HttpClient.newBuilder()
        .sslContext(context)
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request("https").build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    server.close();
    config.close();
  }
}
