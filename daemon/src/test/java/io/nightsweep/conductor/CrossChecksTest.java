package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.CrossChecks.Holding;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sim.ShippedWinner;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the packed plan judges a winner on a tag other than the one that it was chosen on. */
@Tag("shipped")
@Tag("slow")
class CrossChecksTest {
  /** Candidates of the first flag wave, which contains those of the published effect. */
  private static final int FIRST_CANDIDATES = 5;

  @ParameterizedTest
  @CsvSource({"0.11, HOLDS", "-0.08, REGRESSES"})
  void theOtherTagIsJudgedByAnInterval(
      double effectThere, Holding expected, @TempDir Path repository) throws Exception {
    SweepState s = ShippedWinner.night(repository, effectThere, 3);
    ConfigTag other = s.spec().configTags().getLast();
    String first = s.confirmations().getFirst().profile();
    assertThat(CrossChecks.holding(s, first, other)).isEqualTo(expected);
    String winner = Standings.winner(s).orElseThrow().profile();
    if (expected == Holding.REGRESSES) {
      assertThat(s.confirmations().stream().map(c -> c.profile()).distinct().toList())
          .as("another is confirmed behind one that loses elsewhere")
          .hasSizeGreaterThan(1);
    } else {
      assertThat(winner).isEqualTo(first);
    }
    assertThat(
            s.trials().values().stream()
                .filter(t -> t.trial().purpose() == Trial.Purpose.CROSS_CHECK)
                .map(t -> t.trial().profile())
                .distinct())
        .as("the winner and the contender behind it")
        .hasSizeGreaterThan(1)
        .contains(first);
    assertThat(runs(s, first, Trial.Purpose.CROSS_CHECK))
        .as("one run shows that it holds; to show that it regresses takes two")
        .isEqualTo(expected == Holding.HOLDS ? 1 : 2);
    assertThat(runs(s, first, Trial.Purpose.CONFIRM))
        .as("no fresh run is made up for while a control is under way")
        .isEqualTo(
            s.confirmations().stream()
                .filter(c -> c.profile().equals(first))
                .mapToInt(c -> c.runsPerArm())
                .sum());
    double limit = Math.log1p(-s.spec().policy().regressionLimit());
    assertThat(CrossChecks.interval(s, first, other))
        .matches(i -> expected == Holding.HOLDS ? i.low() > limit : i.high() < limit);
  }

  /**
   * If only the point estimate counted, noise would decide whether a loss near the limit holds or
   * regresses.
   */
  @Test
  void whatTheRunsLeaveOpenIsNotKnownAndNotDeployedThere(@TempDir Path repository)
      throws Exception {
    SweepState s = ShippedWinner.night(repository, -0.01, 0);
    ConfigTag other = s.spec().configTags().getLast();
    String winner = Standings.winner(s).orElseThrow().profile();
    assertThat(CrossChecks.holding(s, winner, other)).isEqualTo(Holding.NOT_KNOWN);
    assertThat(CrossChecks.interval(s, winner, other))
        .matches(i -> i.low() < Math.log1p(-s.spec().policy().regressionLimit()));
    assertThat(runs(s, winner, Trial.Purpose.CROSS_CHECK))
        .as("a second run, and the extension, were spent on it")
        .isGreaterThan(2);
    assertThat(ReportTexts.english(s))
        .contains("not known: not deployed there", "**The recipe is conditional:**");
    assertThat(endedAtTheTarget(s))
        .as("the target is not met where it is not known that no other tag pays for it")
        .isFalse();
    assertThat(Search.tested(s)).as("the search goes on").hasSizeGreaterThan(FIRST_CANDIDATES);
    assertThat(ReportTexts.tuning(s).path("recipes"))
        .filteredOn(cell -> cell.path("configTag").asText().equals(other.name()))
        .singleElement()
        .matches(cell -> !cell.path("deploys").asBoolean() && cell.path("flags").isEmpty());
  }

  /** If further runs can show that the winner holds, they come before other candidates. */
  @Test
  void theSearchEndsAsSoonAsFurtherRunsShowThatTheWinnerHolds(@TempDir Path repository)
      throws Exception {
    SweepState s = ShippedWinner.night(repository, 0, 4);
    ConfigTag other = s.spec().configTags().getLast();
    String winner = Standings.winner(s).orElseThrow().profile();
    assertThat(runs(s, winner, Trial.Purpose.CROSS_CHECK)).isGreaterThan(2);
    assertThat(CrossChecks.holding(s, winner, other)).isEqualTo(Holding.HOLDS);
    assertThat(endedAtTheTarget(s)).isTrue();
    assertThat(Search.tested(s)).hasSizeLessThanOrEqualTo(FIRST_CANDIDATES);
  }

  /** The winner's jobs are always reserved, the contender's once there is a winner. */
  @Test
  void theBudgetKeepsTheJobsOfTheWinnerAndOfTheContenderBehindIt(@TempDir Path repository)
      throws Exception {
    SweepState s = new Story(ShippedWinner.spec(repository, "FSDP=8", 2)).state();
    int evidence = 1;
    assertThat(kept(s, false, 2)).isEqualTo(2 + evidence);
    assertThat(kept(s, true, 1)).isEqualTo(2 + evidence);
    assertThat(kept(s, true, 2)).isEqualTo(2 + 2 + evidence);
  }

  /** How many of forty jobs the fresh runs leave to the later waves. */
  private static int kept(SweepState s, boolean hasWinner, int contenders) {
    Wave confirm = Confirmations.wave(s).orElseThrow();
    return 40 - new Allowance(s, 40, 1, hasWinner, true, contenders, 0).spendableOn(confirm);
  }

  private static boolean endedAtTheTarget(SweepState s) {
    return s.waves().stream()
        .flatMap(w -> w.skipped().stream())
        .anyMatch(new Cause.NotNeeded(Cause.Need.TARGET_NOT_MET)::equals);
  }

  private static int runs(SweepState s, String profile, Trial.Purpose purpose) {
    return (int)
        s.trials().values().stream()
            .map(t -> t.trial())
            .filter(t -> t.purpose() == purpose && t.profile().equals(profile))
            .count();
  }
}
