package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.ActsOn;
import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.LastFindings;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Finding.LargestCost;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report of a sweep, finished or not, as Markdown. It depends only on the state. In every
 * language it has the same headings, tables and figures.
 */
final class TuningReport {
  /** A doubling: an interval as wide as this means that too little was measured. */
  private static final double LEAST_SENSELESS = Math.log(2);

  private final PageView v;
  private final SweepState s;
  private final Phrases t;
  private final Coverage coverage;
  private final List<Charts.Chart> charts;
  private final Markdown page = new Markdown();

  private TuningReport(PageView v, List<Charts.Chart> charts) {
    this.v = v;
    this.charts = charts;
    s = v.s();
    t = v.t();
    coverage = Coverage.of(s);
  }

  static String of(SweepState s, List<Charts.Chart> charts) {
    return of(s, charts, Phrases.EN, List.of());
  }

  /**
   * @param others cells of the same model that earlier sweeps measured
   */
  static String of(
      SweepState s, List<Charts.Chart> charts, Phrases language, List<OtherCell> others) {
    return new TuningReport(PageView.of(s, language, others), charts).write();
  }

  /** The text on the model's page while an earlier sweep of the cell still counts. */
  static String progress(SweepState s, Phrases t) {
    Markdown page = new Markdown();
    page.heading(
        2, t.text("progress.title", escape(s.cell().model()), escape(s.cell().parallelism())));
    page.paragraph(
        t.text(
            "progress",
            code(s.sweep()),
            Figures.time(s.startedAt().orElse(Instant.EPOCH)),
            escape(state(s, t)),
            Coverage.of(s).measured(),
            code("nightsweep report --sweep " + s.sweep())));
    return page.toString();
  }

  private String write() {
    page.heading(1, t.text("title", escape(s.cell().model()), escape(s.cell().parallelism())));
    partial();
    new HeaderSection(v, page).bullets(coverage);
    summary();
    new HeaderSection(v, page).inventory();
    BoardSection board = new BoardSection(v, page, charts);
    board.environmentEffect();
    board.leaderboard();
    board.crossChecks();
    MechanismSection mechanism = new MechanismSection(v, page, charts);
    mechanism.findings();
    board.negatives();
    mechanism.flips();
    new NodeSection(v, page).write();
    new LlmSection(v, page).write();
    AttemptTables attempts = new AttemptTables(s, page, t);
    attempts.failures();
    new DeploymentSection(v, page).write();
    attempts.appendix();
    return page.toString();
  }

  private void partial() {
    boolean isStopped =
        s.phase() instanceof Phase.Finished f
            && f.outcome() == Event.SweepFinished.SweepOutcome.STOPPED;
    if (coverage.isComplete() && s.isFinished() && !isStopped) {
      return;
    }
    long profiles = v.measured().map(tr -> tr.trial().profile()).distinct().count();
    String waves =
        s.waves().stream()
            .filter(WaveState::isPending)
            .map(w -> code(w.wave().name()))
            .collect(Collectors.joining(", "));
    page.paragraph(
        t.text(
            isStopped ? "partial.stopped" : "partial",
            profiles,
            escape(state(s, t)),
            coverage.open() + coverage.stopped(),
            waves.isEmpty() ? "" : t.text("partial.waves", waves)));
  }

  private static String state(SweepState s, Phrases t) {
    return switch (s.phase()) {
      case Phase.Halted h -> t.text("state.halted", Sentences.of(h.cause(), t));
      case Phase.Paused p -> t.text("state.paused");
      case Phase.Stopping p -> t.text("state.stopping");
      case Phase.Running p -> t.text("state.running");
      case Phase.NotStarted p -> t.text("state.not-started");
      case Phase.Finished p ->
          t.text(
              p.outcome() == Event.SweepFinished.SweepOutcome.STOPPED
                  ? "state.stopped"
                  : "state.finished");
    };
  }

