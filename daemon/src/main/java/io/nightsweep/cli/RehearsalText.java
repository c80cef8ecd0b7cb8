package io.nightsweep.cli;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.report.Figures;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.NoiseFamily;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.SweepSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** A rehearsal as lines of text. */
final class RehearsalText {
  private static final int BAR = 30;

  /**
   * The largest gain shown: with a budget that finds nothing, the rehearsal tries gains far beyond
   * what settings can bring.
   */
  private static final double LARGEST_SHOWN = 1;

  /** A program with unmeasured noise may well have this many times the usual noise. */
  private static final double NOISIER = 3;

  private static final String[] EIGHTHS = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

  private RehearsalText() {}

  /**
   * @param pacing rows of the schedule table
   */
  static List<String> lines(SweepSpec sweep, Rehearsed r, List<String> pacing) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s %s on %s, %d candidates, rehearsed in %d nights"
            .formatted(
                sweep.cell().model(),
                sweep.cell().parallelism(),
                Hostlist.format(sweep.cell().nodes()),
                sweep.candidates(),
                r.nights()));
    Assumptions a = r.assumptions();
    lines.add(text("taken as   noise %.2f %% (%s)", 100 * a.noise().value(), a.noise().from()));
    if (!a.families().equals(List.of(NoiseFamily.USUAL))) {
      lines.add(
          "           and "
              + a.families().stream().map(NoiseFamily::toString).collect(Collectors.joining(", ")));
    }
    lines.add(
        text("           a job %s (%s)", PacingText.hours(a.job().value() / 3600), a.job().from()));
    lines.add(
        text(
            "           %.0f %% of jobs fail once (%s)",
            100 * a.flakes().value(), a.flakes().from()));
    if (a.hangs().value() > 0) {
      lines.add(
          text("           %.0f %% of jobs hang (%s)", 100 * a.hangs().value(), a.hangs().from()));
    }
    if (a.inert().value() > 0) {
      lines.add(
          text(
              "           %.0f %% of the flags that the HLO shows whole change nothing (%s)",
              100 * a.inert().value(), a.inert().from()));
    }
    lines.add("");
    lines.add("                 median   nine of ten nights");
    lines.add(spread("jobs", r.jobs(), jobs -> text("%.0f", jobs)));
    lines.add(spread("time", r.hours(), PacingText::hours));
    lines.add(spread("node-hours", r.nodeHours(), Figures::nodeHours));
    lines.add("");
    lines.add(smallest(r));
    r.power().stream()
        .filter(chance -> chance.gain() <= LARGEST_SHOWN)
        .forEach(chance -> lines.add(bar(chance)));
    lines.add("");
    lines.addAll(pacing);
    lines.add("");
    lines.add(
        text("The night ends before the plan does in %.0f %% of nights.", 100 * r.cutShort()));
    if (!r.cut().isEmpty()) {
      lines.add(
          "Cut then: "
              + r.cut().entrySet().stream()
                  .map(e -> text("%s (%.0f %%)", e.getKey(), 100 * e.getValue()))
                  .collect(Collectors.joining(", "))
              + ". More budget, fewer candidates or shorter jobs would help.");
    }
    if (r.falseWinners() > 0) {
      lines.add(
          text(
              "A profile that does nothing won in %d of %d nights.", r.falseWinners(), r.nights()));
    }
    return lines;
  }

  /**
   * A few simulated nights in one line, for a sweep that starts.
   *
   * @param smallestGain that is found, as a fraction: estimated where the nights are too few to
   *     show it, infinite where none is found
   */
  static String line(Rehearsed r, double smallestGain) {
    return text(
        "about %.0f jobs (%.0f to %.0f), %s, %s node-hours; %s"
            + " (%d simulated nights at %.2f %% noise, %s a job)%s",
        r.jobs().median(),
        r.jobs().low(),
        r.jobs().high(),
        PacingText.hours(r.hours().median()),
        Figures.nodeHours(r.nodeHours().median()),
        Double.isFinite(smallestGain)
            ? text("gains of about %.1f %% and more are found", 100 * smallestGain)
            : "no gain that was tried is found",
        r.nights(),
        100 * r.assumptions().noise().value(),
        PacingText.hours(r.assumptions().job().value() / 3600),
        r.isCarried() ? "" : "; the budget is likely to end before the plan does");
  }

  /**
   * What to do about a sweep that finds nothing in its simulated nights.
   *
   * @param enough the result of a search for a sufficient budget
   */
  static String hopeless(Optional<Rehearsal.Sought> enough) {
    return "no gain that was tried is found in its simulated nights, so this one is likely to find"
        + " nothing; "
        + enough
            .filter(Rehearsal.Sought.Found.class::isInstance)
            .map(Rehearsal.Sought.Found.class::cast)
            .map(f -> "give it more while it runs: nightsweep budget" + options(f.budget()))
            .orElse("'nightsweep rehearse' looks for a budget that is enough");
  }

  /**
   * A caveat for a forecast based on an assumed noise; empty where the noise was measured, or where
   * no gain is found anyway.
   */
  static Optional<String> assumed(Rehearsal rehearsal, Assumptions a, double smallestGain) {
    double noise = a.noise().value();
    return a.assumesNoise() && Double.isFinite(smallestGain)
        ? Optional.of(
            text(
                "the noise of %.2f %% is assumed, since nothing has run yet; at %.0f times that,"
                    + " gains of about %.1f %% and more would be found",
                100 * noise, NOISIER, 100 * rehearsal.smallestGain(smallestGain, NOISIER * noise)))
        : Optional.empty();
  }

  /** Command-line options for at least this budget. */
  static String options(Budget budget) {
    return budget.jobs().map(jobs -> " --jobs " + jobs).orElse("")
        + budget.duration().map(d -> " --hours " + Hours.roundedUp(Hours.of(d))).orElse("")
        + budget.nodeHours().map(hours -> " --node-hours " + Hours.roundedUp(hours)).orElse("");
  }

  private static String smallest(Rehearsed r) {
    if (!Double.isFinite(r.smallestGain())) {
      return "No gain that was tried is found in four of five nights: the budget is too small.";
    }
    return text(
        "Smallest gain found and confirmed in 80 %% of nights: %+.2f %% (%s to %s)",
        100 * r.smallestGain(), percent(r.smallestGainLow()), percent(r.smallestGainHigh()));
  }

  private static String percent(double gain) {
    return Double.isFinite(gain) ? text("%+.2f %%", 100 * gain) : "beyond what was tried";
  }

  private static String spread(String what, Rehearsed.Spread s, DoubleFunction<String> figure) {
    return text(
        "%-11s %11s   %s to %s",
        what, figure.apply(s.median()), figure.apply(s.low()), figure.apply(s.high()));
  }

  private static String bar(Rehearsed.Chance chance) {
    int eighths = (int) Math.round(chance.found() * BAR * 8);
    String bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
    return text("  %+6.2f %%  %-30s %3.0f %%", 100 * chance.gain(), bar, 100 * chance.found());
  }

  @SuppressWarnings("AnnotateFormatMethod") // All formats are literals of this class.
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
