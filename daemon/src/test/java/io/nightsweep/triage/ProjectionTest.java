package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Clue;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** From when on a running job's silence is a hang. */
class ProjectionTest {
  private static final Clue.Silence SILENCE =
      new Clue.Silence(
          Duration.ofMinutes(10), Optional.of(new Clue.Overdue(5, Duration.ofMinutes(3))));
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static Optional<Projection> projection(double seconds) {
    return Projection.of(OptionalDouble.of(seconds), NONE, 5, 15);
  }

  private static OptionalDouble pace(double... seconds) {
    Pace pace = new Pace();
    DoubleStream.of(seconds).forEach(pace::add);
    return pace.seconds();
  }

  @Test
  void shortStepsAreOverdueAtTheFloorAndLongOnesBeyondTheLimitOfSilence() {
    assertThat(Projection.limit(SILENCE, projection(0.05))).isEqualTo(Duration.ofMinutes(3));
    assertThat(Projection.limit(SILENCE, projection(36))).isEqualTo(Duration.ofMinutes(3));
    assertThat(Projection.limit(SILENCE, projection(36.2))).isEqualTo(Duration.ofSeconds(181));
    assertThat(Projection.limit(SILENCE, projection(720))).isEqualTo(Duration.ofHours(1));
    assertThat(Projection.limit(SILENCE, projection(1e300))).isGreaterThan(Duration.ofDays(365));
  }

  @Test
  void withoutAProjectionOrWhereNoneIsAskedForTheLimitOfSilenceHolds() {
    assertThat(Projection.limit(SILENCE, Optional.empty())).isEqualTo(Duration.ofMinutes(10));
    assertThat(Projection.limit(new Clue.Silence(Duration.ofMinutes(7)), projection(1)))
        .isEqualTo(Duration.ofMinutes(7));
  }

  @Test
  void ofStepsThatCompileAndOfTheEndNothingIsProjected() {
    OptionalDouble known = OptionalDouble.of(25);
    assertThat(Projection.of(known, known, -1, 15)).isEmpty();
    assertThat(Projection.of(known, known, 14, 15)).isEmpty();
    assertThat(Projection.of(known, known, 13, 15)).isPresent();
    assertThat(Projection.of(known, known, 14, 0)).isPresent();
    assertThat(Projection.of(NONE, NONE, 5, 15)).isEmpty();
  }

  @Test
  void aRunsOwnStepsCountBeforeTheBaselines() {
    OptionalDouble baseline = OptionalDouble.of(30);
    assertThat(Projection.of(OptionalDouble.of(25), baseline, 5, 15))
        .contains(new Projection(25, true));
    assertThat(Projection.of(NONE, baseline, 5, 15)).contains(new Projection(30, false));
  }

  @Test
  void thePaceIsTheMedianOfTheWarmSteps() {
    assertThat(pace(400, 90, 25, 26)).isEmpty();
    assertThat(pace(400, 90, 25, 26, 24)).hasValue(25);
    // A profiled window and a checkpoint.
    assertThat(pace(400, 90, 25, 26, 24, 180, 25, 25, 95)).hasValue(25);
    assertThat(pace(400, 90, Double.NaN, -1, 0, 25, 25)).isEmpty();
  }

  @Test
  void ofALongRunTheLatestStepsCount() {
    double[] seconds = new double[300];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = i < 200 ? 10 : 40;
    }
    assertThat(pace(seconds)).hasValue(40);
  }

  @Test
  void theWordsSayByWhat() {
    assertThat(Projection.words(Duration.ofSeconds(200), SILENCE, projection(25.25)))
        .isEqualTo("no new step for 200 seconds where one took 25.3 s by this run's own");
    assertThat(Projection.words(Duration.ofMinutes(11), SILENCE, Optional.empty()))
        .isEqualTo("no new step for 11 minutes");
  }
}
