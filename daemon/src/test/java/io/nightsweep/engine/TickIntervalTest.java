package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
class TickIntervalTest {
  private static final Duration SHORTEST = LookPace.OF_A_SHARED_QUEUE.shortest();

  private final TickInterval interval =
      new TickInterval(LookPace.OF_A_SHARED_QUEUE, new SplittableRandom(1));

  /** The second error in a row halts the sweep: see {@code WedgeTest}. */
  @Test
  void howeverSlowTheClusterPeopleHearOfAnErrorWithinAMinute() {
    for (int i = 0; i < 50; i++) {
      interval.after(Duration.ofMinutes(1), 0);
    }
    assertThat(interval.after(Duration.ofMinutes(1), 0)).isGreaterThan(Duration.ofSeconds(50));

    assertThat(interval.after(Duration.ofMinutes(1), 1)).isLessThan(Duration.ofSeconds(1));
    assertThat(interval.after(Duration.ofMinutes(1), 2)).isGreaterThan(Duration.ofSeconds(50));
  }

  @Test
  void anErrorThatStaysIsLookedIntoMoreAndMoreSeldom() {
    assertThat(interval.after(Duration.ZERO, 2)).isBetween(SHORTEST, SHORTEST.multipliedBy(8));
    assertThat(interval.after(Duration.ZERO, 1_000))
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
  }

  /**
   * Otherwise jobs of this machine would end a minute before the daemon of a busy machine sees it.
   */
  @Test
  void aQueueOfOurOwnIsLookedAtEveryTwoSecondsHoweverBusyTheMachine() {
    TickInterval own = new TickInterval(LookPace.OF_AN_OWN_QUEUE, new SplittableRandom(1));
    for (int i = 0; i < 50; i++) {
      own.after(Duration.ofSeconds(3), 0);
    }
    assertThat(own.after(Duration.ofSeconds(3), 0)).isLessThan(Duration.ofMillis(2_300));
  }

  @Test
  void aBusyClusterIsAskedSeldom() {
    assertThat(interval.after(Duration.ofMillis(10), 0)).isLessThan(Duration.ofSeconds(1));
    for (int i = 0; i < 50; i++) {
      interval.after(Duration.ofSeconds(1), 0);
    }
    assertThat(interval.after(Duration.ofSeconds(1), 0))
        .isBetween(Duration.ofSeconds(17), Duration.ofSeconds(23));
  }

  /** Otherwise an ended job would wait for a minute, many times, after a controller's restart. */
  @Test
  void oneStalledAnswerIsForgottenWithinTwoMinutes() {
    Duration waited = Duration.ZERO;
    Duration next = interval.after(Duration.ofMinutes(2), 0);
    while (next.compareTo(Duration.ofSeconds(2)) > 0) {
      waited = waited.plus(next);
      next = interval.after(Duration.ofMillis(10), 0);
    }
    assertThat(waited).isLessThan(Duration.ofMinutes(2));
  }
}
