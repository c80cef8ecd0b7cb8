package io.nightsweep.cli;

import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Pace;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** A rehearsal's schedule as a table: wave, jobs, time, expected end, and what will not be done. */
final class PacingText {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

  /** A wave that runs in a smaller share of the nights gets no expected end. */
  private static final double SELDOM = 0.1;

  private static final int NARROWEST = 13;

  private PacingText() {}

  /**
   * @param start when the sweep starts, in the reader's time zone
   * @param enough if the given budget does not suffice, the result of the search for one that does
   */
  static List<String> lines(
      SweepSpec spec, Rehearsed r, ZonedDateTime start, Optional<Rehearsal.Sought> enough) {
    List<String> lines = new ArrayList<>();
    int width = r.pace().stream().mapToInt(p -> p.wave().length()).reduce(NARROWEST, Math::max);
    lines.add(row(width, "wave", "jobs", "takes", "until"));
    for (Pace pace : r.pace()) {
      lines.add(line(width, pace, start));
    }
    if (goesBack(r.pace())) {
      lines.add("each line shows the median of the nights that ran its wave");
    }
    if (spec.plan().has(Wave.Kind.CONFIRM)) {
      lines.add(
          text(
              "a confirmed gain of %.1f %% ends the search (policy.targetGain)",
              100 * spec.policy().targetGain()));
    }
    spec.policy()
        .plausibleGain()
        .ifPresent(
            limit ->
                lines.add(
                    text(
                        "a run that gains more than %.0f %% counts as broken until a person has"
                            + " looked at it (policy.plausibleGain)",
                        100 * limit)));
    for (Plan.NotApplicable wave : spec.plan().notApplicable()) {
      lines.add(text("not done: %s, %s", wave.wave(), Phrases.EN.text(wave.reason())));
    }
    List<String> notDone = r.notDone();
    if (!notDone.isEmpty()) {
      lines.add(
          text(
              "not completed: %s, since in most nights the budget of %s ends before",
              String.join(", ", notDone), budget(spec.budget())));
    }
    enough.map(PacingText::sought).ifPresent(lines::add);
    if (r.leftOut() > 0) {
      lines.add(leftOut(spec, r));
      if (spec.plan().has(Wave.Kind.CROSS_CHECK)) {
        lines.add(
            "cross-check: until a winner is confirmed, jobs are kept for it alone; the contender"
                + " behind it gets only jobs that are left");
      }
    }
    return lines;
  }

  /**
   * Whether some wave seems to end before the one above it; this happens for waves that run in only
   * a few nights.
   */
  private static boolean goesBack(List<Pace> pace) {
    List<Pace> shown = pace.stream().filter(p -> p.ran() >= SELDOM).toList();
    return IntStream.range(1, shown.size())
        .anyMatch(i -> shown.get(i).untilHours() < shown.get(i - 1).untilHours());
  }

  /** The jobs of candidates left out, including the controls that would run beside them. */
  private static String leftOut(SweepSpec spec, Rehearsed r) {
    int jobs = r.leftOut() + Math.ceilDiv(r.leftOut(), spec.policy().blockSize());
    return text(
        "left out: %d or more of %d candidates in half of the nights, the least promising ones;"
            + " about %d jobs (%s) more would run them",
        r.leftOut(), spec.candidates(), jobs, hours(jobs * r.assumptions().job().value() / 3600));
  }

  private static String sought(Rehearsal.Sought sought) {
    return switch (sought) {
      case Rehearsal.Sought.Found found ->
          "cheapest budget that is enough: " + budget(found.budget());
      case Rehearsal.Sought.Nowhere nowhere ->
          "no budget up to "
              + nowhere.times()
              + " times this one is enough; fewer candidates would help";
      case Rehearsal.Sought.Unfinished unfinished ->
          "the search for a budget that is enough took too long: more than "
              + (unfinished.times() > 1 ? text("%.0f times ", unfinished.times()) : "")
              + "this one";
    };
  }

  private static String line(int width, Pace pace, ZonedDateTime start) {
    if (pace.ran() < SELDOM) {
      return row(
          width,
          pace.wave(),
          "-",
          "-",
          pace.cut() > 0 ? "the budget ends before" : "only if the results call for it");
    }
    String until = CLOCK.format(start.plus(Hours.time(pace.untilHours())));
    return row(width, pace.wave(), text("%.0f", pace.jobs()), hours(pace.hours()), until)
        + (pace.ran() < 0.95 ? text(", in %.0f %% of nights", 100 * pace.ran()) : "")
        + (pace.cut() < SELDOM ? "" : text(", cut by the budget in %.0f %%", 100 * pace.cut()));
  }

  /** A table row; the first column fits the longest name of a wave. */
  private static String row(int width, String wave, String jobs, String takes, String until) {
    return text("%s %5s %11s  %s", wave + " ".repeat(width - wave.length()), jobs, takes, until);
  }

  static String hours(double hours) {
    return Figures.foretold(Hours.time(hours));
  }

  /** A budget in words, such as "60 jobs and 1 h 30 min". */
  static String budget(Budget budget) {
    List<String> limits = Figures.limits(budget);
    budget.until().ifPresent(u -> limits.add("until " + u));
    return limits.isEmpty() ? "no limit" : String.join(" and ", limits);
  }

  @SuppressWarnings("AnnotateFormatMethod") // All formats are literals of this class.
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
