package io.nightsweep.chat;

import io.nightsweep.journal.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One line of a message. Text in it cannot become markup, which is added only on rendering. */
record MessageLine(List<Span> spans) {
  static final MessageLine EMPTY = new MessageLine(List.of());

  MessageLine {
    spans = List.copyOf(spans);
  }

  static MessageLine of(String plain) {
    return EMPTY.plain(plain);
  }

  static MessageLine title(String bold) {
    return EMPTY.bold(bold);
  }

  MessageLine plain(String text) {
    return with(new Span(text, Span.Style.PLAIN));
  }

  MessageLine bold(String text) {
    return with(new Span(text, Span.Style.BOLD));
  }

  /** Adds code: an identifier or machine output. */
  MessageLine code(String text) {
    return with(new Span(text, Span.Style.CODE));
  }

  /** Identifiers separated by commas. */
  MessageLine codes(List<String> texts) {
    MessageLine line = this;
    for (int i = 0; i < texts.size(); i++) {
      line = (i == 0 ? line : line.plain(", ")).code(texts.get(i));
    }
    return line;
  }

  private MessageLine with(Span span) {
    if (span.text().isEmpty()) {
      return this;
    }
    List<Span> more = new ArrayList<>(spans);
    more.add(span);
    return new MessageLine(more);
  }

  /** Masks each span separately, so that markup is not affected. */
  MessageLine masked(Redaction redaction) {
    return new MessageLine(
        spans.stream().map(s -> new Span(redaction.of(s.text()), s.style())).toList());
  }

  /** The length as Telegram counts it: UTF-16 units without markup. */
  int length() {
    return spans.stream().mapToInt(s -> s.text().length()).sum();
  }

  String html() {
    return spans.stream().map(Span::html).collect(Collectors.joining());
  }

  String text() {
    return spans.stream().map(Span::text).collect(Collectors.joining());
  }

  /**
   * Pieces of at most {@code limit} units; styles continue in the next piece, and characters are
   * not split.
   */
  List<MessageLine> cut(int limit) {
    List<MessageLine> pieces = new ArrayList<>();
    MessageLine piece = EMPTY;
    for (Span span : spans) {
      String rest = span.text();
      while (piece.length() + rest.length() > limit) {
        int at = Math.max(0, limit - piece.length());
        if (at > 0 && Character.isHighSurrogate(rest.charAt(at - 1))) {
          at--;
        }
        pieces.add(piece.with(new Span(rest.substring(0, at), span.style())));
        piece = EMPTY;
        rest = rest.substring(at);
      }
      piece = piece.with(new Span(rest, span.style()));
    }
    pieces.add(piece);
    return pieces;
  }
}
