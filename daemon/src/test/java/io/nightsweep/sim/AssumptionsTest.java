package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job's duration is known from the model's own history before the first job ran. */
@Tag("shipped")
class AssumptionsTest {
  private static final SweepSpec SPEC = Specs.kernels(3, 20);

  @Test
  void aSweepOfTheModelTeachesTheNextOneEvenInAnotherParallelism() {
    SweepState earlier = night(SPEC, Duration.ofMinutes(17));
    SweepSpec next = in("ranks=4");
    assertThat(expected(next, List.of(earlier)))
        .isBetween(Duration.ofMinutes(14), Duration.ofMinutes(20));
    assertThat(Assumptions.of(next, List.of(earlier), Optional.empty(), Optional.empty()).job())
        .satisfies(
            job -> {
              assertThat(job.from()).isEqualTo("as sweep night showed");
              assertThat(job.value() * 1000)
                  .isEqualTo((double) expected(next, List.of(earlier)).toMillis());
            });
  }

  @Test
  void theSameParallelismTeachesMoreThanALaterSweepOfAnother() {
    SweepState same = night(SPEC, Duration.ofMinutes(17));
    SweepState other = night(in("ranks=4"), Duration.ofMinutes(6));
    assertThat(expected(SPEC, List.of(other, same))).isGreaterThan(Duration.ofMinutes(14));
  }

  @Test
  void whatTheFileSaysAndAnotherModelLeaveItAsItIs() {
    SweepState earlier = night(SPEC, Duration.ofMinutes(17));
    SweepSpec told = SPEC.with(SPEC.policy().expecting(Duration.ofMinutes(9)));
    assertThat(expected(told, List.of(earlier))).isEqualTo(Duration.ofMinutes(9));
    assertThat(Assumptions.of(told, List.of(), Optional.empty(), Optional.empty()).job().from())
        .startsWith("the sweep's expectedJob");
    Cell cell = SPEC.cell();
    SweepSpec model =
        Specs.in(SPEC, new Cell("gemm", cell.parallelism(), cell.nodes(), Optional.empty()));
    assertThat(Assumptions.expecting(model, List.of(earlier)).policy().expectedJob()).isEmpty();
  }

  private static Duration expected(SweepSpec spec, List<SweepState> earlier) {
    return Assumptions.expecting(spec, earlier).policy().expectedJob().orElseThrow();
  }

  private static SweepSpec in(String parallelism) {
    return Specs.in(
        SPEC, new Cell(SPEC.cell().model(), parallelism, SPEC.cell().nodes(), Optional.empty()));
  }

  private static SweepState night(SweepSpec spec, Duration job) {
    return new Night(spec, Specs.surface(0.05, 0.005), Faults.none(), job, 1).run().state();
  }
}
