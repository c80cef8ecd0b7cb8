package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.PassedOver;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.AlteredSurface;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first section of a report answers its reader's next questions. */
@Tag("people")
@Tag("slow")
class SummaryAnswersTest {
  /** One run of a profile may show more by luck: readers of the leaderboard wonder why it lost. */
  @Test
  void whoeverShowsMoreThanTheWinnerIsNamedWithTheReasonThatItWasNotFollowed() {
    Set<String> reasons = new TreeSet<>();
    for (int seed = 1; seed <= 12; seed++) {
      SweepState s = night(seed);
      Leaderboard board = Standings.board(s);
      Optional<Standing> winner = Standings.winner(s, board);
      if (winner.isEmpty() || !s.isFinished()) {
        continue;
      }
      double published = Standings.publishedLogGain(winner.get());
      List<String> more =
          board.standings().stream()
              .filter(st -> Standings.publishedLogGain(st) > published)
              .map(Standing::profile)
              .toList();
      String summary = summary(TuningReport.of(s, List.of()));
      String chinese = summary(TuningReport.of(s, List.of(), Phrases.ZH, List.of()));
      for (String profile : more) {
        assertThat(summary).containsPattern("`" + profile + "` \\(\\+.*not pursued: ");
        assertThat(chinese).containsPattern("`" + profile + "`（\\+.*未被采纳：");
      }
      Set<PassedOver.Reason> grounds =
          PassedOver.of(s, board).stream().map(PassedOver::reason).collect(Collectors.toSet());
      assertThat(summary.split("not pursued", -1)).hasSize(grounds.size() + 1);
      grounds.forEach(reason -> reasons.add(reason.getClass().getSimpleName()));
      // While the sweep continues, each may still be followed up.
      SweepState before =
          SweepState.fold(
              entries(seed).stream()
                  .takeWhile(e -> !(e.event() instanceof Event.SweepFinished))
                  .toList());
      assertThat(summary(TuningReport.of(before, List.of()))).doesNotContain("not pursued");
    }
    assertThat(reasons).isNotEmpty();
  }

  @Test
  void whatHaltedASweepStandsInItsSummaryWithHowItGoesOn() {
    List<Entry> half = entries(1).subList(0, entries(1).size() / 2);
    SweepState s = SweepState.fold(half);
    SweepState halted =
        s.apply(
            new Entry(
                s.seq() + 1,
                s.lastEventAt(),
                new Event.SweepHalted(
                    new HaltCause.Incurable(
                        "image-missing",
                        Statement.words("no image at /shared/a.sif"),
                        List.of(
                            new HaltCause.StepTried(
                                "pull-image", StepEnd.succeeded(Statement.words(""))))),
                    List.of())));
    assertThat(summary(TuningReport.of(halted, List.of())))
        .contains(
            "**Halted: image-missing: no image at /shared/a.sif.** Tried before: pull-image",
            "Once that is fixed: `nightsweep resume`; to end it for good: `nightsweep stop`.");
    assertThat(summary(TuningReport.of(s, List.of()))).doesNotContain("Halted");
  }

  @Test
  void aReportOfAProgramWithoutAnEnvironmentFileHasNoSectionThatDoesNotApply() {
    PlainReport.assertSaysOnlyWhatApplies(TuningReport.of(night(1), List.of()));
  }

  /** A program that prints one value per step and no times, as in the template for commands. */
  @Test
  void norHasTheReportOfACommandWhoseWinnerHasOneGain() throws Exception {
    SweepState s = SweepState.fold(withoutTimes(entries(command(), 1)));
    assertThat(Standings.winner(s, Standings.board(s))).isPresent();
    String page = TuningReport.of(s, List.of());
    PlainReport.assertSaysOnlyWhatApplies(page);
    assertThat(PlainReport.winnersGains(page)).hasSize(1);
  }

  private static SweepSpec command() throws InvalidInputException {
    return SweepFile.parse(
            "sweep.yaml",
            """
            model: my-model
            parallelism: ranks=2
            slot: {nodelist: "n[1-2]"}
            workload:
              kind: command
              command: ./run.sh
              pattern: 'step (?<step>\\d+): (?<value>[\\d.]+) tokens/s'
              steps: 20
            metric: {name: tokensPerSecond, unit: tok/s, better: higher}
            profiles:
              faster: {env: {SPEED: 50}}
              override: {overrides: {SPEED: 20}}
            budget: {jobs: 45}
            """,
            Resources.beside(Path.of("nowhere/sweep.yaml")))
        .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }

  /** The same night of a program that prints values without times. */
  private static List<Entry> withoutTimes(List<Entry> entries) {
    return entries.stream()
        .map(
            e ->
                e.event() instanceof Event.AttemptJudged(AttemptId a, Judgement.Measured(var m))
                    ? new Entry(
                        e.seq(),
                        e.at(),
                        new Event.AttemptJudged(a, new Judgement.Measured(withoutTimes(m))))
                    : e)
        .toList();
  }

  private static Measurement withoutTimes(Measurement m) {
    return new Measurement(
        m.value(),
        IntStream.rangeClosed(0, m.windowTo())
            .mapToObj(
                step -> new Measurement.MeasuredStep(step, 0, m.value(), OptionalDouble.empty()))
            .toList(),
        m.windowFrom(),
        m.windowTo(),
        m.extras());
  }

  private static String summary(String page) {
    return page.substring(page.indexOf("\n## ") + 1).split("\n## ", 2)[0];
  }

  private static SweepState night(int seed) {
    return SweepState.fold(entries(seed));
  }

  private static List<Entry> entries(int seed) {
    return entries(Specs.kernels(12, 45), seed);
  }

  private static List<Entry> entries(SweepSpec spec, int seed) {
    return Specs.night(spec, allGain(Specs.surface(0, 0.02)), Duration.ofMinutes(8), seed)
        .run()
        .entries();
  }

  /** Twelve profiles with the same gain: by luck one of them shows more than the winner. */
  private static Surface allGain(Surface noisy) {
    return new AlteredSurface(noisy) {
      @Override
      public double effect(Profile profile, String configTag) {
        return profile.name().equals(Profile.BASELINE) ? 0 : 0.06;
      }
    };
  }
}
