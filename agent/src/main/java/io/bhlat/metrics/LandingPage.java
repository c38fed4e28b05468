// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.bhlat.trace.ProbePlan;
import io.bhlat.trace.ProbePlan.Planned;
import io.bhlat.trace.ProbePlan.ProbeStatus;
import java.util.stream.Collectors;

/** The page at {@code /}: what this is, what it measures here, what is missing and why. */
public final class LandingPage {

  private static final String TEMPLATE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>bhlat</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
      h1 { margin-bottom: 0; }
      .sub { margin-top: 0; opacity: .7; }
      table { border-collapse: collapse; width: 100%%; }
      th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; }
      ul { margin: 0; padding-left: 1.1rem; }
      </style>
      </head>
      <body>
      <h1>bhlat %s</h1>
      <p class="sub">How long deferred kernel work waits between being queued and being run.</p>
      <p>Kernel %s%s, %s</p>
      <ul>
      <li><a href="/metrics">Metrics</a></li>
      <li><a href="/-/healthy">Healthy</a>, <a href="/-/ready">ready</a></li>
      </ul>
      <h2>Measurements</h2>
      <table>
      <tr><th>measurement</th><th>state</th><th>probes</th><th>notes</th></tr>
      %s</table>
      <p>Every metric is described in docs/METRICS.md of the source; <code>bhlat check</code> says more \
      about probes that are missing.</p>
      </body>
      </html>
      """;

  private LandingPage() {}

  /** The whole page, HTML. */
  public static String html(HostLabels host, ProbePlan plan) {
    return TEMPLATE.formatted(
        escape(host.bhlatVersion()),
        escape(host.kernelRelease()),
        host.preemptRt() ? " (PREEMPT_RT)" : "",
        escape(host.kernelVersion()),
        plan.measurements().stream().map(LandingPage::row).collect(Collectors.joining()));
  }

  private static String row(Planned planned) {
    long attached = planned.probes().stream().filter(ProbeStatus::attached).count();
    return "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
        .formatted(
            escape(planned.measurement().label()),
            state(planned),
            planned.probes().isEmpty() ? "" : attached + " of " + planned.probes().size(),
            notes(planned));
  }

  private static String state(Planned planned) {
    return switch (planned.state()) {
      case ATTACHED -> "measured";
      case PARTIAL -> "measured in part";
      case MISSING -> "<strong>missing</strong>";
      case NOT_REQUESTED -> "not requested";
      case NOT_APPLICABLE -> "not done by this kernel";
    };
  }

  private static String notes(Planned planned) {
    StringBuilder notes = new StringBuilder();
    planned.notes().forEach(note -> notes.append(escape(note)).append("<br>"));
    planned
        .probes()
        .forEach(
            status ->
                status
                    .failure()
                    .ifPresent(
                        failure ->
                            notes.append(escape(status.probe() + ": " + failure)).append("<br>")));
    return notes.toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
