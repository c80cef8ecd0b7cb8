package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The leaderboard and the sections that explain it. */
final class BoardSection {
  /** The rows of the procedure's table: the eight best and the five worst profiles. */
  private static final int BEST = 8;

  private static final int WORST = 5;

  private final PageView v;
  private final SweepState s;
  private final Phrases t;
  private final Markdown page;
  private final List<Charts.Chart> charts;

  BoardSection(PageView v, Markdown page, List<Charts.Chart> charts) {
    this.v = v;
    this.page = page;
    this.charts = charts;
    s = v.s();
    t = v.t();
  }

  /**
   * The effect of the environment file on every config tag, since the file may have been tuned for
   * another parallelism. Absent where the sweep has no baseline without the file.
   */
  void environmentEffect() {
    if (s.spec().profile(Profile.BASELINE_NO_ENV).isEmpty()) {
      return;
    }
    page.heading(
        2,
        t.text(
            "environment",
            v.environmentFile().map(Markdown::code).orElseGet(() -> t.text("environment.deployed")),
            escape(s.cell().parallelism())));
    List<List<String>> rows = new ArrayList<>();
    for (ConfigTag tag : s.spec().configTags()) {
      Standings.board(s, tag.name())
          .of(Profile.BASELINE_NO_ENV)
          .ifPresent(
              st ->
                  rows.add(
                      List.of(
                          code(tag.name()),
                          Figures.value(CountedRuns.on(s, tag.name()).mean(Profile.BASELINE)),
                          Figures.value(
                              CountedRuns.on(s, tag.name()).mean(Profile.BASELINE_NO_ENV)),
                          Figures.percent(Standings.publishedLogGain(st)),
                          v.interval(st.verdict().interval()),
                          Integer.toString(st.estimate().runs()),
                          v.phrase(st))));
    }
    if (rows.isEmpty()) {
      page.paragraph(t.text("environment.none", code(Profile.BASELINE_NO_ENV)));
      return;
    }
    page.table(
        List.of(
            t.text("tag"),
            code(Profile.BASELINE),
            code(Profile.BASELINE_NO_ENV),
            t.text("delta"),
            t.text("interval"),
            t.text("runs"),
            t.text("verdict")),
        rows);
    page.paragraph(t.text("environment.note", code(Profile.BASELINE_NO_ENV)));
  }

  void leaderboard() {
    page.heading(2, t.text("leaderboard"));
    List<List<String>> rows = new ArrayList<>();
    shown().forEach(st -> rows.add(row(st)));
    rows.add(
        cells(
            code(Profile.BASELINE),
            "-",
            Profile.BASELINE,
            "0",
            "-",
            Integer.toString(v.board().noise().controls()),
            t.text("baseline")));
    List<String> header = new ArrayList<>();
    header.add(t.text("profile"));
    header.add(v.settings());
    header.add(t.text("mean", escape(s.spec().metric().unit())));
    if (hasSteps()) {
      header.add(t.text("step"));
    }
    header.addAll(List.of(t.text("delta"), t.text("interval"), t.text("runs"), t.text("verdict")));
    page.table(header, rows);
    if (v.board().standings().size() > BEST + WORST) {
      page.paragraph(t.text("leaderboard.shown", BEST, WORST, v.board().standings().size()));
    }
    page.paragraph(t.text("leaderboard.runs"));
    page.paragraph(
        t.text(
            "leaderboard.note",
            String.format(Locale.ROOT, "%.0f", 100 * (1 - s.spec().policy().familyWiseError()))));
    for (String chart : List.of(Charts.STEPS, Charts.MEMORY, Charts.TIMELINE)) {
      image(page, charts, chart);
    }
  }

  private List<String> row(Standing st) {
    return cells(
        (v.isWinner(st) && !v.isHeldBack() ? "⭐ " : "") + code(st.profile()),
        code(s.profile(st.profile()).describe()),
        st.profile(),
        Figures.percent(Standings.publishedLogGain(st)),
        v.interval(st.verdict().interval()),
        Integer.toString(st.estimate().runs()),
        v.phrase(st));
  }

  /**
   * A profile's row; the third cell is its mean, followed by its step time if the workload times
   * its steps.
   */
  private List<String> cells(String name, String flags, String profile, String... others) {
    List<String> cells = new ArrayList<>(List.of(name, flags, Figures.value(v.mean(profile))));
    if (hasSteps()) {
      cells.add(Figures.value(v.stepSeconds(profile)));
    }
    cells.addAll(List.of(others));
    return cells;
  }

  /** Whether steps have durations; a workload may print only values. */
  private boolean hasSteps() {
    return v.stepSeconds(Profile.BASELINE) > 0;
  }

  private List<Standing> shown() {
    List<Standing> all = v.board().standings();
    return all.size() <= BEST + WORST
        ? all
        : Stream.concat(
                all.subList(0, BEST).stream(), all.subList(all.size() - WORST, all.size()).stream())
            .toList();
  }

