package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.Calibration;
import io.nightsweep.measure.Noise;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.DetectableGain;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobTimes;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was tuned, on what, and how it was measured. */
final class HeaderSection {
  private final PageView v;
  private final SweepState s;
  private final Phrases t;
  private final Markdown page;

  HeaderSection(PageView v, Markdown page) {
    this.v = v;
    this.page = page;
    s = v.s();
    t = v.t();
  }

  void bullets(Coverage coverage) {
    List<String> bullets = new ArrayList<>();
    bullets.add(t.text("date", s.startedAt().map(Figures::time).orElse("-")));
    bullets.add(t.text("sweep", code(s.sweep()), s.seed()));
    bullets.add(t.text("model", code(s.cell().model()), code(s.cell().parallelism())));
    bullets.add(
        t.text(
            "nodes",
            s.cell().nodes().size(),
            s.cell().nodes().stream().map(Markdown::code).collect(Collectors.joining(", "))));
    bullets.add(t.text("workload", code(s.spec().workload())));
    s.inventory().stream().filter(Fact::headline).forEach(f -> bullets.add(fact(f)));
    bullets.add(
        t.text(
            "metric",
            code(s.spec().metric().name()),
            escape(s.spec().metric().unit()),
            t.word("better", s.spec().metric().better()),
            window()));
    bullets.add(noise(v.board().noise()));
    bullets.addAll(Remarks.of(s, t, Markdown::code));
    Calibration.of(s).ifPresent(c -> bullets.add(sight(c)));
    bullets.add(
        t.text(
            "coverage",
            coverage.planned(),
            coverage.measured(),
            coverage.failed(),
            coverage.dropped(),
            coverage.unsupported(),
            coverage.open() > 0 ? t.text("coverage.open", coverage.open()) : ""));
    bullets.add(t.text("jobs", s.jobsTaken(), Figures.duration(s.elapsed(s.lastEventAt()))));
    lengths().ifPresent(bullets::add);
    s.night().ifPresent(night -> bullets.add(t.text("night", code(night.name()))));
    s.repinnedAfter().ifPresent(trial -> bullets.add(t.text("repinned", trial)));
    page.bullets(bullets);
  }

  private String fact(Fact f) {
    return t.text("fact", name(f), code(f.value()));
  }

  /** Formats a setting's own name as code and translates the names that Nightsweep chose. */
  private String name(Fact f) {
    return t.keys().contains(key(f)) ? t.text(key(f)) : code(f.name());
  }

  private static String key(Fact f) {
    return "fact." + f.name().toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  private String noise(Noise noise) {
    return noise.known()
        ? t.text(
            "noise",
            PageView.percent(noise.total()),
            noise.degreesOfFreedom(),
            shown("noise.within", noise.withinRun()).orElse(""),
            shown("noise.wander", noise.driftRange()).orElseGet(() -> t.text("noise.steady")))
        : t.text("noise.unknown");
  }

  /** Empty for a figure that is 0 in the digits shown: it is unknown or too small. */
  private Optional<String> shown(String key, double fraction) {
    String percent = PageView.percent(fraction);
    return percent.equals(PageView.percent(0))
        ? Optional.empty()
        : Optional.of(t.text(key, percent));
  }

  private String sight(DetectableGain c) {
    String noise = PageView.percent(c.noise());
    return c.smallest().isPresent()
        ? t.text(
            "sight",
            c.jobs(),
            noise,
            String.format(Locale.ROOT, "%+.1f", 100 * c.smallest().getAsDouble()),
            c.profiles(),
            code("policy.expectedNoise"))
        : t.text("sight.none", c.jobs(), noise, c.profiles());
  }

  /** The steps of the mean; empty for a workload without steps. */
  private String window() {
    Optional<Measurement> brief = measured(true).findFirst();
    return measured(false)
        .findFirst()
        .or(() -> brief)
        .map(
            m ->
                t.text("metric.window", m.windowFrom(), m.windowTo())
                    + brief
                        .filter(b -> b.windowTo() != m.windowTo())
                        .map(b -> t.text("metric.window.short", b.windowFrom(), b.windowTo()))
                        .orElse(""))
        .orElse("");
  }

  /** The measurement over steps of each attempt. */
  private Stream<Measurement> measured(boolean brief) {
    return s.attempts()
        .filter(a -> s.isShort(a) == brief)
        .flatMap(a -> a.measurement().stream())
        .filter(m -> !m.steps().isEmpty());
  }

  /** The time of jobs of each length, where there are two. */
  private Optional<String> lengths() {
    return s.spec().screeningSteps().stream()
        .mapToObj(
            steps -> {
              JobTimes brief = JobTimes.measured(s, true);
              JobTimes whole = JobTimes.measured(s, false);
              return t.text(
                  "lengths", brief.count(), steps, median(brief), whole.count(), median(whole));
            })
        .findFirst();
  }

  private static String median(JobTimes times) {
    return times.median().map(Figures::duration).orElse("-");
  }

  void inventory() {
    page.heading(2, t.text("inventory"));
    List<List<String>> rows = new ArrayList<>();
    s.spec().settings().forEach((k, v) -> rows.add(List.of(code(k), code(v))));
    s.inventory().forEach(f -> rows.add(List.of(name(f), code(f.value()))));
    for (ConfigTag tag : s.spec().configTags()) {
      rows.add(
          List.of(
              t.text("config-tag") + " " + code(tag.name()),
              tag.overrides().isEmpty()
                  ? "-"
                  : code(
                      tag.overrides().entrySet().stream()
                          .map(e -> e.getKey() + "=" + e.getValue())
                          .collect(Collectors.joining(" ")))));
    }
    if (!s.spec().catalogs().isEmpty()) {
      rows.add(
          List.of(
              t.text("catalogs"),
              code(
                  s.spec().catalogs().stream()
                      .map(Catalog::name)
                      .collect(Collectors.joining(", ")))));
    }
    rows.add(List.of(t.text("plan"), code(s.spec().plan().template())));
    page.table(List.of(t.text("setting"), t.text("value")), rows);
    page.table(
        List.of(t.text("wave"), t.text("kind"), t.text("trials"), t.text("state"), t.text("why")),
        s.waves().stream().map(this::wave).toList());
  }

  private List<String> wave(WaveState w) {
    String state =
        w.skipped()
            .map(why -> t.text("skipped", Causes.ofWave(s, why, t)))
            .orElseGet(
                () ->
                    t.text(w.closedAt().isPresent() ? "closed" : w.isOpen() ? "open" : "pending"));
    return List.of(
        code(w.wave().name()),
        t.word("kind", w.wave().kind()),
        Integer.toString(w.trials().size()),
        escape(state),
        escape(t.text(w.wave().why())));
  }
}
