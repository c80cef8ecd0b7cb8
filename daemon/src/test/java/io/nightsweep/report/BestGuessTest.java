package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * If the budget allows no confirmation, the best profile is a guess, and the report says how good.
 */
@Tag("people")
class BestGuessTest {
  @Test
  void oneThatWasMeasuredAloneIsNotTheBestOfMany() {
    String page = page(List.of("p3"), 4);
    assertThat(page).contains("The best guess so far is `p3` at +").doesNotContain("picked as");
  }

  @Test
  void theBestOfSeveralSaysOfHowMany() {
    assertThat(page(List.of("p1", "p2", "p3", "p4", "p5", "p6"), 10))
        .contains("The best guess so far is `p3` at +")
        .contains("It was picked as the best of 3 that were measured");
  }

  private static String page(List<String> candidates, int jobs) {
    SweepState end =
        Specs.night(
                Specs.screening(candidates, Optional.of(jobs), 2),
                Specs.surface(0.03, 0.005),
                Duration.ofMinutes(10),
                1)
            .run()
            .state();
    return TuningReport.of(end, List.of());
  }
}
