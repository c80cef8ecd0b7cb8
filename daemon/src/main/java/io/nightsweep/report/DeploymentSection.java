package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;

import io.nightsweep.cluster.Shell;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Deployment.Recipe;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to deploy, and where it is valid. */
final class DeploymentSection {
  private final PageView v;
  private final Markdown page;

  DeploymentSection(PageView v, Markdown page) {
    this.v = v;
    this.page = page;
  }

  void write() {
    SweepState s = v.s();
    Phrases t = v.t();
    page.heading(2, t.text("deployment"));
    v.realData().flatMap(v::onRealData).ifPresent(page::paragraph);
    Optional<String> patch = patch(s, v.others());
    if (patch.isEmpty()) {
      page.paragraph(t.text("deployment.none", code(Profile.BASELINE)));
      return;
    }
    if (setsSomething(s)) {
      environment(patch.get());
    }
    v.winner()
        .filter(w -> !v.isHeldBack())
        .map(w -> s.profile(w.profile()))
        .filter(p -> !p.overrides().isEmpty())
        .ifPresent(
            p -> {
              page.paragraph(t.text("deployment.overrides"));
              page.block("text", overrides(p));
            });
  }

  /** The settings as a person would write them in a sweep file or on a command line. */
  static String overrides(Profile profile) {
    return profile.overrides().entrySet().stream()
        .map(e -> e.getKey() + "=" + Shell.word(e.getValue()))
        .collect(Collectors.joining(" "));
  }

  private void environment(String patch) {
    page.paragraph(
        v.environmentFile()
            .map(file -> v.t().text("deployment.text", code(file)))
            .orElseGet(() -> v.t().text("deployment.plain")));
    page.block("bash", patch);
    top(v.s(), v.others())
        .ifPresent(
            top -> {
              page.paragraph(v.t().text("deployment.top"));
              page.block("bash", top);
            });
  }

  /** Whether the winner sets anything in the environment; overrides are not part of it. */
  private boolean setsSomething(SweepState s) {
    boolean hasOverrides =
        v.winner().stream().anyMatch(w -> !s.profile(w.profile()).overrides().isEmpty());
    return !hasOverrides
        || recipes(s, v.others()).stream()
            .anyMatch(r -> !r.flags().isEmpty() || !r.env().isEmpty());
  }

  /**
   * The recipes of all cells of the model. This sweep's come last, so that they take precedence. A
   * recipe that was tuned on a config tag takes precedence over one that was only checked there.
   * May be empty.
   */
  static List<Recipe> recipes(SweepState s, List<OtherCell> others) {
    List<CellSummary> cells =
        Stream.concat(
                others.stream().flatMap(other -> other.cells().stream()),
                CellSummary.of(s).stream())
            .toList();
    return Stream.concat(
            cells.stream().filter(c -> !c.primary()), cells.stream().filter(c -> c.primary()))
        .flatMap(c -> c.recipe().stream())
        .toList();
  }

  static Optional<String> patch(SweepState s, List<OtherCell> others) {
    List<Recipe> recipes = recipes(s, others);
    return recipes.isEmpty()
        ? Optional.empty()
        : Optional.of(signed(s, PageView.deployment(s).patch(s.cell().model(), recipes)));
  }

  /** The patch with a comment below its first line about what it was measured with. */
  private static String signed(SweepState s, String patch) {
    String with =
        TuningFile.provenance(s).entrySet().stream()
            .map(fact -> fact.getKey() + " " + fact.getValue())
            .collect(Collectors.joining("; "));
    String comment =
        (s.cell().parallelism() + " was measured with: " + with).replaceAll("[^\\x20-\\x7e]", "?");
    return with.isEmpty()
        ? patch
        : patch.replaceFirst("\n", Matcher.quoteReplacement("\n# " + comment + "\n"));
  }

  static Optional<String> top(SweepState s, List<OtherCell> others) {
    return PageView.deployment(s).top(s.cell().model(), recipes(s, others));
  }
}