  void crossChecks() {
    if (s.spec().configTags().size() < 2 || v.winner().isEmpty()) {
      return;
    }
    page.heading(2, t.text("cross"));
    String winner = v.winner().get().profile();
    List<List<String>> rows =
        CrossCheck.of(s, v.winner()).stream().map(check -> crossCheck(check)).toList();
    boolean conditional =
        s.spec().configTags().stream().anyMatch(tag -> !PageView.holds(s, winner, tag));
    page.table(
        List.of(
            t.text("profile"),
            t.text("tag"),
            code(Profile.BASELINE),
            t.text("mean", escape(s.spec().metric().unit())),
            t.text("delta"),
            t.text("interval"),
            t.text("runs"),
            t.text("recipe")),
        rows);
    if (conditional) {
      page.paragraph(t.text("conditional"));
    }
  }

  private List<String> crossCheck(CrossCheck check) {
    return List.of(
        code(check.profile()),
        code(check.tag()),
        Figures.value(check.baselineMean()),
        Figures.value(check.mean()),
        Figures.percent(check.logGain()),
        v.interval(check.interval()),
        Integer.toString(check.runs()),
        t.text(check.holding()));
  }

  /**
   * Profiles that lost, gained too little, or never finished, so that later sweeps do not repeat
   * them.
   */
  void negatives() {
    List<String> lines = new ArrayList<>();
    v.board().standings().stream()
        .filter(st -> isNegative(st))
        .sorted(Comparator.comparingDouble(st -> st.estimate().logGain()))
        .forEach(
            st ->
                lines.add(
                    t.text(
                        negative(st),
                        code(st.profile()),
                        code(s.profile(st.profile()).describe()),
                        Figures.percent(Standings.publishedLogGain(st)),
                        v.inASentence(st.verdict().interval()),
                        st.estimate().runs())));
    s.dropped().values().stream()
        .filter(d -> v.board().of(d.profile()).filter(this::isNegative).isEmpty())
        .sorted(Comparator.comparing(Event.ProfileDropped::profile))
        .forEach(
            d ->
                lines.add(
                    t.text(
                        "dropped.line",
                        code(d.profile()),
                        code(s.profile(d.profile()).describe()),
                        t.word("cause", d.cause()),
                        reason(d) + mark(d.profile()))));
    lines.addAll(neverRight());
    page.heading(2, t.text("negatives"));
    if (lines.isEmpty()) {
      page.paragraph(t.text("negatives.none"));
    } else {
      page.bullets(lines);
    }
  }

  /** Profiles with failed jobs in a sweep that ended before they were dropped for it. */
  private List<String> neverRight() {
    return s.trials().values().stream()
        .filter(tr -> tr.disposition().filter(Disposition.Failed.class::isInstance).isPresent())
        .map(tr -> tr.trial().profile())
        .distinct()
        .filter(profile -> !profile.equals(Profile.BASELINE) && !s.isDropped(profile))
        .filter(profile -> v.board().of(profile).isEmpty())
        .map(
            profile ->
                t.text(
                    "dropped.line",
                    code(profile),
                    code(s.profile(profile).describe()),
                    t.text("cause.failed"),
                    escape(failure(profile)) + mark(profile)))
        .toList();
  }

  /** The latest failure of a profile that has one. */
  private String failure(String profile) {
    return s.trials().values().stream()
        .filter(tr -> tr.trial().profile().equals(profile))
        .flatMap(tr -> tr.disposition().stream())
        .filter(Disposition.Failed.class::isInstance)
        .map(Disposition.Failed.class::cast)
        .map(failed -> failed.failureClass() + ": " + t.text(failed.detail()))
        .reduce("", (earlier, later) -> later);
  }

  /**
   * The phrase for a negative result. A profile may look better now than when it was dropped, since
   * runs that were under way have ended since.
   */
  private String negative(Standing st) {
    if (st.verdict() instanceof Verdict.Loss) {
      return "negative.hurts";
    }
    double worthwhile = Math.log1p(s.spec().policy().worthwhileGain());
    return Standings.publishedLogGain(st) < worthwhile ? "negative.no-gain" : "negative.then";
  }

  /** The reason why a profile left; if the workload cannot run it, in the workload's own words. */
  private String reason(Event.ProfileDropped d) {
    return d.why() instanceof Cause.Unsupported unsupported
        ? code(t.text(unsupported.detail()))
        : escape(Causes.text(d.why(), t));
  }

  /** A mark for failures that the profile itself did not cause; empty if there are none. */
  private String mark(String profile) {
    return s.trials().values().stream()
        .filter(tr -> tr.trial().profile().equals(profile))
        .flatMap(tr -> tr.disposition().stream())
        .filter(Disposition.Failed.class::isInstance)
        .map(d -> t.textOr("mark." + ((Disposition.Failed) d).failureClass(), ""))
        .filter(mark -> !mark.isEmpty())
        .findFirst()
        .map(mark -> " **" + mark + "**")
        .orElse("");
  }

  private boolean isNegative(Standing st) {
    return s.isDropped(st.profile(), Event.ProfileDropped.DropCause.RACED_OUT)
        || st.verdict() instanceof Verdict.Loss;
  }

  static void image(Markdown page, List<Charts.Chart> charts, String name) {
    charts.stream()
        .filter(c -> c.name().equals(name))
        .forEach(c -> page.image(c.title(), ReportWriter.CHARTS + "/" + c.file()));
  }
}
