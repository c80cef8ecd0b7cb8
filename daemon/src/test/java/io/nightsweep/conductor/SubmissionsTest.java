package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is submitted next, as a table: three trials wait, and two jobs may be in flight. */
@Tag("verdicts")
class SubmissionsTest {
  /** What happened, in order, and the next submission. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing               | submit t0001a1
          t1                    | submit t0002a1
          t1 t2                 | -
          t1 t2 fail1           | submit t0003a1
          t1 t2 fail1 remedy1   | -
          t1 t2 fail1 remedy1 resubmit1 | submit t0001a2
          t1 fail1 remedy1 resubmit1 t2 fail2 | submit t0001a2
          pause                 | -
          halt                  | -
          pause resume          | submit t0001a1
          outage                | -
          outage answer         | submit t0001a1
          disk                  | submit t0001a1
          t1 spent              | -
          spent                 | -
          """)
  void next(String happened, String expected) {
    Story story =
        new Story(Specs.kernels(6, 40)).opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3");
    for (String one : happened.split(" ")) {
      happen(story, one);
    }
    assertThat(story.says(Submissions::next)).isEqualTo(expected);
  }

  /**
   * If the confirmation needs a candidate's job, the candidate waits, and runs when nothing else is
   * left: no job, no question about the nodes, no later round of a turn.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing   | -
          spent     | submit t0001a1
          t1 spent  | -
          spent t1  | -
          spent asked | -
          turn      | submit t0001a1
          turn t1 fail1 close1 | -
          none      | t0001 Dropped[why=BudgetSpent[wave=SCREEN]]
          """)
  void keptBack(String happened, String expected) {
    Story story =
        new Story(Specs.kernels(6, 40)).opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3");
    for (String one : happened.split(" ")) {
      happen(story, one);
    }
    assertThat(story.says(Submissions::keptBack)).startsWith(expected);
  }

  /**
   * Runs of the baseline are never kept back. If a running job may still free jobs, they wait for
   * it; afterwards they are dropped.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          t1 spent       | -
          t1 spent fail1 | t0002 Dropped[why=BudgetSpent[wave=BASELINE]]
          """)
  void whatTheBudgetDoesNotHoldIsDroppedOnceNothingRuns(String happened, String expected) {
    Story story =
        new Story(Specs.kernels(6, 40))
            .opened(
                "baseline",
                Trial.Purpose.CONTROL,
                "baseline-deployed",
                "baseline-deployed",
                "baseline-deployed");
    for (String one : happened.split(" ")) {
      happen(story, one);
    }
    assertThat(story.says(Submissions::next)).isEqualTo(expected);
  }

  /** The last jobs are the confirmation's: a race that they do not hold takes none with it. */
  @Test
  void whatIsDroppedLeavesTheTrialsOfOtherWaves() {
    Story story =
        new Story(Specs.kernels(6, 6))
            .opened("race", Trial.Purpose.SCREEN, "p1", "p2")
            .opened("confirm", Trial.Purpose.CONFIRM, "p3");
    assertThat(story.decisions(Submissions::next).stream().map(Story::words))
        .containsExactly(
            "t0001 Dropped[why=BudgetSpent[wave=RACE]]",
            "t0002 Dropped[why=BudgetSpent[wave=RACE]]");
    story.decisions(Submissions::next).forEach(d -> story.told(Story.event(d)));
    assertThat(story.says(Submissions::next)).isEqualTo("submit t0003a1");
  }

  /** A submission without a job ran nowhere: the number of jobs left does not change. */
  @Test
  void whatTheClusterRefusedTakesNothingOfTheBudget() {
    SweepState s =
        new Story(Specs.kernels(6, 40))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3")
            .refused(new TrialId(1).attempt(1))
            .submitted(new TrialId(2).attempt(1))
            .state();
    assertThat(s.jobsLeft()).contains(39);
    assertThat(s.jobsTaken()).isEqualTo(1);
  }

  private static void happen(Story story, String word) {
    switch (word) {
      case "nothing" -> {}
      case "t1" -> story.submitted(new TrialId(1).attempt(1));
      case "t2" -> story.submitted(new TrialId(2).attempt(1));
      case "fail1" -> story.failed(new TrialId(1).attempt(1), "flake");
      case "fail2" -> story.failed(new TrialId(2).attempt(1), "flake");
      case "remedy1" ->
          story.told(
              new Event.RemedyBegun(
                  new TrialId(1).attempt(1), "flake", Specs.playbook().otherwise()));
      case "resubmit1" ->
          story.told(
              new Event.RemedyEnded(
                  new TrialId(1).attempt(1),
                  Remedy.Then.RESUBMIT,
                  Event.RemedyEnded.Why.STEPS_DONE));
      case "pause" -> story.commanded(new Command.Pause());
      case "resume" -> story.commanded(new Command.Resume(Optional.empty(), Optional.empty()));
      case "halt" ->
          story.told(new Event.SweepHalted(new HaltCause.DaemonError(1, "test"), List.of()));
      case "outage" -> story.told(new Event.ClusterUnreachable("refused"));
      case "answer" -> story.told(new Event.ClusterReachable(Duration.ofMinutes(1)));
      case "disk" -> story.told(new Event.StorageFailed("full"));
      case "spent" ->
          story.commanded(
              new Command.SetBudget(Optional.of(1), Optional.empty(), Optional.empty()));
      case "asked" ->
          story.told(
              new Event.QuestionAsked(
                  "slow-nodes-t0009a1",
                  new QuestionAbout.FaultyNodes(List.of()),
                  Duration.ofMinutes(15),
                  true));
      case "turn" ->
          story.told(
              new Event.NightJoined("one"),
              new Event.TurnTaken(
                  new Budget(Optional.of(1), Optional.empty(), Optional.empty(), Optional.empty()),
                  new TreeMap<>()));
      case "close1" ->
          story.told(
              new Event.TrialClosed(
                  new TrialId(1), new Disposition.Failed("flake", Statement.words("as told"))));
      case "none" ->
          story.commanded(
              new Command.SetBudget(Optional.of(0), Optional.empty(), Optional.empty()));
      default -> throw new IllegalArgumentException(word);
    }
  }
}
