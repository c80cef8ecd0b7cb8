package io.nightsweep.chat;

/** A run of text in one style; control characters in it are spaces. */
record Span(String text, Style style) {
  enum Style {
    PLAIN,
    BOLD,
    CODE
  }

  Span {
    text =
        text.codePoints()
            .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? ' ' : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
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