  private void summary() {
    page.heading(2, t.text("summary"));
    if (v.winner().isPresent()) {
      Standing w = v.winner().get();
      page.paragraph(
          t.text(
              v.isHeldBack() ? "winner.held-back" : "winner",
              code(w.profile()),
              code(Profile.BASELINE),
              Figures.percent(Standings.publishedLogGain(w)),
              v.inASentence(w.verdict().interval()),
              w.verdict().runs()));
      CautionText.lines(s, w, t).forEach(caution -> page.paragraph(escape(caution)));
      v.realData().flatMap(v::onRealData).ifPresent(page::paragraph);
      because(w).forEach(page::paragraph);
      PassedOverText.lines(s, v.board(), t).forEach(page::paragraph);
    } else {
      page.paragraph(
          nothingMeasured()
              .orElseGet(
                  () ->
                      t.text(s.isFinished() ? "no-winner" : "no-verdict", code(Profile.BASELINE))));
      bestUndecided().ifPresent(page::paragraph);
    }
    halted().ifPresent(page::paragraph);
    conclusion().ifPresent(page::paragraph);
    shortBudget().ifPresent(page::paragraph);
    leftOut().ifPresent(page::paragraph);
    implausible().ifPresent(page::paragraph);
    Conclusion.takenBack(s).forEach(back -> page.paragraph(takenBack(back)));
    recipes();
    BoardSection.image(page, charts, Charts.LEADERBOARD);
  }

  /** Why a sweep is halted, what was tried, and how to resume it. */
  private Optional<String> halted() {
    if (!(s.phase() instanceof Phase.Halted h)) {
      return Optional.empty();
    }
    String tried = Sentences.tried(h.cause(), t);
    return Optional.of(
        t.text("halted", escape(Sentences.of(h.cause(), t)))
            + (tried.isEmpty() ? "" : t.text("halted.tried", escape(tried)))
            + Sentences.nodesBack(h, t).map(back -> " " + escape(back)).orElse("")
            + t.text("halted.next", code("nightsweep resume"), code("nightsweep stop")));
  }

  /** That nobody is better would be said of candidates of which nothing is known. */
  private Optional<String> nothingMeasured() {
    return s.phase() instanceof Phase.Finished f
            && f.ending() instanceof SweepEnding.NothingMeasured ending
        ? Optional.of(escape(Sentences.of(ending, t)))
        : Optional.empty();
  }

  /** What the end of the sweep adds to the sentence about the winner. */
  private Optional<String> conclusion() {
    if (!(s.phase() instanceof Phase.Finished f)) {
      return Optional.empty();
    }
    return switch (f.outcome()) {
      case WINNER -> Optional.empty();
      case NO_WINNER -> widest();
      case BOUNDED ->
          Optional.of(
              "**"
                  + escape(Sentences.of(f.ending(), t))
                  + "**"
                  + widest().map(bound -> " " + bound).orElse(""));
      case BUDGET_SPENT -> Optional.empty();
      case STOPPED -> Optional.of(escape(Sentences.of(f, t)));
    };
  }

  private Optional<String> shortBudget() {
    return ShortBudget.of(s)
        .map(
            b ->
                t.text(
                    "outcome.budget-spent", code(b.given()), codes(b.waves()), code(b.enough())));
  }

  /** Candidates that the budget left out; they were not measured and are not negative results. */
  private Optional<String> leftOut() {
    List<String> names = Conclusion.leftOut(s);
    return names.isEmpty() ? Optional.empty() : Optional.of(t.text("left-out", codes(names)));
  }

  /** Names the implausible profiles: a reader may know that one of them is right. */
  private Optional<String> implausible() {
    return SetAside.sentence(s, t, Markdown::code);
  }

  private String takenBack(Conclusion.TakenBack back) {
    return t.text(
        "taken-back",
        code(back.profile()),
        code(back.as()),
        escape(back.by().who()),
        t.word("words.door", back.by().door()));
  }

  private static String codes(List<String> names) {
    return names.stream().map(Markdown::code).collect(Collectors.joining(", "));
  }

  private Optional<String> widest() {
    List<Standing> known =
        v.board().standings().stream()
            .filter(st -> Double.isFinite(st.verdict().interval().high()))
            .toList();
    return known.stream()
        .max(Comparator.comparingDouble(st -> st.verdict().interval().high()))
        .map(st -> bound(t, known.size(), st.verdict().interval().high(), st.profile()));
  }

