package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many jobs the budget allows, and which of them a wave may use, as tables. */
@Tag("verdicts")
class AllowanceTest {
  private static final Duration EACH = Duration.ofMinutes(10);

  /**
   * A plan of all kinds of waves at its beginning. A confirmation is worth 8 jobs, the cross-check
   * of a profile 4, the winner's evidence 1, the race 1 and up to 3 contenders, a stack 2.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # jobs | winner | may confirm | contenders | stacks | baseline | screen-1 | stack | race | confirm | cross | evidence | planned race | in the end
          60     | false  | false       | 0          | 0      | 60       | 60       | 60    | 60   | 60      | 60    | 60       | 60           | 60
          60     | false  | true        | 0          | 0      | 60       | 47       | 47    | 47   | 55      | 59    | 48       | 54           | 60
          60     | false  | true        | 1          | 0      | 60       | 45       | 45    | 47   | 55      | 59    | 48       | 54           | 60
          60     | false  | true        | 2          | 0      | 60       | 42       | 44    | 47   | 55      | 59    | 48       | 54           | 60
          60     | false  | true        | 5          | 0      | 60       | 41       | 43    | 47   | 55      | 59    | 48       | 54           | 60
          60     | false  | true        | 5          | 2      | 60       | 40       | 43    | 47   | 55      | 59    | 48       | 54           | 60
          60     | true   | false       | 0          | 0      | 60       | 55       | 55    | 55   | 55      | 59    | 56       | 55           | 47
          60     | true   | false       | 2          | 0      | 60       | 49       | 51    | 51   | 51      | 59    | 52       | 54           | 41
          60     | true   | true        | 1          | 0      | 60       | 47       | 47    | 47   | 55      | 59    | 48       | 54           | 39
          60     | true   | true        | 2          | 0      | 60       | 41       | 43    | 43   | 51      | 59    | 44       | 54           | 33
          10     | false  | true        | 1          | 0      | 10       | 0        | 0     | 0    | 6       | 9     | 0        | 4            | 10
          4      | false  | true        | 1          | 0      | 4        | 0        | 0     | 0    | 4       | 3     | 0        | 0            | 4
          """)
  void isSharedOut(
      int jobs,
      boolean winner,
      boolean mayConfirm,
      int contenders,
      int stacks,
      int baseline,
      int screen,
      int stack,
      int race,
      int confirm,
      int cross,
      int evidence,
      int plannedRace,
      int inTheEnd) {
    Allowance a =
        new Allowance(
            new Story(ofAllKinds()).state(), jobs, 1, winner, mayConfirm, contenders, stacks);
    assertThat(
            a.state().waves().stream()
                .map(w -> w.wave().name() + " " + a.spendableOn(w.wave()))
                .toList())
        .containsExactly(
            "baseline " + baseline,
            "screen-1 " + screen,
            "screen-2 " + screen,
            "stack " + stack,
            "race " + race,
            "confirm " + confirm,
            "cross " + cross,
            "evidence " + evidence);
    assertThat(a.spendableOnPlanned(wave(a, "race"))).isEqualTo(plannedRace);
    assertThat(a.spendableInTheEnd(wave(a, "screen-2"))).isEqualTo(inTheEnd);
  }

  /** Fresh runs and cross-checks are whole jobs; a share of short ones holds fewer of them. */
  @ParameterizedTest
  @CsvSource({"screen-1, 40", "race, 40", "confirm, 34", "cross, 38", "evidence, 28"})
  void aWholeJobTakesSeveralShortOnes(String name, int spendable) {
    Allowance a = new Allowance(new Story(ofAllKinds()).state(), 60, 1.5, false, true, 0, 0);
    assertThat(a.spendableOn(wave(a, name))).isEqualTo(spendable);
  }

  /** What the sweep still needs, and what first looks may take of 60 jobs, as it goes on. */
  @ParameterizedTest
  @CsvSource({
    "nothing,            false, 0, 9,  54",
    "nothing,            true,  2, 27, 36",
    "p4 left,            false, 0, 8,  54",
    "screen-1 is open,   false, 0, 8,  54",
    "the race is open,   false, 0, 10, 58",
    "the race is over,   true,  2, 24, 43",
  })
  void shrinksAsTheSweepGoesOn(
      String happened, boolean mayConfirm, int contenders, int needed, int firstLooks) {
    Story story = new Story(ofAllKinds());
    switch (happened) {
      case "nothing" -> {}
      case "p4 left" ->
          story.told(
              new Event.ProfileDropped(
                  "p4", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
      case "screen-1 is open" -> story.opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3");
      case "the race is open" -> story.opened("race", Trial.Purpose.SCREEN, "p1");
      case "the race is over" ->
          story.told(new Event.WaveSkipped("race", new Cause.SkippedByCommand()));
      default -> throw new IllegalArgumentException(happened);
    }
    Allowance a = new Allowance(story.state(), 60, 1, false, mayConfirm, contenders, 0);
    assertThat(a.needed()).isEqualTo(needed);
    assertThat(a.forFirstLooks(wave(a, "screen-1"))).isEqualTo(firstLooks);
  }

  /**
   * Jobs of ten minutes in a night of twelve hours, of which some have passed; when a job in flight
   * began, if it did. What it still takes is no one else's.
   */
  @ParameterizedTest(name = "after {0} min, in flight {1} since {2}: {3}")
  @CsvSource({
    "0,   0, , 72",
    "5,   0, , 71",
    "0,   1, , 71",
    "0,   2, , 70",
    "5,   1, 0, 71",
    "25,  1, 0, 69",
    "25,  2, 0, 68",
    "0,   1, 10, 71",
    "715, 0, , 0",
    "800, 0, , 0",
  })
  void isWhatTheTimeHolds(int passed, int inFlight, @Nullable Integer began, int jobs) {
    Story story =
        new Story(Specs.kernels(6)).opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3");
    for (int i = 1; i <= inFlight; i++) {
      story.submitted(new TrialId(i).attempt(1));
    }
    if (began != null) {
      Instant start = Story.NIGHTFALL.plus(Duration.ofMinutes(began));
      story.told(new Event.AttemptStarted(new TrialId(1).attempt(1), start, List.of("n1", "n2")));
    }
    SweepState s = story.state();
    Instant now = Story.NIGHTFALL.plus(Duration.ofMinutes(passed));
    assertThat(Allowance.of(s, now, Optional.of(EACH), false, false, 0, 0).jobs()).isEqualTo(jobs);
  }

  private static SweepSpec ofAllKinds() {
    SweepSpec plain = Specs.kernels(6);
    List<Wave> waves = new ArrayList<>(plain.plan().waves());
    waves.add(
        3, Specs.wave("stack", Wave.Kind.STACK, List.of(), Wave.When.IF_CONTENDER, 1, "together"));
    waves.add(
        Specs.wave(
            "evidence", Wave.Kind.WINNER_EVIDENCE, List.of(), Wave.When.IF_WINNER, 1, "why"));
    return plain.with(new Plan("all kinds", waves, List.of()));
  }

  private static Wave wave(Allowance a, String name) {
    return a.state().wave(name).orElseThrow().wave();
  }
}
