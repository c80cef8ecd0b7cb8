package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.LastFindings;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Why the winner wins, and which settings have the opposite effect on other parallelisms. */
final class MechanismSection {
  /** Findings about one step or one window, which can be compared between two runs. */
  private static final List<String> BESIDE =
      List.of(Finding.BREAKDOWN, Finding.COMMUNICATION, Finding.MECHANISMS, Finding.COLLECTIVES);

  private final PageView v;
  private final SweepState s;
  private final Phrases t;
  private final Markdown page;
  private final List<Charts.Chart> charts;

  MechanismSection(PageView v, Markdown page, List<Charts.Chart> charts) {
    this.v = v;
    this.page = page;
    this.charts = charts;
    s = v.s();
    t = v.t();
  }

  /** The findings of the evidence; absent where the sweep profiles nothing. */
  void findings() {
    List<Finding> told = s.findings().stream().filter(Finding::isForPeople).toList();
    if (s.waves().stream().noneMatch(w -> w.is(Wave.Kind.EVIDENCE)) && told.isEmpty()) {
      return;
    }
    page.heading(2, t.text(v.winner().isPresent() ? "mechanism" : "mechanism.no-winner"));
    if (told.isEmpty()) {
      page.paragraph(t.text("mechanism.none"));
      return;
    }
    page.table(
        List.of(t.text("finding"), t.text("statement"), t.text("figures"), t.text("source")),
        told.stream().map(this::row).toList());
    beside();
    BoardSection.image(page, charts, Charts.BREAKDOWN);
  }

  /** The winner's step beside the deployed one; absent where the winner was not profiled. */
  private void beside() {
    List<List<String>> rows = new ArrayList<>();
    for (String kind : BESIDE) {
      Optional<Finding> before = LastFindings.last(s, kind);
      Optional<Finding> after = LastFindings.ofWinner(s, kind);
      if (before.isPresent() && after.isPresent()) {
        TreeSet<String> names = new TreeSet<>(before.get().figures().keySet());
        names.addAll(after.get().figures().keySet());
        names.forEach(name -> rows.add(beside(kind, name, before.get(), after.get())));
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    page.heading(3, t.text("beside"));
    page.paragraph(t.text("beside.text", v.winner().map(w -> code(w.profile())).orElse("")));
    page.table(
        List.of(
            t.text("finding"),
            t.text("figures"),
            code(Profile.BASELINE),
            t.text("beside.winner"),
            t.text("beside.change")),
        rows);
  }

  private List<String> beside(String kind, String name, Finding before, Finding after) {
    double was = before.figures().getOrDefault(name, 0.0);
    double is = after.figures().getOrDefault(name, 0.0);
    return List.of(
        escape(t.textOr("finding." + kind, kind)),
        code(name),
        Figures.plain(was),
        Figures.plain(is),
        was == is
            ? "0"
            : was > 0 && is > 0
                ? Figures.percent(Math.log(is / was))
                : t.text(is > 0 ? "beside.new" : "beside.gone"));
  }

  private List<String> row(Finding f) {
    return List.of(
        escape(t.textOr("finding." + f.kind(), f.kind())),
        escape(t.text(f.statement())),
        f.figures().entrySet().stream()
            .map(e -> code(e.getKey()) + " " + Figures.plain(e.getValue()))
            .collect(Collectors.joining(", ")),
        f.sources().isEmpty()
            ? escape(f.attempt().toString())
            : f.sources().stream().map(Markdown::code).collect(Collectors.joining(", ")));
  }

  /** One row for each setting that was also measured on other parallelisms of the model. */
  void flips() {
    List<List<String>> rows = new ArrayList<>();
    int flipped = 0;
    for (OtherCell other : v.others()) {
      if (other.parallelism().equals(s.cell().parallelism())) {
        continue;
      }
      for (Standing st : v.board().standings()) {
        OtherCell.OtherGain row = other.rows().get(s.profile(st.profile()).hash());
        if (row == null) {
          continue;
        }
        OtherCell.Flip flip = row.against(st.verdict().interval(), Standings.publishedLogGain(st));
        flipped += flip == OtherCell.Flip.YES ? 1 : 0;
        rows.add(
            List.of(
                code(s.profile(st.profile()).describe()),
                Figures.percent(Standings.publishedLogGain(st)),
                v.interval(st.verdict().interval()),
                escape(other.parallelism() + " " + other.configTag()),
                Figures.percent(row.logGain()),
                v.interval(row.interval()),
                t.word("flip", flip)));
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    page.heading(2, t.text("flips"));
    page.paragraph(t.text("flips.text", flipped, rows.size()));
    page.table(
        List.of(
            v.settings(),
            t.text("here", escape(s.cell().parallelism() + " " + s.spec().primaryTag().name())),
            t.text("interval"),
            t.text("cell"),
            t.text("there"),
            t.text("interval"),
            t.text("flip")),
        rows);
  }
}
