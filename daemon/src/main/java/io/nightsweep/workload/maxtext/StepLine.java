package io.nightsweep.workload.maxtext;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of one {@code completed step: N, seconds: S, ...}. Fields are matched by their whole
 * names, so that {@code main_model_loss} and the like are not taken for the loss.
 *
 * @param tgs tokens per second per device; NaN while the batch size ramps up and it is not printed
 * @param tflops per second per device; NaN where not printed
 * @param loss NaN or infinite where it diverged; every MaxText prints it after the figures
 */
record StepLine(int step, double seconds, double tgs, double tflops, OptionalDouble loss) {
  static final String START = "completed step: ";

  private static final String SEPARATOR = ", ";

  /**
   * Reads from the text after {@link #START} to the line's end. Empty where the line is cut off,
   * which the missing loss shows: the rest of a number would look like a figure. Empty also where a
   * figure is negative, which no training prints.
   */
  static Optional<StepLine> parse(String text, int from, int to) {
    double step = Double.NaN;
    double seconds = Double.NaN;
    double tgs = Double.NaN;
    double tflops = Double.NaN;
    OptionalDouble loss = OptionalDouble.empty();
    int at = from;
    boolean first = true;
    while (at < to) {
      int end = text.indexOf(SEPARATOR, at, to);
      end = end < 0 ? to : end;
      int colon = first ? at - 2 : text.indexOf(": ", at, end);
      if (colon >= 0 || first) {
        String name = first ? "step" : text.substring(at, colon);
        int value = colon + 2;
        switch (name) {
          case "step" -> step = number(text, value, end);
          case "seconds" -> seconds = number(text, value, end);
          case "Tokens/s/device" -> tgs = number(text, value, end);
          case "TFLOP/s/device" -> tflops = number(text, value, end);
          case "loss" -> loss = read(text, value, end);
          default -> {
            // other fields: total_weights, MFU, main_model_loss, mtp_loss, moe_lb_loss, perplexity
          }
        }
      }
      first = false;
      at = end + SEPARATOR.length();
    }
    return step >= 0
            && step <= Integer.MAX_VALUE
            && seconds >= 0
            && !(tgs < 0)
            && !(tflops < 0)
            && loss.isPresent()
        ? Optional.of(new StepLine((int) step, seconds, tgs, tflops, loss))
        : Optional.empty();
  }

  private static double number(String text, int from, int to) {
    return read(text, from, to).orElse(Double.NaN);
  }

  /**
   * The number at the field's beginning, possibly NaN; empty where there is none, or where it has
   * another locale's comma.
   */
  private static OptionalDouble read(String text, int from, int to) {
    int start = Math.min(from, to);
    while (start < to && text.charAt(start) == ' ') {
      start++;
    }
    int end = start;
    while (end < to && isOfNumber(text.charAt(end))) {
      end++;
    }
    String word = end < to && text.charAt(end) == ',' ? "" : text.substring(start, end);
    return endsAsNumber(word) ? parsed(word) : special(word);
  }

  private static boolean endsAsNumber(String word) {
    char last = word.isEmpty() ? ' ' : word.charAt(word.length() - 1);
    return (last >= '0' && last <= '9') || last == '.';
  }

  private static OptionalDouble special(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> OptionalDouble.of(Double.NaN);
      case "inf", "+inf", "infinity" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
      default -> parsed(word);
    };
  }

  private static OptionalDouble parsed(String word) {
    try {
      return word.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(word));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private static boolean isOfNumber(char c) {
    return (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '+'
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z');
  }
}
