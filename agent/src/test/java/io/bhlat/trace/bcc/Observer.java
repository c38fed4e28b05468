// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.trace.BpfFiles;
import io.bhlat.trace.BpfSource;
import io.bhlat.trace.Probe;
import io.bhlat.trace.ProbeKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An independent count of the events that bhlat counts; see bpf/observer.c of the test resources.
 */
final class Observer implements AutoCloseable {

  private final BccModule module;
  private final Attachments attachments;
  private final BccMap seen;

  private Observer(BccModule module, Attachments attachments, BccMap seen) {
    this.module = module;
    this.attachments = attachments;
    this.seen = seen;
  }

  static Observer attach() throws BpfException, IOException {
    try (BpfFiles headers = BpfFiles.unpack();
        InputStream in = Observer.class.getResourceAsStream("/bpf/observer.c")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      BccModule module = BccModule.compile(new BpfSource(text, Map.of()), headers.folder());
      List<Probe> probes =
          Stream.of(
                  "softirq_entry",
                  "workqueue_queue_work",
                  "workqueue_execute_start",
                  "workqueue_execute_end")
              .map(name -> new Probe(ProbeKind.RAW_TRACEPOINT, name, "raw_tracepoint__" + name))
              .toList();
      Attachments attachments = new Attachments(new CompiledPrograms(module));
      probes.forEach(attachments::attach);
      return new Observer(module, attachments, module.map("seen", Integer.BYTES, Long.BYTES));
    }
  }

  /** Counts since attaching, by position. */
  record Seen(List<Long> counts) {
    long softirqEntries(int vector) {
      return counts.get(vector);
    }

    long queued() {
      return counts.get(10);
    }

    long started() {
      return counts.get(11);
    }

    long ended() {
      return counts.get(12);
    }
  }

  Seen read() throws BpfException {
    long[] counts = new long[16];
    for (BccMap.Entry entry : seen.entries()) {
      counts[entry.key().getInt(0)] = entry.value().getLong(0);
    }
    return new Seen(Arrays.stream(counts).boxed().toList());
  }

  @Override
  public void close() {
    attachments.close();
    seen.close();
    module.close();
  }
}
