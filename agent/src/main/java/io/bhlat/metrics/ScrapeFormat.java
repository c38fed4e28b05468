// SPDX-License-Identifier: Apache-2.0
package io.bhlat.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.util.Locale;
import java.util.Optional;

/** The formats in which metrics are told. */
enum ScrapeFormat {
  TEXT,
  OPEN_METRICS,
  PROTOBUF;

  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  /**
   * The one that an Accept header wants most.
   *
   * @param accept the header; without it, and where it accepts none of ours, text
   */
  static ScrapeFormat of(Optional<String> accept) {
    return accept.stream()
        .flatMap(header -> Accepted.mediaTypes(header).stream())
        .flatMap(type -> ofMediaType(type.toLowerCase(Locale.ROOT).replace(" ", "")).stream())
        .findFirst()
        .orElse(TEXT);
  }

  private static Optional<ScrapeFormat> ofMediaType(String type) {
    String name = type.split(";", 2)[0];
    return switch (name) {
      case "text/plain", "text/*", "*/*" -> Optional.of(TEXT);
      case "application/openmetrics-text" ->
          type.contains("version=2.") ? Optional.empty() : Optional.of(OPEN_METRICS);
      case "application/vnd.google.protobuf" ->
          type.contains("proto=io.prometheus.client.metricfamily")
                  && (type.contains("encoding=delimited") || !type.contains("encoding="))
              ? Optional.of(PROTOBUF)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Writes that format. */
  ExpositionFormatWriter writer() {
    return switch (this) {
      case TEXT -> FORMATS.getPrometheusTextFormatWriter();
      case OPEN_METRICS -> FORMATS.getOpenMetricsTextFormatWriter();
      case PROTOBUF -> FORMATS.getPrometheusProtobufWriter();
    };
  }
}
