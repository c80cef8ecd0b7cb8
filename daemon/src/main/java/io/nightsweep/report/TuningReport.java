package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.Calibration;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Noise;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The report of a sweep, finished or not, as Markdown: a projection of its state. */
final class TuningReport {
  private final SweepState s;
  private final Leaderboard board;
  private final Optional<Standing> winner;
  private final Coverage coverage;
  private final List<Charts.Chart> charts;
  private final Markdown page = new Markdown();
  private final AttemptTables attempts;

  private TuningReport(SweepState s, List<Charts.Chart> charts) {
    this.s = s;
    this.charts = charts;
    board = Standings.board(s);
    winner = Standings.winner(s);
    coverage = Coverage.of(s);
    attempts = new AttemptTables(s, page);
  }

  static String of(SweepState s, List<Charts.Chart> charts) {
    return new TuningReport(s, charts).write();
  }

  private String write() {
    page.heading(1, escape(s.cell().model()) + " " + escape(s.cell().parallelism()) + ": tuning");
    partial();
    header();
    summary();
    inventory();
    baselineEffect();
    leaderboard();
    crossChecks();
    mechanism();
    negatives();
    attempts.failures();
    deployment();
    attempts.appendix();
    return page.toString();
  }

  private void partial() {
    if (coverage.isComplete() && s.isFinished()) {
      return;
    }
    long profiles =
        s.trials().values().stream()
            .filter(t -> t.measurement().isPresent() && !t.trial().purpose().isControl())
            .map(t -> t.trial().profile())
            .distinct()
            .count();
    String state =
        switch (s.phase()) {
          case Phase.Halted h -> "halted: " + h.reason();
          case Phase.Paused p -> "paused";
          case Phase.Stopping p -> "stopping";
          case Phase.Running p -> "running";
          case Phase.NotStarted p -> "not started";
          case Phase.Finished p -> "finished";
        };
    String waves =
        s.waves().stream()
            .filter(WaveState::isPending)
            .map(w -> w.wave().name())
            .collect(Collectors.joining(", "));
    page.paragraph(
        "**Preliminary: interrupted at %d profiles; the sweep is %s.** Missing: %d planned trials%s."
            .formatted(
                profiles,
                escape(state),
                coverage.open(),
                waves.isEmpty() ? "" : " and the waves " + escape(waves)));
  }

  private void header() {
    Noise noise = board.noise();
    List<String> bullets = new ArrayList<>();
    bullets.add("Date: " + s.startedAt().map(Figures::time).orElse("-") + " UTC");
    bullets.add("Sweep: " + code(s.sweep()) + ", seed " + s.seed());
    bullets.add("Model: " + code(s.cell().model()) + ", " + code(s.cell().parallelism()));
    bullets.add(
        "Nodes, pinned: "
            + s.cell().nodes().stream().map(Markdown::code).collect(Collectors.joining(", ")));
    bullets.add("Workload: " + code(s.spec().workload()));
    bullets.add(
        "Metric: %s in %s, %s is better; steady-state mean"
            .formatted(
                code(s.spec().metric().name()),
                escape(s.spec().metric().unit()),
                s.spec().metric().better().name().toLowerCase(Locale.ROOT)));
    bullets.add(
        noise.known()
            ? String.format(
                Locale.ROOT,
                "Noise: %.2f %% from run to run (%d degrees of freedom, %.2f %% within a run); the baseline wandered by %.2f %%",
                100 * noise.total(),
                noise.degreesOfFreedom(),
                100 * noise.withinRun(),
                100 * noise.driftRange())
            : "Noise: nothing was repeated yet");
    Calibration.of(s).ifPresent(c -> bullets.add("Sight: " + c.describe()));
    bullets.add(
        "Coverage: %d planned = %d measured + %d failed + %d dropped + %d unsupported%s"
            .formatted(
                coverage.planned(),
                coverage.measured(),
                coverage.failed(),
                coverage.dropped(),
                coverage.unsupported(),
                coverage.open() > 0 ? " + " + coverage.open() + " open" : ""));
    bullets.add(
        "Jobs: %d in %s"
            .formatted(s.attemptsIntended(), Figures.duration(s.elapsed(s.lastEventAt()))));
    s.repinnedAfter()
        .ifPresent(
            t ->
                bullets.add(
                    "**The nodelist was changed after "
                        + t
                        + "; everything counts from there on.**"));
    page.bullets(bullets);
  }

