package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two sweeps gets the nodes next, as a table, and what it may spend. */
@Tag("hours")
class TurnsTest {
  private static final Instant NOW = Story.NIGHTFALL.plus(Duration.ofHours(3));
  private static final int JOBS = 60;
  private static final Budget NOTHING =
      new Budget(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** The finished waves of a and what its p3 gains in percent; the same for b; the next sweep. */
  @ParameterizedTest(name = "a: {0} ({1} %), b: {2} ({3} %): {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                                     | 0 |                            | 0 | a
          baseline                   | 0 |                            | 0 | a
                                     | 0 | baseline                   | 0 | b
          baseline screen-1          | 0 | baseline                   | 0 | b
          baseline screen-1          | 2 | baseline                   | 0 | a
          baseline screen-1 screen-2 | 0 | baseline screen-1 screen-2 | 2 | b
          baseline screen-1 screen-2 | 2 | baseline screen-1 screen-2 | 0 | a
          baseline screen-1 screen-2 | 0 |                            | 0 | b
          baseline screen-1 screen-2 | 2 |                            | 0 | a
          """)
  void goesWhereMoreIsExpectedOfANodeHour(
      @Nullable String overOfA, int gainOfA, @Nullable String overOfB, int gainOfB, String next) {
    SweepState a = story("a", overOfA, gainOfA).state();
    SweepState b = story("b", overOfB, gainOfB).state();
    Turns.Next found = Turns.next(List.of(a, b), NOW).orElseThrow();
    assertThat(found.to()).as("%s", found.taken()).isEqualTo(next);
    assertThat(found.from()).isEmpty();
    assertThat(found.taken().expected()).containsOnlyKeys("a", "b");
  }

  @Test
  void aJobOnTheNodesKeepsTheTurnAndItsEndGivesItOn() {
    Story a = story("a", null, 0).told(new Event.TurnTaken(NOTHING, new TreeMap<>()));
    SweepState b = story("b", "baseline screen-1 screen-2", 2).state();
    a.opened("baseline", Trial.Purpose.CONTROL, "baseline-deployed");
    assertThat(Turns.next(List.of(a.state(), b), NOW)).as("a trial waits").isEmpty();
    AttemptId attempt = a.state().open().firstKey().attempt(1);
    a.submitted(attempt);
    assertThat(Turns.next(List.of(a.state(), b), NOW)).as("a job runs").isEmpty();
    a.judged(attempt, new Judgement.Done(Statement.words("as told")))
        .told(new Event.TrialClosed(attempt.trial(), new Disposition.Measured(attempt)));
    assertThat(Turns.next(List.of(a.state(), b), NOW))
        .hasValueSatisfying(next -> assertThat(next.from()).contains("a"));
  }

  @Test
  void withoutTheTurnNothingIsPlannedOrSentAndOfEachTurnThereIsOneRound() {
    Story a = story("a", null, 0);
    assertThat(a.says(Waves::plan)).isEqualTo("-");
    a.told(new Event.TurnTaken(NOTHING, new TreeMap<>()));
    assertThat(a.says(Waves::plan)).isEqualTo("open baseline");
    a.opened("baseline", Trial.Purpose.CONTROL, "baseline-deployed");
    assertThat(a.says(Submissions::next)).startsWith("submit");
    AttemptId attempt = a.state().open().firstKey().attempt(1);
    a.submitted(attempt)
        .judged(attempt, new Judgement.Done(Statement.words("as told")))
        .told(
            new Event.TrialClosed(attempt.trial(), new Disposition.Measured(attempt)),
            new Event.WaveClosed("baseline"));
    assertThat(a.says(Waves::plan)).as("its round is over").isEqualTo("-");
    a.told(new Event.TurnTaken(NOTHING, new TreeMap<>()));
    assertThat(a.says(Waves::plan)).isEqualTo("open screen-1");
    a.opened("screen-1", Trial.Purpose.SCREEN, "p1");
    assertThat(a.says(Submissions::next)).startsWith("submit");
    a.told(new Event.TurnPassed("b"));
    assertThat(a.says(Submissions::next)).isEqualTo("-");
  }

  @Test
  void whoeverHasTheTurnMaySpendAllThatTheOthersLeft() {
    SweepState a = story("a", "baseline screen-1", 0).state();
    SweepState b =
        story("b", "baseline screen-1 screen-2", 0)
            .told(
                new Event.SweepFinished(
                    Event.SweepFinished.SweepOutcome.NO_WINNER, new SweepEnding.NoneBetter()))
            .state();
    Turns.Next next = Turns.next(List.of(a, b), NOW).orElseThrow();
    assertThat(next.to()).isEqualTo("a");
    assertThat(next.taken().share().jobs()).contains(2 * JOBS - b.jobsTaken());
    assertThat(next.taken().share().until())
        .as("two sweeps of twelve hours, one after the other")
        .contains(Story.NIGHTFALL.plus(Duration.ofHours(24)));
  }

  /** The later of two hours applies to the whole night; the durations add up. */
  @ParameterizedTest(name = "a until {0} h, b until {1} h: {2} h")
  @CsvSource({"8, 9, 9", "9, 8, 9", "8, , 8", "30, 40, 24"})
  void theNightEndsWithTheLaterOfTheirHours(int a, @Nullable Integer b, int expected) {
    Turns.Next next =
        Turns.next(List.of(until("a", a), b == null ? until("b") : until("b", b)), NOW)
            .orElseThrow();
    assertThat(next.taken().share().until())
        .contains(Story.NIGHTFALL.plus(Duration.ofHours(expected)));
  }

  private static SweepState until(String sweep, int... hours) {
    SweepSpec spec = Specs.kernels(6, JOBS);
    Budget budget =
        new Budget(
            spec.budget().jobs(),
            spec.budget().duration(),
            IntStream.of(hours)
                .mapToObj(h -> Story.NIGHTFALL.plus(Duration.ofHours(h)))
                .findFirst(),
            Optional.empty());
    return new Story(sweep, spec.within(budget)).told(new Event.NightJoined("one")).state();
  }

  @Test
  void aPausedSweepLeavesItsTurnToTheOther() {
    Story a = story("a", "baseline screen-1", 2);
    SweepState b = story("b", "baseline", 0).state();
    a.told(new Event.TurnTaken(NOTHING, new TreeMap<>())).commanded(new Command.Pause());
    assertThat(Turns.next(List.of(a.state(), b), NOW))
        .hasValueSatisfying(
            next -> {
              assertThat(next.from()).contains("a");
              assertThat(next.to()).isEqualTo("b");
            });
  }

  /** Otherwise the others would wait all night for a sweep that nobody resumes. */
  @Test
  @Tag("guard")
  void aSweepThatIsPausedAmidARemedyLeavesItsTurnAndTouchesNoNodeBeforeItHasItAgain() {
    Story a = story("a", null, 0).told(new Event.TurnTaken(NOTHING, new TreeMap<>()));
    SweepState b = story("b", "baseline screen-1 screen-2", 2).state();
    a.opened("baseline", Trial.Purpose.CONTROL, "baseline-deployed");
    AttemptId attempt = a.state().open().firstKey().attempt(1);
    Remedy.RemedyStep resume =
        new Remedy.RemedyStep(
            "resume-node",
            new TreeMap<>(),
            Duration.ofMinutes(1),
            Optional.empty(),
            2,
            Remedy.Then.HALT);
    Remedy remedy =
        new Remedy(
            List.of(resume),
            Remedy.Then.RESUBMIT,
            2,
            Remedy.RemedyScope.TRIAL,
            false,
            Remedy.Then.SET_ASIDE);
    a.submitted(attempt)
        .failed(attempt, "node-fail")
        .told(new Event.RemedyBegun(attempt, "node-fail", remedy));
    assertThat(a.says(Trials::settle)).isEqualTo("step 0");
    a.told(new Event.RemedyStepBegun(attempt, 0)).commanded(new Command.Pause());
    assertThat(Turns.next(List.of(a.state(), b), NOW)).as("a step is at work").isEmpty();
    a.told(new Event.RemedyStepDone(attempt, 0, StepEnd.failed(Statement.words("no"))));
    assertThat(Turns.next(List.of(a.state(), b), NOW))
        .hasValueSatisfying(next -> assertThat(next.to()).isEqualTo("b"));
    a.told(new Event.TurnPassed("b"))
        .commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    assertThat(a.says(Trials::settle)).as("b has the nodes").isEqualTo("-");
    assertThat(Turns.next(List.of(a.state()), NOW))
        .hasValueSatisfying(next -> assertThat(next.to()).isEqualTo("a"));
    a.told(new Event.TurnTaken(NOTHING, new TreeMap<>()));
    assertThat(a.says(Trials::settle)).isEqualTo("step 0");
  }

  private static Story story(String sweep, @Nullable String over, int gain) {
    Story story = new Story(sweep, Specs.kernels(6, JOBS));
    Stream.ofNullable(over)
        .flatMap(waves -> Stream.of(waves.split(" ")))
        .forEach(wave -> story.walkedThrough(wave, trial -> value(trial, gain)));
    return story.told(new Event.NightJoined("one"));
  }

  /** A little noise, the same for all trials with the same number. */
  private static double value(Trial trial, int gain) {
    double noise = ((trial.id().number() * 7919) % 11 - 5) * 0.0008;
    return 1000 * (1 + noise) * (trial.profile().equals("p3") ? 1 + gain / 100.0 : 1);
  }
}
