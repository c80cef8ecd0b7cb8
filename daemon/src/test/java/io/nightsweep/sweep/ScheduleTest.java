package io.nightsweep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The waves of a sweep, and those that people and the search add. */
@Tag("sweep")
class ScheduleTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final Command.Origin PERSON = new Command.Origin(Command.Origin.Door.CLI, "me");

  private static final List<Wave> PLAN =
      List.of(
          wave("baseline", Wave.Kind.BASELINE),
          wave("screen-1", Wave.Kind.SCREEN),
          wave("screen-2", Wave.Kind.SCREEN),
          wave("stack", Wave.Kind.STACK),
          wave("race", Wave.Kind.RACE),
          wave("confirm", Wave.Kind.CONFIRM));

  @Test
  void addedProfilesRunBeforeTheScreeningThatHasNotBegun() {
    SweepSchedule begun = SweepSchedule.of(PLAN).wave("screen-1", w -> w.opened(NIGHTFALL));
    assertThat(names(begun.adding(profiles("mine"), PERSON)))
        .containsExactly("baseline", "screen-1", "added+1", "screen-2", "stack", "race", "confirm");
  }

  @Test
  void laterAdditionsFollowEarlierOnes() {
    SweepSchedule schedule =
        SweepSchedule.of(PLAN).adding(profiles("mine"), PERSON).adding(profiles("yours"), PERSON);
    assertThat(names(schedule))
        .containsExactly(
            "baseline", "added+1", "added+2", "screen-1", "screen-2", "stack", "race", "confirm");
  }

  /** The race waits for them, since it chooses among all screened profiles. */
  @Test
  void anOpenRaceWaitsForAddedProfiles() {
    SweepSchedule racing = SweepSchedule.of(PLAN);
    for (String wave : List.of("baseline", "screen-1", "screen-2", "stack")) {
      racing = racing.wave(wave, w -> w.opened(NIGHTFALL).closed(NIGHTFALL));
    }
    racing = racing.wave("race", w -> w.opened(NIGHTFALL));
    assertThat(names(racing.adding(profiles("mine"), PERSON)))
        .containsExactly("baseline", "screen-1", "screen-2", "stack", "added+1", "race", "confirm");
  }

  @Test
  void anotherAxisBringsItsOwnScreeningAndKeepsAllElse() {
    SweepSchedule schedule =
        SweepSchedule.of(PLAN)
            .wave("baseline", w -> w.opened(NIGHTFALL).closed(NIGHTFALL))
            .adding(profiles("mine"), PERSON);
    SweepSchedule led =
        schedule.led(
            List.of(
                wave("baseline", Wave.Kind.BASELINE),
                wave("screen-1", Wave.Kind.SCREEN),
                wave("race", Wave.Kind.RACE),
                wave("confirm", Wave.Kind.CONFIRM)));
    assertThat(names(led)).containsExactly("baseline", "added+1", "screen-1", "race", "confirm");
    assertThat(led.waves().getFirst()).isEqualTo(schedule.waves().getFirst());
  }

  @Test
  void theWavesBeginAnewAndTheirJobsStaySpent() {
    SweepSchedule spent =
        SweepSchedule.of(PLAN)
            .wave("baseline", w -> w.opened(NIGHTFALL).closed(NIGHTFALL))
            .planning(List.of(trial(1), trial(2)))
            .spending(2);
    SweepSchedule anew = spent.anew();
    assertThat(anew.waves()).allMatch(WaveState::isPending);
    assertThat(anew.attempts()).isEqualTo(2);
    assertThat(anew.repinnedAfter()).contains(new TrialId(2));
    assertThat(SweepSchedule.of(PLAN).anew().repinnedAfter()).isEmpty();
  }

  private static List<String> names(SweepSchedule schedule) {
    return schedule.waves().stream().map(w -> w.wave().name()).toList();
  }

  private static Wave wave(String name, Wave.Kind kind) {
    return new Wave(name, kind, List.of(), Wave.When.ALWAYS, 1, Statement.NONE);
  }

  private static Trial trial(int number) {
    return new Trial(new TrialId(number), "baseline", 1, Trial.Purpose.SCREEN, "p", "tag", 1);
  }

  private static List<Profile> profiles(String name) {
    return List.of(Profile.of(name, Map.of(), Map.of(), Map.of()));
  }
}
