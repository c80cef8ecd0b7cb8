package io.nightsweep.cli;

import java.util.ArrayList;
import java.util.List;

/** Breaks a line between its words where a terminal is narrower than it. */
final class Wrapped {
  private static final String FURTHER = "    ";

  private Wrapped() {}

  /**
   * The line in parts of at most so many columns, the further ones indented deeper than the first.
   * A word that is longer, such as a path, stays whole so that it can be copied.
   */
  static List<String> line(String text, int columns) {
    int indent = text.length() - text.stripLeading().length();
    return line(text, columns, text.substring(0, indent) + FURTHER);
  }

  /** The same with this indentation before each further part. */
  static List<String> line(String text, int columns, String further) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > columns) {
      int indent = rest.length() - rest.stripLeading().length();
      int cut = rest.lastIndexOf(' ', columns);
      if (cut <= indent) {
        cut = rest.indexOf(' ', Math.max(indent, columns));
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
}
