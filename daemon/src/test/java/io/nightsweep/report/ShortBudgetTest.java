package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * If a person starts again with the suggested budget, the end does not make the same suggestion
 * again.
 */
@Tag("people")
class ShortBudgetTest {
  private static final Pattern JOBS = Pattern.compile("\\{jobs: (\\d+)");

  @ParameterizedTest
  @CsvSource({"6,1", "6,2", "6,3", "8,4", "8,5", "8,6", "12,7", "12,8", "12,9", "16,10"})
  void theBudgetThatTheEndNamesCarriesThePlan(int jobs, long seed) {
    Matcher enough = JOBS.matcher(ShortBudget.of(night(jobs, seed)).orElseThrow().enough());
    assertThat(enough.find()).isTrue();
    int more = Integer.parseInt(enough.group(1));
    assertThat(more).isGreaterThan(jobs);
    assertThat(ShortBudget.of(night(more, seed))).isEmpty();
  }

  private static SweepState night(int jobs, long seed) {
    return Specs.night(
            Specs.kernels(6, jobs), Specs.surface(0.04, 0.005), Duration.ofMinutes(4), seed)
        .run()
        .state();
  }

  @Test
  void whatIsSpentOfASmallBudgetIsNotZero() {
    assertThat(Progress.spent(0.0081, 0.2)).isEqualTo("0.008 of 0.2 node-hours");
    assertThat(Progress.spent(1.23, 8)).isEqualTo("1.23 of 8 node-hours");
  }
}
