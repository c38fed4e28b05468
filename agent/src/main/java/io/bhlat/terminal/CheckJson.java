// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import com.google.gson.stream.JsonWriter;
import io.bhlat.infiniband.Adapter;
import io.bhlat.infiniband.CodedState;
import io.bhlat.infiniband.Port;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
      JsonFields.texts(json, "failures", check.failures());
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
    JsonFields.number(json, "hz", boxed(check.hz()));
    json.endObject();
    json.name("cpus_online").value(check.host().cpus());
    json.name("fast_pool_mechanism").value(check.plan().mechanism().label());
    JsonFields.texts(json, "missing_capabilities", check.missingCapabilities());
    json.name("lockdown").value(JsonFields.label(check.lockdown()));
    JsonFields.text(
        json,
        "struct_layout",
        check.target().layout().map(layout -> JsonFields.label(layout.source())));
    json.name("symbols").value(JsonFields.label(check.symbols()));
  }

  private static void adapters(JsonWriter json, CheckResult check) throws IOException {
    json.name("infiniband").beginObject();
    json.name("adapters").beginArray();
    for (Adapter adapter : check.adapters().adapters()) {
      json.beginObject();
      json.name("name").value(adapter.name());
      JsonFields.text(json, "hca_type", adapter.hcaType());
      JsonFields.text(json, "firmware", adapter.firmware());
      JsonFields.text(json, "board_id", adapter.boardId());
      JsonFields.text(json, "node_guid", adapter.nodeGuid());
      JsonFields.number(json, "numa_node", boxed(adapter.numaNode()));
      JsonFields.text(json, "pci_address", adapter.pciAddress());
      JsonFields.texts(json, "net_devices", adapter.netDevices());
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
    JsonFields.texts(json, "problems", check.adapters().problems());
    json.endObject();
  }

  private static void port(JsonWriter json, Port port) throws IOException {
    json.beginObject();
    json.name("port").value(port.number());
    JsonFields.text(json, "state", port.state().map(CodedState::name));
    JsonFields.text(json, "phys_state", port.physState().map(CodedState::name));
    JsonFields.text(json, "rate", port.rate());
    JsonFields.text(json, "link_layer", port.linkLayer());
    JsonFields.number(json, "lid", boxed(port.lid()));
    JsonFields.number(json, "sm_lid", boxed(port.smLid()));
    JsonFields.texts(json, "gids", port.gids());
    json.endObject();
  }

  private static Optional<Integer> boxed(OptionalInt number) {
    return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
  }
}
