package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Clue;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** When a running job's silence counts as a hang. */
class ProjectionTest {
  private static final Clue.Silence SILENCE =
      new Clue.Silence(
          Duration.ofMinutes(10), Optional.of(new Clue.Overdue(5, Duration.ofMinutes(3))));
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static Optional<Projection> projection(double seconds) {
    return Projection.of(pace(seconds, seconds, seconds, seconds, seconds), NONE, 5, 15);
  }

  private static StepPace pace(double... seconds) {
    StepPace pace = new StepPace();
    DoubleStream.of(seconds).forEach(pace::add);
    return pace;
  }

  @Test
  void shortStepsAreOverdueAtTheFloorAndVeryLongOnesBeyondTheLimitOfSilence() {
    assertThat(Projection.limit(SILENCE, projection(0.05))).isEqualTo(Duration.ofMinutes(3));
    assertThat(Projection.limit(SILENCE, projection(36))).isEqualTo(Duration.ofMinutes(3));
    assertThat(Projection.limit(SILENCE, projection(36.2))).isEqualTo(Duration.ofSeconds(181));
    assertThat(Projection.limit(SILENCE, projection(119))).isEqualTo(Duration.ofSeconds(595));
    assertThat(Projection.limit(SILENCE, projection(121))).isEqualTo(Duration.ofMinutes(10));
    assertThat(Projection.limit(SILENCE, projection(299))).isEqualTo(Duration.ofMinutes(10));
    assertThat(Projection.limit(SILENCE, projection(720))).isEqualTo(Duration.ofMinutes(24));
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
    StepPace own = pace(400, 25, 25, 25, 25);
    OptionalDouble baseline = OptionalDouble.of(25);
    assertThat(Projection.of(own, baseline, -1, 15)).isEmpty();
    assertThat(Projection.of(own, baseline, 14, 15)).isEmpty();
    assertThat(Projection.of(own, baseline, 13, 15)).isPresent();
    assertThat(Projection.of(own, baseline, 14, 0)).isPresent();
    assertThat(Projection.of(pace(400, 25, 25, 25), NONE, 3, 15)).isEmpty();
  }

  @Test
  void aRunsOwnStepsCountBeforeTheBaselines() {
    OptionalDouble baseline = OptionalDouble.of(30);
    assertThat(Projection.of(pace(400, 25, 25, 25, 25), baseline, 4, 15))
        .contains(new Projection(25, true));
    assertThat(Projection.of(pace(400, 25, 25, 25), baseline, 3, 15))
        .contains(new Projection(30, false));
    // A profile that is far slower than the baseline.
    assertThat(Projection.of(pace(400, 240), baseline, 1, 15)).contains(new Projection(240, true));
  }

  @Test
  void thePaceIsTheMedianOfTheWarmSteps() {
    assertThat(pace(400, 90, 25, 26).seconds()).isEmpty();
    assertThat(pace(400, 90, 25, 26, 24).seconds()).hasValue(25);
    // A profiled window and a checkpoint.
    assertThat(pace(400, 90, 25, 26, 24, 180, 25, 25, 95).seconds()).hasValue(25);
    assertThat(pace(400, 90, Double.NaN, -1, 0, 25, 25).seconds()).isEmpty();
  }

  @Test
  void ofALongRunTheLatestStepsCount() {
    double[] seconds = new double[300];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = i < 200 ? 10 : 40;
    }
    assertThat(pace(seconds).seconds()).hasValue(40);
  }

  @Test
  void theWordsSayByWhat() {
    assertThat(said(Duration.ofSeconds(200), projection(25.25)))
        .isEqualTo("no new step for 200 seconds, while one took 25.3 s earlier in this run");
    assertThat(said(Duration.ofMinutes(11), Optional.empty()))
        .isEqualTo("no new step for 11 minutes");
    // For a log alone the length of the silence is unknown.
    assertThat(said(LogTriage.FOR_EVER, Optional.empty())).isEqualTo("no new step");
  }

  private static String said(Duration since, Optional<Projection> next) {
    return Phrases.EN.text(Projection.words(since, SILENCE, next));
  }
}
