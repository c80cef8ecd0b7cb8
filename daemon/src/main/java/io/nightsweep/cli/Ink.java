package io.nightsweep.cli;

import io.nightsweep.report.Figures;
import java.nio.charset.Charset;
import java.util.Map;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * What a terminal can show: characters beyond ASCII, and colours.
 *
 * @param blocks whether its encoding has block and line characters
 */
record Ink(boolean blocks, boolean colours) {
  enum Tone {
    PLAIN,
    STRONG,
    FAINT,
    GOOD,
    BAD,
    WARNING,
    ACTIVE,
    /** The row that the keys act on. */
    CHOSEN
  }

  private static final String SPARKS = "▁▂▃▄▅▆▇█";
  private static final String ASCII_SPARKS = "._-=+*#@";

  /** ASCII substitutes for other characters; a character not listed becomes '?'. */
  private static final Map<Character, String> ASCII =
      Map.ofEntries(
          Map.entry('█', "#"),
          Map.entry('░', "-"),
          Map.entry('▒', ">"),
          Map.entry('▓', "x"),
          Map.entry('·', "."),
          Map.entry('━', "-"),
          Map.entry('●', "o"),
          Map.entry('┃', "|"),
          Map.entry('…', "~"),
          Map.entry('▸', ">"),
          Map.entry('★', "*"),
          Map.entry('±', "+-"),
          Map.entry('µ', "u"),
          Map.entry('×', "x"),
          Map.entry('Δ', "delta"),
          Map.entry('⭐', "*"),
          Map.entry('⋆', "*"),
          Map.entry('\u2013', "-"),
          Map.entry('\u2018', "'"),
          Map.entry('\u2019', "'"),
          Map.entry('▉', "#"),
          Map.entry('▊', "#"),
          Map.entry('▋', "#"),
          Map.entry('▌', "#"),
          Map.entry('▍', " "),
          Map.entry('▎', " "),
          Map.entry('▏', " "));

  /**
   * @param environment a non-empty {@code NO_COLOR} in it turns colours off (no-color.org)
   */
  static Ink of(Charset encoding, Map<String, String> environment) {
    return new Ink(
        encoding.newEncoder().canEncode('█'), environment.getOrDefault("NO_COLOR", "").isEmpty());
  }

  AttributedStyle style(Tone tone) {
    AttributedStyle plain = AttributedStyle.DEFAULT;
    return switch (tone) {
      case PLAIN -> plain;
      case STRONG -> plain.bold();
      case FAINT -> plain.faint();
      case GOOD -> coloured(AttributedStyle.GREEN);
      case BAD -> coloured(AttributedStyle.RED).bold();
      case WARNING -> coloured(AttributedStyle.YELLOW).bold();
      case ACTIVE -> coloured(AttributedStyle.CYAN);
      case CHOSEN -> plain.inverse();
    };
  }

  private AttributedStyle coloured(int colour) {
    return colours ? AttributedStyle.DEFAULT.foreground(colour) : AttributedStyle.DEFAULT;
  }

  /** The text in characters that the terminal can show. */
  String text(String text) {
    if (blocks || text.chars().allMatch(c -> c < 127)) {
      return text;
    }
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int spark = SPARKS.indexOf(c);
      ascii.append(
          c < 127
              ? String.valueOf(c)
              : ASCII.getOrDefault(
                  c, spark < 0 ? "?" : String.valueOf(ASCII_SPARKS.charAt(spark))));
    }
    return ascii.toString();
  }

  AttributedString line(String text, Tone tone) {
    return new AttributedString(text(text), style(tone));
  }

  /** Cuts the line at the width in columns, with a mark at the cut. */
  AttributedString fit(AttributedString line, int width) {
    return line.columnLength() <= width
        ? line
        : new AttributedStringBuilder()
            .append(line.columnSubSequence(0, Math.max(0, width - 1)))
            .append(text("…"))
            .toAttributedString();
  }

  /**
   * The last values as one line of at most {@code width} bars, scaled between their minimum and
   * maximum.
   */
  String spark(double[] values, int width) {
    int from = Math.max(0, values.length - width);
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = from; i < values.length; i++) {
      if (Double.isFinite(values[i])) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    StringBuilder bars = new StringBuilder();
    for (int i = from; i < values.length; i++) {
      double height = high > low ? (values[i] - low) / (high - low) : 0.5;
      bars.append(
          Double.isFinite(values[i])
              ? SPARKS.charAt((int) Math.round(height * (SPARKS.length() - 1)))
              : ' ');
    }
    return bars.toString();
  }

  /** A bar that is filled by a share of the width, such as progress. */
  static String bar(double share, int width) {
    int full = (int) Math.round(Math.clamp(share, 0, 1) * width);
    return "█".repeat(full) + "░".repeat(Math.max(0, width - full));
  }

  static String percent(double percent) {
    return Double.isFinite(percent) ? Figures.signed(percent, 1) + " %" : "-";
  }
}
