// SPDX-License-Identifier: Apache-2.0
package io.bhlat.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bhlat.terminal.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {

  private static List<String> render(int width, String name) {
    Table table =
        new Table(
            List.of(
                Column.name("name", 12, 6),
                Column.optional("second", 2),
                Column.optional("first", 1),
                Column.number("count")),
            Glyphs.UTF8);
    table.row(List.of(name, "22", "1", "12,345"));
    return table.render(width);
  }

  @Test
  void numbersLineUpOnTheRight() {
    assertThat(render(40, "abc"))
        .containsExactly("name  second  first   count", "abc       22      1  12,345");
  }

  @Test
  void theLastRankOfTheOptionalColumnsGoesFirst() {
    assertThat(render(26, "abc")).containsExactly("name  first   count", "abc       1  12,345");
    assertThat(render(18, "abc")).containsExactly("name   count", "abc   12,345");
  }

  @Test
  void gapsShrinkBeforeNamesAreCut() {
    assertThat(render(19, "abcdefghijkl")).last().isEqualTo("abcdefghijkl 12,345");
    assertThat(render(17, "abcdefghijkl")).last().isEqualTo("abcde…ijkl 12,345");
  }

  @Test
  void longNamesTakeWhatIsLeft() {
    assertThat(render(80, "a_long_name_of_30_characters__"))
        .last()
        .asString()
        .startsWith("a_long_name_of_30_characters__ ");
  }

  @Test
  void aSymbolIsKeptBeforeItsModule() {
    assertThat(render(21, "do_work [a_module]")).last().isEqualTo("do_work [a_m…  12,345");
  }
}
