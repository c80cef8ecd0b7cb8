package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nights of random faults (jobs that end in every state, hang, vanish or are claimed twice, outages
 * of the controller, refused submissions, lost answers, full disks, files that their reader fails
 * on, remedies that take any time, crashes between journal and action) and of commands at any
 * moment. {@link Invariants} checks each decision and each event for these rules:
 *
 * <ol>
 *   <li>one disposition per trial, and coverage adds up
 *   <li>an attempt has at most one job in flight
 *   <li>every submission is on the pinned nodelist
 *   <li>no submission while paused, halted, stopping, in an outage or while a remedy is at work
 *   <li>the budget is never exceeded, in jobs or in time
 *   <li>a baseline is never dropped
 *   <li>a winner only after all planned fresh confirmation runs
 *   <li>a control in each block
 *   <li>no decision is repeated endlessly; a job is cancelled once; a night ends
 *   <li>remedy limits are kept, steps tried no more often than allowed, approvals requested
 *   <li>replay of any journal prefix, through its JSON, reaches the same state and decisions
 *   <li>decide is deterministic, and depends only on state and time
 * </ol>
 */
@Tag("verdicts")
@Tag("slow")
class DecideInvariantsTest {
  private static final long TELL_EVERY = 25_000;
  private static final double HOSTILE_FILES = 0.1;

  @Test
  void sixThousandSteps() throws Exception {
    walk(6_000);
  }

  @Test
  @Tag("night")
  void aMillionSteps() throws Exception {
    walk(1_000_000);
  }

  /** As many as {@code -Drough.nights} says, from {@code -Drough.from} on. */
  @Test
  @Tag("night")
  void manyNights() throws Exception {
    long from = Long.getLong("rough.from", 1);
    walk(from, from + Long.getLong("rough.nights", 14_000), Long.MAX_VALUE);
  }

  private static void walk(long wanted) throws Exception {
    assertThat(walk(1, Long.MAX_VALUE, wanted)).isGreaterThanOrEqualTo(wanted);
  }

  private static long walk(long from, long end, long wanted) throws Exception {
    long steps = 0;
    long told = TELL_EVERY;
    for (long seed = from; seed < end && steps < wanted; seed++) {
      try {
        steps += new RoughNight(seed, HOSTILE_FILES).run();
        if (steps >= told) {
          System.out.printf(Locale.ROOT, "%,d steps in %,d nights%n", steps, seed - from + 1);
          told += TELL_EVERY;
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("night " + seed + ": " + e.getMessage(), e);
      }
    }
    return steps;
  }
}
