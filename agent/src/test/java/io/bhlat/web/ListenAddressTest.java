// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9971, 127.0.0.1, 9971",
    "localhost:0, localhost, 0",
    ":9971, '', 9971",
    "[::1]:9971, ::1, 9971",
    "[fe80::1%eth0]:65535, fe80::1%eth0, 65535"
  })
  void parsesWhatItPrints(String text, String host, int port) {
    ListenAddress address = ListenAddress.parse(text);

    assertThat(address).isEqualTo(new ListenAddress(host, port));
    assertThat(address).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "9971",
        "127.0.0.1",
        "127.0.0.1:",
        "::1:9971",
        "[127.0.0.1:9971",
        "a b:1",
        "http://localhost:9971",
        "host:99710000",
        "host:-1"
      })
  void refusesNonsenseSayingWhatIsExpected(String text) {
    assertThatThrownBy(() -> ListenAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"")
        .hasMessageContaining("expected HOST:PORT, such as 127.0.0.1:9971");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:65536", ":99999"})
  void refusesPortsThatDoNotExist(String text) {
    assertThatThrownBy(() -> ListenAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a port lies between 0 and 65535");
  }
}
