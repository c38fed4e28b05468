// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --config} and {@code --web.config.file}, from the command line to what is served. */
final class ConfigFileTest {

  /** Of the password "lab". */
  private static final String HASH = "$2y$05$WuommdSO3XIcW24G1vHqqeaj56Mw7UhDGL5GMqV9xrKlzJo.yCEzy";

  @TempDir Path folder;

  private String write(String name, String yaml) throws IOException {
    return Files.writeString(folder.resolve(name), yaml).toString();
  }

  @Test
  void checkReadsBothFilesAndAttachesNothing() throws IOException {
    write("web.yml", "basic_auth_users:\n  lab: " + HASH + "\n");
    String file =
        write(
            "bhlat.yml",
            """
            classes: [softirq]
            limits: {max_functions: 8}
            labels: {rack: r1}
            web: {config_file: web.yml}
            """);
    Outcome checked = bhlat("check", "--config", file).run();
    assertThat(checked.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(checked.out())
        .isEqualTo(
            "%s: ok: classes softirq; max_functions 8; labels rack%n%s: ok: no TLS, users%n"
                .formatted(file, folder.resolve("web.yml")));
    assertThat(checked.err()).contains("in the clear");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "hist", "serve"})
  void aBadFileIsAMistakeOfUsageThatNamesItsPlace(String command) throws IOException {
    String file = write("bhlat.yml", "labels:\n  rack: r1\n  cpu: x\n");
    Outcome refused = bhlat(command, "--config", file).run();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .startsWith("bhlat: " + file + ":3:3: labels.cpu: metrics of bhlat have a label")
        .doesNotContain("Exception");
  }

  @Test
  void aBadAddressOrWebFileIsOneToo() throws IOException {
    String address = write("bhlat.yml", "web:\n  listen_address: nowhere\n");
    assertThat(bhlat("serve", "--config", address).run().err())
        .startsWith("bhlat: " + address + ":2:19: web.listen_address: expected HOST:PORT");
    String web = write("web.yml", "basic_auth_users:\n  lab: lab\n");
    Outcome refused = bhlat("serve", "--web.config.file", web).run();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).startsWith("bhlat: " + web + ":2:8: basic_auth_users.lab: expected");
  }

  @Test
  void servesWhatTheFilesSayAndFlagsWin() throws Exception {
    Needs.root();
    write("web.yml", "basic_auth_users:\n  lab: " + HASH + "\n");
    String file =
        write(
            "bhlat.yml",
            """
            classes: [workqueue]
            functions:
              include: [there_is_no_such_function]
            limits: {max_functions: 1000}
            labels: {rack: r12, experiment: baseline}
            web:
              listen_address: 127.0.0.1:0
              config_file: web.yml
            """);
    try (BhlatProcess serve =
        bhlat("serve", "--config", file, "--max-functions", "5", "--class", "softirq,workqueue")
            .start()) {
      String line = serve.awaitErr(l -> l.contains("serving on http://127.0.0.1:"));
      String url = line.substring(line.indexOf("http://"));
      assertThat(get(url, "").statusCode()).isEqualTo(401);
      String metrics = get(url, "lab:lab").body();
      assertThat(metrics)
          .contains("bhlat_host_info{experiment=\"baseline\",rack=\"r12\"} 1")
          .contains("bhlat_softirq_latency_seconds_count{", "work_class=\"workqueue\"")
          .contains("bhlat_collector_success{collector=\"labels\"} 1")
          .containsPattern("bhlat_function_queue_latency_seconds_count\\{function=\"other\"")
          .doesNotContainPattern("function=\"(?!other)");
      serve.signal("TERM");
      assertThat(serve.awaitEnd().exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  private static HttpResponse<String> get(String url, String credentials)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url))
                .header(
                    "Authorization",
                    "Basic "
                        + Base64.getEncoder()
                            .encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .build(),
            BodyHandlers.ofString());
  }
}