  private void summary() {
    page.heading(2, "TL;DR");
    if (winner.isPresent()) {
      Standing w = winner.get();
      page.paragraph(
          "⭐ **%s** wins by **%s** (%s, %d fresh runs beside as many of the baseline)."
              .formatted(
                  code(w.profile()),
                  Figures.percent(Standings.publishedLogGain(w)),
                  Figures.interval(w.verdict().interval()),
                  w.verdict().runs()));
    } else if (s.isFinished()) {
      page.paragraph(
          "No profile is confirmed better than %s. %s"
              .formatted(code(Profile.BASELINE), bestUndecided()));
    } else {
      page.paragraph("No verdict yet. " + bestUndecided());
    }
    if (s.phase() instanceof Phase.Finished f) {
      page.paragraph(escape(f.conclusion()));
    }
    charts.stream()
        .filter(c -> c.name().equals(Charts.LEADERBOARD))
        .forEach(c -> page.image(c.title(), c.path()));
  }

  private String bestUndecided() {
    return board.standings().stream()
        .filter(st -> st.estimate().logGain() > 0)
        .max(Comparator.comparingDouble(Standing::posteriorLogGain))
        .map(
            st ->
                "The best guess so far is %s at %s over %d runs, chosen among many and therefore flattered."
                    .formatted(
                        code(st.profile()),
                        Figures.percent(st.estimate().logGain()),
                        st.estimate().runs()))
        .orElse("");
  }

  private void inventory() {
    page.heading(2, "Inventory");
    List<List<String>> rows = new ArrayList<>();
    s.spec().settings().forEach((k, v) -> rows.add(List.of(code(k), code(v))));
    for (ConfigTag tag : s.spec().configTags()) {
      rows.add(List.of("config tag " + code(tag.name()), code(tag.overrides().toString())));
    }
    if (!s.spec().catalogs().isEmpty()) {
      rows.add(
          List.of(
              "catalogs",
              code(
                  s.spec().catalogs().stream()
                      .map(Catalog::name)
                      .collect(Collectors.joining(", ")))));
    }
    rows.add(List.of("plan", code(s.spec().plan().template())));
    page.table(List.of("Setting", "Value"), rows);
    page.table(
        List.of("Wave", "Kind", "Trials", "State", "Why"),
        s.waves().stream()
            .map(
                w ->
                    List.of(
                        code(w.wave().name()),
                        w.wave().kind().name().toLowerCase(Locale.ROOT),
                        Integer.toString(w.trials().size()),
                        escape(
                            w.skipped()
                                .map(r -> "skipped: " + r)
                                .orElse(
                                    w.closedAt().isPresent()
                                        ? "closed"
                                        : w.isOpen() ? "open" : "pending")),
                        escape(w.wave().why())))
            .toList());
  }

  private void baselineEffect() {
    board
        .of(Profile.BASELINE_NO_ENV)
        .ifPresent(
            st -> {
              page.heading(2, "Effect of the deployed environment");
              page.paragraph(
                  "%s against %s: %s over %d runs (%s, %s)."
                      .formatted(
                          code(Profile.BASELINE_NO_ENV),
                          code(Profile.BASELINE),
                          Figures.percent(st.estimate().logGain()),
                          st.estimate().runs(),
                          Figures.interval(st.verdict().interval()),
                          Figures.phrase(st.verdict())));
            });
  }

  private void leaderboard() {
    page.heading(2, "Leaderboard");
    List<List<String>> rows = new ArrayList<>();
    for (Standing st : board.standings()) {
      boolean won = winner.map(w -> w.profile().equals(st.profile())).orElse(false);
      rows.add(
          List.of(
              (won ? "⭐ " : "") + code(st.profile()),
              code(s.profile(st.profile()).describe()),
              Integer.toString(st.estimate().runs()),
              Figures.value(mean(st.profile())),
              Figures.percent(Standings.publishedLogGain(st)),
              Figures.interval(st.verdict().interval()),
              Figures.phrase(st.verdict())));
    }
    rows.add(
        List.of(
            code(Profile.BASELINE),
            "-",
            Integer.toString(board.noise().controls()),
            Figures.value(mean(Profile.BASELINE)),
            "0",
            "-",
            "baseline"));
    page.table(
        List.of(
            "Profile",
            "Flags",
            "Runs",
            "Mean (" + escape(s.spec().metric().unit()) + ")",
            "Δ vs baseline",
            "Interval",
            "Verdict"),
        rows);
    page.paragraph(
        "Intervals hold for all profiles together at "
            + String.format(Locale.ROOT, "%.0f %%", 100 * (1 - s.spec().policy().familyWiseError()))
            + ", however often one looks. A win rests on fresh confirmation runs alone.");
    charts.stream()
        .filter(c -> !c.name().equals(Charts.LEADERBOARD))
        .forEach(c -> page.image(c.title(), c.path()));
  }

