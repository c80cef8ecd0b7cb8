package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PagesProperties {
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void everyPageIsWellFormedShortEnoughAndNothingIsLost(
      @ForAll @Size(max = 60) List<List<String>> texts,
      @ForAll @IntRange(min = 40, max = 400) int limit)
      throws Exception {
    List<MessageLine> lines = new ArrayList<>();
    for (List<String> row : texts) {
      MessageLine line = MessageLine.EMPTY;
      for (int i = 0; i < row.size(); i++) {
        line =
            i % 3 == 0
                ? line.plain(row.get(i))
                : i % 3 == 1 ? line.code(row.get(i)) : line.bold(row.get(i));
      }
      lines.add(line);
    }
    List<List<MessageLine>> pages = Pages.of(lines, limit);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < pages.size(); i++) {
      String text = TelegramHtml.text(Pages.html(pages.get(i)));
      assertThat(text).isEqualTo(Pages.text(pages.get(i)));
      assertThat(text.length()).isLessThanOrEqualTo(limit);
      if (pages.size() > 1) {
        String number = "[%d/%d] ".formatted(i + 1, pages.size());
        assertThat(text).startsWith(number);
        text = text.substring(number.length());
      }
      all.append(text);
    }
    String shown = all.toString().replace("\n", "");
    String given =
        lines.stream().map(MessageLine::text).collect(Collectors.joining()).replace("\n", "");
    if (shown.contains(" pages are left out here)")) {
      assertThat(pages).hasSize(Pages.MOST_PAGES);
      String[] ends = shown.split("\\(\\d+ pages are left out here\\)", 2);
      assertThat(given).startsWith(ends[0]).endsWith(ends[1]);
    } else {
      assertThat(shown).isEqualTo(given);
    }
  }
}
