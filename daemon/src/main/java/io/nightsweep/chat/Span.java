package io.nightsweep.chat;

import io.nightsweep.files.Unseen;

/** A run of text in one style; invisible characters in it become spaces. */
record Span(String text, Style style) {
  enum Style {
    PLAIN,
    BOLD,
    CODE
  }

  Span {
    text = Unseen.onOneLine(text);
  }

  /** Text for Telegram's HTML mode, in which only these three characters are markup. */
  String html() {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return switch (style) {
      case PLAIN -> escaped;
      case BOLD -> escaped.isBlank() ? escaped : "<b>" + escaped + "</b>";
      case CODE -> escaped.isBlank() ? escaped : "<code>" + escaped + "</code>";
    };
  }
}
