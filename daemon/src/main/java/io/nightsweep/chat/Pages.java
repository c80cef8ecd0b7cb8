package io.nightsweep.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Splits lines into messages that Telegram accepts. */
final class Pages {
  /** Telegram's limit for a message, in UTF-16 units after the markup is parsed. */
  static final int MESSAGE = 4096;

  /** Telegram's limit for the caption of a picture or a document. */
  static final int CAPTION = 1024;

  /** Room for {@code [1234/5678]} and a space. */
  private static final int NUMBERING = 12;

  /** A limit, since nobody reads more in a chat; the report has everything. */
  static final int MOST_PAGES = 10;

  private Pages() {}

  /**
   * Splits at line ends and numbers several pages {@code [i/n]}. If a text needs more than ten
   * pages, its middle is left out.
   */
  static List<List<MessageLine>> of(List<MessageLine> lines, int limit) {
    if (length(lines) <= limit) {
      return List.of(List.copyOf(lines));
    }
    int room = limit - NUMBERING;
    List<List<MessageLine>> pages = new ArrayList<>();
    List<MessageLine> page = new ArrayList<>();
    for (MessageLine line : lines.stream().flatMap(l -> l.cut(room).stream()).toList()) {
      if (!page.isEmpty() && length(page) + 1 + line.length() > room) {
        pages.add(page);
        page = new ArrayList<>();
      }
      page.add(line);
    }
    pages.add(page);
    if (pages.size() > MOST_PAGES) {
      int leftOut = pages.size() - MOST_PAGES + 1;
      List<List<MessageLine>> kept = new ArrayList<>(pages.subList(0, MOST_PAGES / 2));
      kept.add(
          new ArrayList<>(List.of(MessageLine.of("(" + leftOut + " pages are left out here)"))));
      kept.addAll(pages.subList(pages.size() - (MOST_PAGES - kept.size()), pages.size()));
      pages = kept;
    }
    for (int i = 0; i < pages.size(); i++) {
      List<MessageLine> numbered = pages.get(i);
      List<Span> spans = new ArrayList<>();
      spans.add(new Span("[%d/%d] ".formatted(i + 1, pages.size()), Span.Style.PLAIN));
      spans.addAll(numbered.getFirst().spans());
      numbered.set(0, new MessageLine(spans));
    }
    return pages.stream().map(List::copyOf).toList();
  }

  static int length(List<MessageLine> lines) {
    return lines.stream().mapToInt(MessageLine::length).sum() + Math.max(0, lines.size() - 1);
  }

  static String html(List<MessageLine> lines) {
    return lines.stream().map(MessageLine::html).collect(Collectors.joining("\n"));
  }

  static String text(List<MessageLine> lines) {
    return lines.stream().map(MessageLine::text).collect(Collectors.joining("\n"));
  }
}
