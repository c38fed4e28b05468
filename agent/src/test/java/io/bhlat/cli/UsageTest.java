// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import static io.bhlat.cli.BhlatProcess.bhlat;
import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.cli.BhlatProcess.Outcome;
import io.bhlat.model.WorkClass;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line says before it touches the kernel. Needs no privilege. */
final class UsageTest {

  @Test
  void introducesItselfOnHelp() {
    Outcome help = bhlat("--help").run();
    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(help.out())
        .contains("Usage: bhlat", "check", "hist", "serve", "Examples:")
        .contains("Exit codes: 0 ok; 1 measured, but incomplete; 2 usage; 3 not permitted; 4 the");
    assertThat(help.err()).isEmpty();
  }

  @Test
  void explainsEveryOptionOfACommand() {
    Outcome help = bhlat("help", "hist").run();
    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(help.out())
        .contains("--class", "--duration", "--function", "--interval", "--json", "--max-functions")
        .contains("--max-pending", "--max-pending-age", "--openmetrics", "--per-cpu", "--verbose")
        .contains(Arrays.stream(WorkClass.values()).map(WorkClass::label).toList())
        .contains("Default: 10s", "Ctrl-C ends early")
        .doesNotContain("%%", "${");
    assertThat(help.out().lines()).allSatisfy(l -> assertThat(l).hasSizeLessThanOrEqualTo(100));
  }

  @Test
  void printsItsVersion() {
    Outcome version = bhlat("--version").run();
    assertThat(version.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(version.out()).matches("bhlat \\S+\\R");
  }

  @Test
  void showsTheCommandsWhenNoneIsGiven() {
    Outcome nothing = bhlat().run();
    assertThat(nothing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(nothing.out()).isEmpty();
    assertThat(nothing.err()).contains("Usage: bhlat", "check", "hist", "serve");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "chek | 'chek' is no command: check, hist, record, serve, help",
        "hist --bogus | Unknown option: '--bogus'",
        "hist --clas=softirq | Possible solutions: --class",
        "hist --class=bogus | 'bogus' is no work class: fast_pool, workqueue, bh_workqueue, hi_task",
        "hist --duration=10 | '10' is not a duration: a whole number and a unit, as in 500ms, 10s",
        "hist --interval=0s | a duration must be longer than 0: '0s'",
        "hist --duration -5s | '-5s' is not a duration",
        "hist --function=[ | '[' is not a regular expression of java.util.regex: Unclosed character",
        "hist --json --openmetrics | --json, --openmetrics are mutually exclusive",
        "hist --max-pending=0 | --max-pending takes a number from 1 to 1,000,000, not 0",
        "hist --since=5m | --since, --daemon-ca and --daemon-credentials go with --from-daemon",
        "hist --from-daemon --duration=5s | choose a part of it by --since",
        "hist --recording=x --since=5s | not with --from-daemon or --since",
        "record -o x | record needs --from-daemon",
        "record --from-daemon | Missing required option: '--output=FILE'",
        "serve --recorder.max-memory=8 | '8' is not a size: a whole number and a unit, as in 512k",
        "serve --recorder.max-memory=1k | --recorder.max-memory takes at least 64k, or off",
        "serve --recorder.resolution=10ms | --recorder.resolution takes at least 100ms",
        "serve --recorder.length=500ms | --recorder.length is shorter than --recorder.resolution",
        "serve --web.listen-address=nonsense | expected HOST:PORT, such as 127.0.0.1:9971",
      })
  void refusesWhatItCannotTakeAndNamesWhatItCan(String arguments, String message) {
    Outcome refused = bhlat(arguments.split(" ", -1)).run();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).startsWith("bhlat: ").contains(message).doesNotContain("Exception");
    assertThat(refused.err().lines()).hasSizeLessThan(10);
  }
}
