package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Setting the machine's clock, forward or back, changes no wait and no silence of a sweep. */
@Tag("guard")
class SteadyClockTest {
  private static final Instant START = Instant.parse("2026-01-01T22:00:00Z");

  private Instant wall = START;
  private long nanos = Long.MAX_VALUE - 5;
  private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

  @Test
  void aJumpOfAnHourIsNotFollowedAndItsEndIsNoJump() {
    for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-3)}) {
      Instant before = clock.instant();
      pass(Duration.ofSeconds(30));
      wall = wall.plus(jump);
      assertThat(clock.instant()).isEqualTo(before.plusSeconds(30));
      pass(Duration.ofMinutes(5));
      assertThat(clock.instant()).isEqualTo(before.plusSeconds(330));
      wall = wall.minus(jump);
      assertThat(clock.instant()).isEqualTo(before.plusSeconds(330)).isEqualTo(wall);
    }
  }

  @Test
  void aTimeServersCorrectionsAreFollowedAndTimeNeverRunsBack() {
    Instant last = clock.instant();
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofSeconds(1));
      wall = wall.plusMillis(i % 2 == 0 ? 400 : -800);
      assertThat(clock.instant()).isAfterOrEqualTo(last);
      last = clock.instant();
    }
    // The wall clock lost 20 s in total, in small steps.
    assertThat(Duration.between(wall, clock.instant())).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aSweepThatIsTakenUpUnderAnEarlierClockGoesOnFromItsLastEvent() {
    Instant lastEvent = START.plus(Duration.ofHours(2));
    InstantSource its = HostedSweep.goingOnFrom(lastEvent, () -> wall);
    assertThat(its.instant()).isEqualTo(lastEvent);
    pass(Duration.ofSeconds(7));
    assertThat(its.instant()).isEqualTo(lastEvent.plusSeconds(7));
    assertThat(HostedSweep.goingOnFrom(START, () -> wall).instant()).isEqualTo(wall);
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }
}
