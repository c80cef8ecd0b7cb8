package io.nightsweep.report;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Formats figures, the same in every language. */
public final class Figures {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private static final double FROM_WHERE_WHOLE = 1000;

  private Figures() {}

  static String percent(double logGain) {
    return Double.isFinite(logGain) ? signed(Interval.percent(logGain), 2) + " %" : "-";
  }

  static String interval(Interval interval, Phrases t) {
    return Double.isFinite(interval.low()) && Double.isFinite(interval.high())
        ? t.text(
            "interval.text", signed(interval.lowPercent(), 2), signed(interval.highPercent(), 2))
        : "-";
  }

  /** An interval within a sentence, with words instead of a dash for an unknown one. */
  static String inASentence(Interval interval, Phrases t) {
    String text = interval(interval, t);
    return text.equals("-") ? t.text("interval.none") : text;
  }

  /** A gain in percent; one in the thousands has no decimals. */
  public static String signed(double percent, int decimals) {
    return Math.abs(percent) < FROM_WHERE_WHOLE
        ? String.format(Locale.ROOT, "%+." + decimals + "f", percent)
        : String.format(Locale.ROOT, "%+,.0f", percent);
  }

  /** Five significant digits, in thousands where that reads better. */
  public static String value(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    String[] scales = {"", "k", "M", "G", "T", "P"};
    int scale = 0;
    double scaled = value;
    // Up to four digits are readable without a scale; a scaled figure has one to three.
    if (Math.abs(value) >= 10_000) {
      while (Math.abs(scaled) >= 1000 && scale < scales.length - 1) {
        scaled /= 1000;
        scale++;
      }
    }
    return String.format(
        Locale.ROOT, Math.abs(scaled) >= 100 ? "%.1f%s" : "%.4g%s", scaled, scales[scale]);
  }

  /** Four significant digits, in thousands where that reads better, without trailing zeros. */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    String text = value(value);
    int unit = Character.isLetter(text.charAt(text.length() - 1)) ? 1 : 0;
    String digits = text.substring(0, text.length() - unit);
    return (digits.contains(".") ? digits.replaceFirst("\\.?0+$", "") : digits)
        + text.substring(text.length() - unit);
  }

  static String time(Instant at) {
    return TIME.format(at);
  }

  /** A duration: exact to the second, from an hour on to the minute. */
  public static String duration(Duration d) {
    return d.toHours() > 0
        ? "%d h %02d min".formatted(d.toHours(), d.toMinutesPart())
        : d.toMinutes() > 0
            ? "%d min %02d s".formatted(d.toMinutes(), d.toSecondsPart())
            : seconds(d.toNanos() / 1e9);
  }

  /** A forecast duration: from a minute on exact only to the minute. */
  public static String foretold(Duration d) {
    long minutes = d.plusSeconds(30).toMinutes();
    return d.toMinutes() == 0
        ? duration(d)
        : minutes < 60 ? minutes + " min" : duration(Duration.ofMinutes(minutes));
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, seconds < 1 ? "%.2g s" : "%.1f s", seconds);
  }

  /** Two decimals, or three below 1, without trailing zeros. */
  public static String nodeHours(double hours) {
    if (!Double.isFinite(hours)) {
      return "-";
    }
    BigDecimal rounded =
        BigDecimal.valueOf(hours).setScale(hours < 1 ? 3 : 2, RoundingMode.HALF_UP);
    return rounded.stripTrailingZeros().toPlainString();
  }

  /** A number with its noun, such as {@code 1 run} and {@code 2 runs}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** The limits of a budget, except the hour at which it ends. */
  public static List<String> limits(Budget budget) {
    List<String> limits = new ArrayList<>();
    budget.jobs().ifPresent(jobs -> limits.add(count(jobs, "job")));
    budget.duration().ifPresent(d -> limits.add(duration(d)));
    budget.nodeHours().ifPresent(hours -> limits.add(nodeHours(hours) + " node-hours"));
    return limits;
  }

  static String phrase(Verdict verdict) {
    return verdict instanceof Verdict.Neutral neutral
        ? String.format(Locale.ROOT, "neutral within ±%.2g %%", 100 * neutral.margin())
        : word(verdict);
  }

  /** A profile's verdict in words, with a note if the profile changes what is trained. */
  public static String phrase(SweepState s, Standing st, Phrases t) {
    Event.ProfileDropped left = s.dropped().get(st.profile());
    if (left != null && st.verdict() instanceof Verdict.Undecided) {
      return left.why() instanceof Cause.FailedAs failed
          ? t.text("verdict.set-aside", failed.failureClass())
          : t.word("cause", left.cause());
    }
    String word = t.text("verdict." + word(st.verdict()));
    String verdict =
        st.verdict() instanceof Verdict.Neutral neutral
            ? t.text(
                "verdict.within", word, String.format(Locale.ROOT, "%.2g", 100 * neutral.margin()))
            : word;
    Set<String> moved = WhatIsTrained.moved(s.profile(st.profile()));
    return moved.isEmpty() ? verdict : t.text("verdict.moving", verdict, String.join(", ", moved));
  }

  public static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Win v -> "win";
      case Verdict.Loss v -> "loss";
      case Verdict.Neutral v -> "neutral";
      case Verdict.Undecided v -> "undecided";
      case Verdict.Unsafe v -> "unsafe";
    };
  }
}
