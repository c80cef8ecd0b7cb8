package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sim.ReplayTable.ReplayCell;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nights on the measurements of a real sweep of a 671B model, with the noise drawn anew. */
@Tag("verdicts")
@Tag("slow")
class ReplayTest {
  private static final Timing JOB = Timing.of(Duration.ofMinutes(10));

  @Test
  void theTableHoldsWhatTheNightConcluded() {
    ReplayCell fsdp = ReplayTable.named("FSDP=8 sgd-v3");
    assertThat(fsdp.profiles()).hasSize(24);
    assertThat(fsdp.gain("G_ag1G_only")).isCloseTo(Math.log1p(0.116), within(1e-4));
    assertThat(fsdp.gain("nccl_chan8")).isCloseTo(Math.log1p(0.0426), within(1e-12));
    assertThat(fsdp.responses().get("E_pipelined_all")).isInstanceOf(Response.Fails.class);
    ReplayCell pp = ReplayTable.named("PP=8 sgd-v3");
    assertThat(pp.profiles()).hasSize(27);
    assertThat(pp.gain("restore_ag_default")).isCloseTo(Math.log1p(0.0104), within(1e-4));
    assertThat(pp.best()).isCloseTo(Math.log1p(0.048), within(1e-4));
  }

  @ParameterizedTest
  @CsvSource({
    "FSDP=8 sgd-v3, 0.008, 0.02",
    "PP=8 sgd-v3, 0.008, 0.015",
    "PP=8 sgd-v3, 0.027, 0.05"
  })
  void theWinnerIsAmongTheTrulyBest(String name, double noise, double most) {
    ReplayCell cell = ReplayTable.named(name);
    List<Double> missed = new ArrayList<>();
    for (int seed = 0; seed < 8; seed++) {
      Night.Result night = night(cell, noise, seed);
      Standings.winner(night.state())
          .ifPresent(
              winner -> {
                assertThat(cell.gain(winner.profile())).isPositive();
                missed.add(cell.best() - cell.gain(winner.profile()));
              });
    }
    assertThat(missed).hasSizeGreaterThanOrEqualTo(7);
    assertThat(missed.stream().mapToDouble(d -> d).average().orElseThrow()).isLessThan(most);
  }

  @Test
  void profilesThatRunOutOfMemoryFailOnceAndLeave() {
    Night.Result night = night(ReplayTable.cell("PP=8", "sgd-v3"), 0.008, 1);
    List<TrialState> failing =
        night.state().trials().values().stream()
            .filter(t -> t.trial().profile().startsWith("pp_all_"))
            .toList();
    assertThat(failing)
        .hasSize(2)
        .allMatch(t -> t.attempts().size() == 1)
        .allMatch(
            t ->
                t.disposition()
                    .filter(
                        d ->
                            d instanceof Disposition.Failed f && f.failureClass().equals("oom-gpu"))
                    .isPresent());
  }

  private static Night.Result night(ReplayCell cell, double noise, long seed) {
    DrawnSurface surface =
        new DrawnSurface(
            cell.responses(), cell.baselineTokensPerSecond(), Weather.usual(noise), seed);
    return new Night(
            Specs.screening(cell.profiles(), Optional.of(150), 8),
            surface,
            Faults.none(),
            JOB,
            seed)
        .run();
  }
}
