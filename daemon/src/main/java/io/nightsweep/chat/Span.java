package io.nightsweep.chat;

import io.nightsweep.files.Unseen;

/** A run of text in one style; unseen characters in it are spaces. */
record Span(String text, Style style) {
  enum Style {
    PLAIN,
    BOLD,
    CODE
  }

  Span {
    text = Unseen.onOneLine(text);
  }

  /** For Telegram's HTML mode, in which these three characters alone are markup. */
  String html() {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return switch (style) {
      case PLAIN -> escaped;
      case BOLD -> escaped.isBlank() ? escaped : "<b>" + escaped + "</b>";
      case CODE -> escaped.isBlank() ? escaped : "<code>" + escaped + "</code>";
    };
  }
}
