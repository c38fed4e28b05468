// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.infiniband.Adapter;
import io.bhlat.infiniband.CodedState;
import io.bhlat.infiniband.Port;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** What {@code bhlat check --json} prints: one object on one line, as docs/JSON.md promises. */
public final class CheckJson {

  /** The name and version of the format; a new version where a reader could misread the change. */
  public static final String SCHEMA = "bhlat.check/1";

  private CheckJson() {}

  /** The object, with a line feed at its end. */
  public static String render(CheckResult check) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.setSerializeNulls(true);
      json.beginObject();
      json.name("schema").value(SCHEMA);
      json.name("bhlat_version").value(check.bhlatVersion());
      host(json, check);
      json.name("probes");
      PlanJson.write(json, check.plan());
      strings(json, "failures", check.failures());
      adapters(json, check);
      json.endObject();
    } catch (IOException e) {
      throw new UncheckedIOException("write JSON to memory", e);
    }
    return text.append("\n").toString();
  }

  private static void host(JsonWriter json, CheckResult check) throws IOException {
    json.name("host").value(check.host().hostname());
    json.name("kernel").beginObject();
    json.name("release").value(check.host().kernelRelease());
    json.name("version").value(check.host().kernelVersion());
    json.name("preempt_rt").value(check.preemptRt());
    number(json, "hz", check.hz());
    json.endObject();
    json.name("cpus_online").value(check.host().cpus());
    json.name("fast_pool_mechanism").value(check.plan().mechanism().label());
    strings(json, "missing_capabilities", check.missingCapabilities());
    json.name("lockdown").value(label(check.lockdown()));
    string(json, "struct_layout", check.target().layout().map(layout -> label(layout.source())));
    json.name("symbols").value(label(check.symbols()));
  }

  private static void adapters(JsonWriter json, CheckResult check) throws IOException {
    json.name("infiniband").beginObject();
    json.name("adapters").beginArray();
    for (Adapter adapter : check.adapters().adapters()) {
      json.beginObject();
      json.name("name").value(adapter.name());
      string(json, "hca_type", adapter.hcaType());
      string(json, "firmware", adapter.firmware());
      string(json, "board_id", adapter.boardId());
      string(json, "node_guid", adapter.nodeGuid());
      number(json, "numa_node", adapter.numaNode());
      string(json, "pci_address", adapter.pciAddress());
      strings(json, "net_devices", adapter.netDevices());
      json.name("interrupts").beginArray();
      for (int interrupt : adapter.interrupts()) {
        json.value(interrupt);
      }
      json.endArray();
      json.name("ports").beginArray();
      for (Port port : adapter.ports()) {
        port(json, port);
      }
      json.endArray();
      json.endObject();
    }
    json.endArray();
    strings(json, "problems", check.adapters().problems());
    json.endObject();
  }

  private static void port(JsonWriter json, Port port) throws IOException {
    json.beginObject();
    json.name("port").value(port.number());
    string(json, "state", port.state().map(CodedState::name));
    string(json, "phys_state", port.physState().map(CodedState::name));
    string(json, "rate", port.rate());
    string(json, "link_layer", port.linkLayer());
    number(json, "lid", port.lid());
    number(json, "sm_lid", port.smLid());
    strings(json, "gids", port.gids());
    json.endObject();
  }

  private static void string(JsonWriter json, String name, Optional<String> value)
      throws IOException {
    json.name(name);
    if (value.isPresent()) {
      json.value(value.get());
    } else {
      json.nullValue();
    }
  }

  private static void number(JsonWriter json, String name, OptionalInt value) throws IOException {
    json.name(name);
    if (value.isPresent()) {
      json.value(value.getAsInt());
    } else {
      json.nullValue();
    }
  }

  private static void strings(JsonWriter json, String name, List<String> values)
      throws IOException {
    json.name(name).beginArray();
    for (String value : values) {
      json.value(value);
    }
    json.endArray();
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
