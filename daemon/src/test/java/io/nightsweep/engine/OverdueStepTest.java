package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the engine gives up a job with steps that have stopped, in virtual time. */
@Tag("recovery")
class OverdueStepTest {
  private static final Duration TICK = Duration.ofSeconds(20);
  private static final Duration SHORT_TICK = Duration.ofSeconds(1);

  @TempDir private Path scratch;

  private record GivenUp(Duration silence, Diagnosis diagnosis, SweepState end) {}

  @Test
  void shortStepsAreGivenUpLongBeforeTenMinutesAndTriedOnceMore() throws Exception {
    GivenUp hang = hang(packed(), steps(5, 25), TICK);
    assertThat(hang.silence()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(3).plus(TICK));
    assertThat(Phrases.EN.text(hang.diagnosis().detail())).contains("25.0 s earlier in this run");
    assertMeasuredAfterwards(hang);
  }

  @Test
  void veryLongStepsAreWaitedForBeyondTenMinutes() throws Exception {
    GivenUp hang = hang(packed(), steps(5, 720), TICK);
    Duration twoSteps = Duration.ofMinutes(24);
    assertThat(hang.silence()).isBetween(twoSteps, twoSteps.plus(TICK));
    assertMeasuredAfterwards(hang);
  }

  @Test
  void withTooFewStepsTheBaselineThatTheSweepHasMeasuredCounts() throws Exception {
    GivenUp hang = hang(packed(), steps(1, 25), TICK);
    Duration due = Duration.ofSeconds((long) (5 * SampleNight.STEP_SECONDS));
    assertThat(hang.silence()).isBetween(due, due.plus(TICK));
    assertThat(Phrases.EN.text(hang.diagnosis().detail())).contains("50.0 s in the baseline");
  }

  @Test
  void beforeTheFirstStepNothingIsProjected() throws Exception {
    GivenUp hang = hang(packed(), "0: starting\n", TICK);
    assertThat(hang.diagnosis().failureClass()).isEqualTo("hang-before-memstats");
    assertThat(hang.silence()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(10).plus(TICK));
  }

  /** Until the log is read for steps again, it is unknown whether there is a newer one. */
  @Test
  void aJobIsNotGivenUpBetweenTwoReadings() throws Exception {
    Files.createDirectories(scratch.resolve("playbooks"));
    Files.writeString(
        scratch.resolve("playbooks/hasty.yaml"),
        "about: hasty\nextends: maxtext-rocm\nlimits: {step-times: 1, step-floor: 1s}\n");
    Playbook hasty = new Playbooks(Resources.beside(scratch.resolve("sweep.yaml"))).read("hasty");
    GivenUp hang = hang(hasty, steps(5, 0.5), SHORT_TICK);
    Duration reading = Settings.defaults().progressInterval();
    assertThat(hang.silence()).isBetween(reading, reading.plus(SHORT_TICK));
  }

  private static Playbook packed() throws Exception {
    return new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("maxtext-rocm");
  }

  /** The log of a job that compiles in its first step. */
  private static String steps(int last, double seconds) {
    return IntStream.rangeClosed(0, last)
        .mapToObj(
            i ->
                "0: completed step: %d, seconds: %.3f, Tokens/s/device: 971.8, loss: 10.3\n"
                    .formatted(i, i == 0 ? 300 : seconds))
        .collect(Collectors.joining());
  }

  /** A candidate's first job stops after this log; its next one measures. */
  private GivenUp hang(Playbook playbook, String log, Duration tick) throws Exception {
    Sample sample =
        new Sample(
            "a hang",
            "hang-after-step0",
            "hang-after-step0",
            log,
            Optional.empty(),
            -1,
            15,
            Optional.empty(),
            0);
    SampleNight night =
        new SampleNight(
            scratch.resolve("night"),
            playbook,
            sample,
            SampleNight.CANDIDATE,
            1,
            Optional.empty(),
            tick);
    SweepState end = night.run(s -> false);
    Map<AttemptId, Instant> last = new HashMap<>();
    for (Entry entry : night.entries()) {
      switch (entry.event()) {
        case Event.AttemptStarted e -> last.put(e.attempt(), e.startedAt());
        case Event.AttemptProgressed e -> last.put(e.attempt(), entry.at());
        case Event.AttemptGivenUp e -> {
          return new GivenUp(
              Duration.between(Objects.requireNonNull(last.get(e.attempt())), entry.at()),
              e.diagnosis(),
              end);
        }
        default -> {}
      }
    }
    throw new AssertionError("no job was given up");
  }

  private static void assertMeasuredAfterwards(GivenUp hang) {
    assertThat(hang.diagnosis().failureClass()).isEqualTo("hang-after-step0");
    assertThat(hang.end().trials().values())
        .filteredOn(t -> t.trial().profile().equals(SampleNight.CANDIDATE))
        .anySatisfy(
            t -> {
              assertThat(t.attempts()).hasSize(2);
              assertThat(t.disposition()).get().isInstanceOf(Disposition.Measured.class);
            });
  }
}
