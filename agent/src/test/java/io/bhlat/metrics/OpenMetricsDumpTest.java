// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.model.LatencyHistogram;
import io.bhlat.model.LossCounts;
import io.bhlat.model.WorkClass;
import io.bhlat.model.WorkCounts;
import io.bhlat.model.WorkKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OpenMetricsDumpTest {

  @Test
  void writesTheFamiliesOfAScrapeAndEndsWithEof() throws IOException {
    LatencyHistogram queue = TestCounts.histogram(3_000, 70_000);
    TestCounts counts =
        new TestCounts()
            .with(
                0,
                WorkKey.of(WorkClass.WORKQUEUE),
                new WorkCounts(
                    2, 0, LossCounts.NONE, queue, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY));
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    OpenMetricsDump.write(
        counts.build(), TestCounts.plan(), TestCounts.ATTACHED_AT, TestCounts.HOST, 64, out);

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("# TYPE bhlat_queue_latency_seconds histogram")
        .contains("# UNIT bhlat_queue_latency_seconds seconds")
        .contains("bhlat_queue_latency_seconds_count{cpu=\"0\",work_class=\"workqueue\"} 2")
        .contains("bhlat_queue_latency_seconds_sum{cpu=\"0\",work_class=\"workqueue\"} 7.3E-5")
        .contains(
            "bhlat_queue_latency_seconds_created{cpu=\"0\",work_class=\"workqueue\"}"
                + " 1796032800.000")
        .contains("# TYPE bhlat_kernel info")
        .contains("bhlat_kernel_info{fast_pool_mechanism=\"timer\"")
        .endsWith("# EOF\n");
  }
}
