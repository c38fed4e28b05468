// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;

/**
 * The configuration that a kernel was built with.
 *
 * @param values by option, "CONFIG_HZ" → "250", without quotes; options that are not set are
 *     missing
 */
public record KernelConfig(Map<String, String> values) {
  private static final String COMPRESSED = "/proc/config.gz";

  /** Copies the values. */
  public KernelConfig {
    values = Map.copyOf(values);
  }

  /**
   * Reads /proc/config.gz, else the file that the distribution installs; empty if there is none.
   *
   * @throws HostReadException if one exists but cannot be read
   */
  public static Optional<KernelConfig> read(HostFiles host, KernelRelease kernel) {
    Optional<byte[]> compressed = host.bytes(COMPRESSED);
    if (compressed.isPresent()) {
      return Optional.of(parse(unzip(host, compressed.get())));
    }
    String release = kernel.release();
    for (String file :
        List.of(
            "/boot/config-" + release,
            "/lib/modules/" + release + "/config",
            "/usr/lib/modules/" + release + "/config")) {
      Optional<String> config = host.text(file);
      if (config.isPresent()) {
        return config.map(KernelConfig::parse);
      }
    }
    return Optional.empty();
  }

  /** True for options that are built in ("y") or built as a module ("m"). */
  public boolean isSet(String option) {
    String value = values.getOrDefault(option, "n");
    return "y".equals(value) || "m".equals(value);
  }

  /** Ticks of the timer in a second; timers that are due "now" wait for the next tick. */
  public OptionalInt hz() {
    String hz = values.getOrDefault("CONFIG_HZ", "");
    return hz.matches("\\d{1,6}") ? OptionalInt.of(Integer.parseInt(hz)) : OptionalInt.empty();
  }

  /** True if functions can be probed by kprobes. */
  public boolean hasKprobes() {
    return isSet("CONFIG_KPROBES");
  }

  private static KernelConfig parse(String config) {
    Map<String, String> values = new LinkedHashMap<>();
    config
        .lines()
        .filter(line -> line.startsWith("CONFIG_") && line.indexOf('=') > 0)
        .forEach(
            line -> {
              int equals = line.indexOf('=');
              String value = line.substring(equals + 1).strip().replaceAll("^\"|\"$", "");
              values.put(line.substring(0, equals), value);
            });
    return new KernelConfig(values);
  }

  private static String unzip(HostFiles host, byte[] compressed) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new HostReadException(host.path(COMPRESSED), e);
    }
  }
}