  private double mean(String profile) {
    return s.countingTrials()
        .filter(t -> t.trial().profile().equals(profile) && t.trial().purpose().measures())
        .filter(t -> t.trial().configTag().equals(s.spec().primaryTag().name()))
        .flatMap(t -> t.measurement().stream())
        .mapToDouble(m -> m.value())
        .average()
        .orElse(Double.NaN);
  }

  private void crossChecks() {
    if (s.spec().configTags().size() < 2 || winner.isEmpty()) {
      return;
    }
    page.heading(2, "On the other config tags");
    List<List<String>> rows = new ArrayList<>();
    boolean conditional = false;
    for (ConfigTag tag : s.spec().configTags().subList(1, s.spec().configTags().size())) {
      Optional<Standing> there = Standings.board(s, tag.name()).of(winner.get().profile());
      double gain = there.map(st -> st.estimate().logGain()).orElse(Double.NaN);
      boolean regresses = gain < Math.log1p(-s.spec().policy().regressionLimit());
      conditional |= regresses;
      rows.add(
          List.of(
              code(tag.name()),
              there.map(st -> Integer.toString(st.estimate().runs())).orElse("0"),
              Figures.percent(gain),
              there.map(st -> Figures.interval(st.verdict().interval())).orElse("-"),
              there.isEmpty() ? "not measured" : regresses ? "regresses" : "holds"));
    }
    page.table(List.of("Config tag", "Runs", "Δ vs baseline", "Interval", "Recipe"), rows);
    if (conditional) {
      page.paragraph(
          "**The recipe is conditional:** deploy it only on the config tags where it holds.");
    }
  }

  private void mechanism() {
    if (s.findings().isEmpty()) {
      return;
    }
    page.heading(2, "Why");
    page.bullets(
        s.findings().stream()
            .map(
                (Finding f) ->
                    escape(f.statement())
                        + " ("
                        + f.attempt()
                        + f.sources().stream()
                            .map(src -> ", " + code(src))
                            .collect(Collectors.joining())
                        + ")")
            .toList());
  }

  private void negatives() {
    List<String> bullets =
        s.dropped().values().stream()
            .sorted(Comparator.comparing(d -> d.profile()))
            .map(d -> code(d.profile()) + ": " + escape(d.reason()))
            .toList();
    List<String> losses =
        board.standings().stream()
            .filter(st -> st.verdict() instanceof Verdict.Loss && !s.isDropped(st.profile()))
            .map(st -> code(st.profile()) + ": loss, " + Figures.interval(st.verdict().interval()))
            .toList();
    if (bullets.isEmpty() && losses.isEmpty()) {
      return;
    }
    page.heading(2, "Negative findings");
    page.bullets(java.util.stream.Stream.concat(losses.stream(), bullets.stream()).toList());
  }

  private void deployment() {
    if (winner.isEmpty()) {
      return;
    }
    Profile p = s.profile(winner.get().profile());
    StringBuilder shell = new StringBuilder();
    if (!p.flags().isEmpty()) {
      String flags =
          p.flags().entrySet().stream()
              .map(e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + "=" + e.getValue())
              .collect(Collectors.joining(" "));
      shell
          .append("export XLA_FLAGS=\"${XLA_FLAGS:+$XLA_FLAGS }\"")
          .append(quote(flags))
          .append('\n');
    }
    p.env()
        .forEach(
            (k, v) -> shell.append("export ").append(k).append('=').append(quote(v)).append('\n'));
    p.overrides()
        .forEach((k, v) -> shell.append("# ").append(k).append('=').append(quote(v)).append('\n'));
    page.heading(2, "Recommended deployment");
    page.block("bash", shell.toString());
  }

  private static String quote(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
