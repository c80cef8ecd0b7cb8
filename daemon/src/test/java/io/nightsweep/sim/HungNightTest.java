package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that hang in a night of the packed plan, detected by the packed playbook's silences. */
@Tag("recovery")
@Tag("slow")
class HungNightTest {
  @TempDir private Path repository;

  @Test
  void aHungJobIsGivenUpLongBeforeItsTimeLimitAndTriedAgain() throws Exception {
    Night.Result night = night(0.2);
    List<AttemptState> hung =
        night.state().attempts().filter(a -> a.givenUp().isPresent()).toList();
    Duration limit = night.state().spec().policy().jobTimeLimit();
    assertThat(hung)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            a -> {
              assertThat(a.givenUp().orElseThrow().failureClass()).startsWith("hang");
              assertThat(a.end().orElseThrow().state()).isEqualTo(JobEnd.State.CANCELLED);
              assertThat(held(a)).isLessThan(limit);
            });
    assertThat(night.state().isFinished()).isTrue();
    assertThat(night.state().trials().values().stream().filter(t -> t.attempts().size() > 1))
        .as("hung trials that were tried again")
        .isNotEmpty()
        .anySatisfy(HungNightTest::measuredAfterAHang);
  }

  @Test
  void aSweepTeachesTheNextOneHowManyJobsHang() throws Exception {
    SweepState hung = night(0.2).state();
    Assumptions learned =
        Assumptions.of(hung.spec(), List.of(hung), Optional.empty(), Optional.empty());
    assertThat(learned.hangs().value()).isBetween(0.05, 0.4);
    assertThat(learned.flakes().value()).isZero();
    assertThat(learned.faults().rate(Faults.Kind.JOB_HANGS)).isEqualTo(learned.hangs().value());
  }

  private static void measuredAfterAHang(TrialState trial) {
    assertThat(trial.attempts().getFirst().judgement().orElseThrow())
        .isInstanceOf(Judgement.Failed.class);
    assertThat(trial.measurement()).isPresent();
  }

  private static Duration held(AttemptState attempt) {
    return Duration.between(
        attempt.startedAt().orElseThrow(), attempt.end().orElseThrow().endedAt());
  }

  private Night.Result night(double hangs) throws Exception {
    return new ShippedNights(repository, "FSDP=8", 1)
        .result(ShippedNights.Truth.NOTHING, Faults.none().with(Faults.Kind.JOB_HANGS, hangs), 3);
  }
}
