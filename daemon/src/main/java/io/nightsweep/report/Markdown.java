package io.nightsweep.report;

import io.nightsweep.files.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Builds Markdown in which data cannot become markup: no name or log line can change the page's
 * structure.
 */
public final class Markdown {
  /**
   * Characters that may be markup anywhere. Parentheses and exclamation marks are not markup
   * without brackets.
   */
  private static final String SPECIAL = "\\`*_{}[]<>#|~&$";

  private final StringBuilder text = new StringBuilder();

  /** Text outside code, with all markup escaped. */
  public static String escape(String raw) {
    StringBuilder out = new StringBuilder();
    String line = Unseen.onOneLine(raw);
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (SPECIAL.indexOf(c) >= 0 || (c == '+' && out.toString().isBlank())) {
        out.append('\\');
      }
      out.append(c);
    }
    return out.toString();
  }

  /**
   * Code on one line, with a fence longer than any run of backticks in it. A line end within it is
   * shown as such; otherwise two commands would look like one.
   */
  public static String code(String raw) {
    String line = Unseen.onOneLine(raw.stripTrailing().replace("\n", "\\n")).replace("|", "\\|");
    if (line.isBlank()) {
      return "";
    }
    int longest = longestFence(line);
    String fence = "`".repeat(longest + 1);
    String space = longest > 0 ? " " : "";
    return fence + space + line + space + fence;
  }

  public Markdown heading(int level, String title) {
    text.append("#".repeat(level)).append(' ').append(title).append("\n\n");
    return this;
  }

  /** A paragraph of Markdown, escaped by the caller. */
  public Markdown paragraph(String markdown) {
    text.append(markdown).append("\n\n");
    return this;
  }

  public Markdown bullets(List<String> items) {
    items.forEach(item -> text.append("- ").append(item).append('\n'));
    text.append('\n');
    return this;
  }

  public Markdown table(List<String> header, List<List<String>> rows) {
    row(header);
    row(header.stream().map(h -> "---").toList());
    rows.forEach(this::row);
    text.append('\n');
    return this;
  }

  /** A block of code; its fence is longer than any in it. */
  public Markdown block(String language, String code) {
    String fence = code.contains("```") ? "`".repeat(longestFence(code) + 1) : "```";
    text.append(fence).append(language).append('\n').append(code);
    if (!code.endsWith("\n")) {
      text.append('\n');
    }
    text.append(fence).append("\n\n");
    return this;
  }

  public Markdown image(String title, String path) {
    text.append("![").append(escape(title)).append("](").append(path).append(")\n\n");
    return this;
  }

  @Override
  public String toString() {
    return text.toString().stripTrailing() + "\n";
  }

  private void row(List<String> cells) {
    text.append(new ArrayList<>(cells).stream().collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  private static int longestFence(String code) {
    int longest = 0;
    int run = 0;
    for (int i = 0; i < code.length(); i++) {
      run = code.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}