  /** Which gains the widest interval rules out; one wider than a doubling rules out nothing. */
  static String bound(Phrases t, int profiles, double logGain, String profile) {
    return logGain > LEAST_SENSELESS
        ? t.text("unbounded", profiles, code(profile))
        : t.text("bounded", profiles, Figures.percent(logGain), code(profile));
  }

  /**
   * Why the winner wins: by the rule that ordered the candidates, and by the winner's own profile.
   * It says so if the evidence shows no reason. Empty for a sweep that profiles nothing.
   */
  private List<String> because(Standing w) {
    if (s.waves().stream().noneMatch(wave -> wave.is(Wave.Kind.EVIDENCE))) {
      return List.of();
    }
    Optional<LargestCost> dominant =
        LastFindings.last(s, Finding.DOMINANT).flatMap(Finding::largestCost);
    if (dominant.isEmpty()) {
      return List.of(t.text("winner.no-evidence"));
    }
    String cost = dominant.get().name();
    String share = String.format(Locale.ROOT, "%.1f", 100 * dominant.get().share());
    String acting =
        ActsOn.settings(s, s.profile(w.profile()), cost).stream()
            .map(Markdown::code)
            .collect(Collectors.joining(", "));
    boolean compute = cost.equals("compute");
    String rule =
        acting.isEmpty()
            ? t.text(compute ? "winner.compute" : "winner.unexplained", code(cost), share)
            : t.text(
                compute ? "winner.because-compute" : "winner.because", code(cost), share, acting);
    return Stream.concat(
            Stream.of(rule),
            OwnProfile.sentences(s, t, Optional.of(cost).filter(c -> !acting.isEmpty())).stream())
        .toList();
  }

  private Optional<String> bestUndecided() {
    int measured = v.board().standings().size();
    return Standings.leader(s, v.board())
        .map(
            st ->
                t.text(
                    measured > 1 ? "best-guess" : "best-guess-alone",
                    code(st.profile()),
                    Figures.percent(Standings.publishedLogGain(st)),
                    st.estimate().runs(),
                    measured));
  }

  /** The best recipe of each cell of the model, this sweep's first. */
  private void recipes() {
    List<List<String>> rows = new ArrayList<>();
    for (CellSummary cell : CellSummary.of(s)) {
      rows.add(row(cell));
    }
    v.others().forEach(other -> rows.addAll(other.cells().stream().map(this::row).toList()));
    page.table(
        List.of(
            t.text("cell"),
            t.text("recipe"),
            v.settings(),
            code(Profile.BASELINE) + " (" + escape(s.spec().metric().unit()) + ")",
            t.text("mean", escape(s.spec().metric().unit())),
            t.text("delta"),
            t.text("interval"),
            t.text("runs")),
        rows);
    if (v.winner().isPresent()) {
      page.paragraph(t.text("recipes.note"));
    }
  }

  private List<String> row(CellSummary cell) {
    boolean checked = !cell.profile().equals(Profile.BASELINE) && !cell.deploys();
    return List.of(
        escape(cell.parallelism() + " " + cell.configTag()),
        cell.deploys()
            ? code(cell.profile())
            : cell.isHeldBack()
                ? t.text("recipe.held-back", code(Profile.BASELINE), code(cell.profile()))
                : checked && Double.isFinite(cell.logGain())
                    ? t.text(
                        "recipe.regresses",
                        code(Profile.BASELINE),
                        code(cell.profile()),
                        Figures.percent(cell.logGain()))
                    : code(Profile.BASELINE),
        cell.deploys() ? code(cell.settings()) : "-",
        Figures.value(cell.baselineMean()),
        cell.deploys() ? Figures.value(cell.mean()) : "-",
        cell.deploys() ? Figures.percent(cell.logGain()) : "-",
        cell.deploys() ? v.interval(cell.interval()) : "-",
        cell.deploys() ? Integer.toString(cell.runs()) : "-");
  }
}
