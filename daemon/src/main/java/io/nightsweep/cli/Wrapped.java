package io.nightsweep.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Wraps a line between its words to fit a narrow terminal. */
final class Wrapped {
  private static final String FURTHER = "    ";

  /** A colour sequence, which occupies no columns. */
  private static final Pattern COLOUR = Pattern.compile("\033\\[[0-9;]*m");

  private Wrapped() {}

  /**
   * Splits the line into parts of at most this many columns; further parts are indented deeper than
   * the first. A longer word, such as a path, stays whole so that it can be copied.
   */
  static List<String> line(String text, int columns) {
    int indent = text.length() - text.stripLeading().length();
    return line(text, columns, text.substring(0, indent) + FURTHER);
  }

  /** The same with the given indentation for further parts. */
  static List<String> line(String text, int columns, String further) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    for (int end = end(rest, columns); end < rest.length(); end = end(rest, columns)) {
      int indent = rest.length() - rest.stripLeading().length();
      int cut = rest.lastIndexOf(' ', end);
      if (cut <= indent) {
        cut = rest.indexOf(' ', Math.max(indent, end));
      }
      if (cut < 0) {
        break;
      }
      lines.add(rest.substring(0, cut).stripTrailing());
      rest = further + rest.substring(cut).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  static String uncoloured(String text) {
    return COLOUR.matcher(text).replaceAll("");
  }

  /** The index at which the text fills this many columns; its length where it is shorter. */
  private static int end(String text, int columns) {
    if (text.length() <= columns) {
      return text.length();
    }
    Matcher colour = COLOUR.matcher(text);
    int end = columns;
    while (colour.find() && colour.start() <= end) {
      end += colour.end() - colour.start();
    }
    return Math.min(end, text.length());
  }
}
