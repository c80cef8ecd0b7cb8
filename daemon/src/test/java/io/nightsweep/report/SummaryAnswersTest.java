package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.PassedOver;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first section of a report answers what its reader asks next. */
@Tag("people")
class SummaryAnswersTest {
  /** One run of a profile may show more by luck: readers of the leaderboard ask why it lost. */
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
        assertThat(summary).containsPattern("`" + profile + "` \\(\\+.*not followed: ");
        assertThat(chinese).containsPattern("`" + profile + "`（\\+.*未被采纳：");
      }
      Set<PassedOver.Reason> grounds =
          PassedOver.of(s, board).stream().map(PassedOver::reason).collect(Collectors.toSet());
      assertThat(summary.split("not followed", -1)).hasSize(grounds.size() + 1);
      grounds.forEach(reason -> reasons.add(reason.getClass().getSimpleName()));
      // While it goes on, each may still be followed.
      SweepState before =
          SweepState.fold(
              entries(seed).stream()
                  .takeWhile(e -> !(e.event() instanceof Event.SweepFinished))
                  .toList());
      assertThat(summary(TuningReport.of(before, List.of()))).doesNotContain("not followed");
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
            "Once that is mended: `nightsweep resume`; to end it for good: `nightsweep stop`.");
    assertThat(summary(TuningReport.of(s, List.of()))).doesNotContain("Halted");
  }

  /** Flags of compilers, environment files and profiles of a trainer are none of its business. */
  @Test
  void aReportOfAProgramWithoutAnEnvironmentFileHasNoSectionThatDoesNotApply() {
    String page = TuningReport.of(night(1), List.of());
    assertThat(page)
        .contains("## Leaderboard")
        .doesNotContain("configs/", "baseline-no-env", "Step (s)", "profiled run", "0.000");
  }

  private static String summary(String page) {
    return page.substring(page.indexOf("\n## ") + 1).split("\n## ", 2)[0];
  }

  private static SweepState night(int seed) {
    return SweepState.fold(entries(seed));
  }

  private static List<Entry> entries(int seed) {
    return new Night(
            Specs.kernels(12, Optional.of(45)),
            allGain(Specs.surface(0, 0.02)),
            Faults.none(),
            Duration.ofMinutes(8),
            seed)
        .run()
        .entries();
  }

  /** Twelve profiles of one gain: by luck one of them shows more than whichever wins. */
  private static Surface allGain(Surface noisy) {
    return new Surface() {
      @Override
      public double effect(Profile profile, String configTag) {
        return profile.name().equals(Profile.BASELINE) ? 0 : 0.06;
      }

      @Override
      public double baseline(String configTag) {
        return noisy.baseline(configTag);
      }

      @Override
      public double drift(double hours) {
        return noisy.drift(hours);
      }

      @Override
      public double noise(SplittableRandom random) {
        return noisy.noise(random);
      }
    };
  }
}
