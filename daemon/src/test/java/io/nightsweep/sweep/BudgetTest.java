package io.nightsweep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a budget's time is over, as a table. */
@Tag("hours")
class BudgetTest {
  private static final Instant START = Instant.parse("2026-01-01T22:00:00Z");

  /** The hours of the budget and its absolute end, in hours after the start; the deadline. */
  @ParameterizedTest(name = "{0} h, until {1} h: {2} h")
  @CsvSource({", , ", "9, , 9", ", 8, 8", "9, 8, 8", "7, 8, 7", "8, 8, 8"})
  void theEarlierOfTwoTimesEndsIt(
      @Nullable Integer hours, @Nullable Integer until, @Nullable Integer deadline) {
    assertThat(budget(hours, until).deadline(START)).isEqualTo(after(deadline));
  }

  /** New hours are meant instead of every earlier limit of time, also of an absolute one. */
  @ParameterizedTest(name = "{0} h, until {1} h, then {2} h: {3} h")
  @CsvSource({"9, , 12, 12", ", 8, 12, 12", "9, 8, 12, 12", "9, 8, , 8"})
  void newHoursReplaceBothTimes(
      @Nullable Integer hours,
      @Nullable Integer until,
      @Nullable Integer given,
      @Nullable Integer deadline) {
    Command.SetBudget command =
        new Command.SetBudget(
            Optional.of(50), Optional.ofNullable(given).map(Duration::ofHours), Optional.empty());
    Budget changed = budget(hours, until).with(command);
    assertThat(changed.deadline(START)).isEqualTo(after(deadline));
    assertThat(changed.jobs()).contains(50);
    assertThat(changed.nodeHours()).contains(24.0);
  }

  private static Budget budget(@Nullable Integer hours, @Nullable Integer until) {
    return new Budget(
        Optional.of(40),
        Optional.ofNullable(hours).map(Duration::ofHours),
        after(until),
        Optional.of(24.0));
  }

  private static Optional<Instant> after(@Nullable Integer hours) {
    return Optional.ofNullable(hours).map(h -> START.plus(Duration.ofHours(h)));
  }
}
