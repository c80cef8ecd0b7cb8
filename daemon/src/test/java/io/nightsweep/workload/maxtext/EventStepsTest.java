package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.Scalar;
import io.nightsweep.measure.Window;
import io.nightsweep.sweep.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Steps from TensorBoard's event files, compared with the other records of the same real trainings:
 * a release that prints its steps, and one that only wrote them into its metrics file.
 */
@Tag("xla")
class EventStepsTest {
  private static final Path RECORDED = Path.of("src/test/resources/events");
  private static final Window WINDOW = new Window(5, 14);

  /** Half of the last digit that the log prints. */
  private static final double PRINTED = 0.0005;

  @TempDir private Path job;
  private final List<Integer> told = new ArrayList<>();

  @Test
  void theFiguresAreThoseOfTheLogToItsLastDigit() throws IOException {
    List<Measurement.MeasuredStep> log = steps(List.of(shared("maxtext-1.4.0.log")));
    List<Measurement.MeasuredStep> events = steps(eventsOf("maxtext-1.4.0.events"));
    assertThat(log).hasSize(15);
    same(events, log, PRINTED);
    assertThat(mean(eventsOf("maxtext-1.4.0.events")))
        .isCloseTo(mean(List.of(shared("maxtext-1.4.0.log"))), within(PRINTED));
  }

  @Test
  void theFiguresAreThoseOfTheMetricsFile() throws IOException {
    LogFile metrics =
        new LogFile(RECORDED.resolve("maxtext-1.5.0.jsonl"), new Rank(-1, "nightsweep-metrics-0"));
    List<Measurement.MeasuredStep> events = steps(eventsOf("maxtext-1.5.0.events"));
    assertThat(told)
        .isEqualTo(events.stream().map(Measurement.MeasuredStep::index).toList())
        .hasSize(15);
    // The precision of a float.
    same(events, steps(List.of(metrics)), 1e-4);
  }

  @Test
  void whereTheLogHasStepsTheEventsSayNothing() throws IOException {
    List<LogFile> both = new ArrayList<>(eventsOf("maxtext-1.5.0.events"));
    both.addFirst(shared("maxtext-1.4.0.log"));
    assertThat(steps(both)).isEqualTo(steps(List.of(shared("maxtext-1.4.0.log"))));
    assertThat(told).hasSize(30);
  }

  /** If a log and a metrics file have equally many steps, the log's figures count. */
  @Test
  void theLogComesBeforeAMetricsFileOfAsManySteps() throws IOException {
    StringBuilder metrics = new StringBuilder();
    for (int step = 0; step < 15; step++) {
      metrics.append(
          "{\"learning/loss\": 1, \"perf/step_time_seconds\": 1,"
              + " \"perf/per_device_tokens_per_sec\": 1, \"step\": "
              + step
              + "}\n");
    }
    Path file = Files.writeString(job.resolve("nightsweep-metrics-0.jsonl"), metrics);
    LogFile beside = new LogFile(file, new Rank(-1, "nightsweep-metrics-0"));
    List<Measurement.MeasuredStep> log = steps(List.of(shared("maxtext-1.4.0.log")));
    assertThat(steps(List.of(beside))).hasSize(15);
    assertThat(steps(List.of(beside, shared("maxtext-1.4.0.log")))).isEqualTo(log);
    Files.writeString(
        file, metrics + metrics.toString().lines().toList().getLast().replace("14", "15"));
    assertThat(steps(List.of(beside, shared("maxtext-1.4.0.log"))).getFirst())
        .as("it has more of them")
        .isNotEqualTo(log.getFirst());
  }

  @Test
  void theLaterOfTwoFilesCounts() throws IOException {
    eventsOf("maxtext-1.4.0.events");
    Path later =
        Files.copy(
            RECORDED.resolve("maxtext-1.5.0.events"),
            job.resolve("7-JAX/tiny/tensorboard/tiny/events.out.tfevents.1795344999.n1"));
    List<LogFile> both = JobLogs.events(job.resolve("7-JAX"));
    assertThat(both).hasSize(2);
    assertThat(steps(both))
        .isEqualTo(
            steps(
                List.of(
                    new LogFile(
                        later, new Rank(-1, "events.out.tfevents.1"), LogFile.Form.EVENTS))));
  }

  @Test
  void aStepCountsWhenItIsWhole() {
    ScalarSteps steps = new ScalarSteps();
    assertThat(steps.accept(new Scalar(0, 8, "learning/loss"))).isEmpty();
    assertThat(steps.accept(new Scalar(0, 2, "perf/step_time_seconds"))).isEmpty();
    assertThat(steps.accept(new Scalar(0, 9, "eval/avg_loss"))).isEmpty();
    // No token count while the batch size ramps up: the next step shows that this one has ended.
    StepLine first = steps.accept(new Scalar(1, 7, "learning/loss")).orElseThrow();
    assertThat(first.seconds()).isEqualTo(2);
    assertThat(first.tgs()).isNaN();
    assertThat(steps.accept(new Scalar(1, 3, "perf/step_time_seconds"))).isEmpty();
    assertThat(steps.accept(new Scalar(1, 5, "perf/per_device_tokens_per_sec")).orElseThrow().tgs())
        .isEqualTo(5);
    assertThat(steps.accept(new Scalar(2, Double.NaN, "learning/loss"))).isEmpty();
    assertThat(steps.accept(new Scalar(2, -1, "perf/step_time_seconds"))).isEmpty();
    assertThat(steps.accept(new Scalar(2, 5, "perf/per_device_tokens_per_sec"))).isEmpty();
  }

  /**
   * In whatever order a release writes its scalars, each step is reported once with all of them.
   */
  @Test
  void aStepIsTheSameInEachOrderOfItsScalars() {
    Map<String, Double> scalars =
        Map.of(
            MetricsLine.LOSS, 8.0,
            MetricsLine.WORD, 2.0,
            MetricsLine.TFLOPS, 3.0,
            MetricsLine.TOKENS, 5.0);
    List<String> tags = List.copyOf(scalars.keySet());
    int orders = 0;
    for (int order = 0; order < 256; order++) {
      int[] at = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
      List<String> row = Arrays.stream(at).mapToObj(tags::get).distinct().toList();
      // After a step's tokens the reader cannot wait for a count of operations that a release may
      // not write.
      boolean isShort =
          row.size() == 4
              && row.subList(2, 4).equals(List.of(MetricsLine.TOKENS, MetricsLine.TFLOPS));
      if (row.size() == 4 && !isShort) {
        ScalarSteps steps = new ScalarSteps();
        List<StepLine> whole = new ArrayList<>();
        for (int step = 0; step < 3; step++) {
          for (String tag : row) {
            steps
                .accept(new Scalar(step, Objects.requireNonNull(scalars.get(tag)), tag))
                .ifPresent(whole::add);
          }
        }
        assertThat(whole).as("%s", row).extracting(StepLine::step).containsExactly(0, 1, 2);
        assertThat(whole)
            .as("%s", row)
            .allMatch(s -> s.seconds() == 2 && s.tgs() == 5 && s.tflops() == 3)
            .allMatch(s -> s.loss().orElse(0) == 8);
        orders++;
      }
    }
    assertThat(orders).isEqualTo(22);
  }

  @Test
  void onlyRealFoldersOfTheJobAreSearched() throws IOException {
    Path outside = Files.createDirectories(job.resolve("outside/tensorboard/run"));
    Files.writeString(outside.resolve("events.out.tfevents.1.n1"), "");
    Path folder = Files.createDirectories(job.resolve("7-JAX"));
    Files.createSymbolicLink(folder.resolve("link"), job.resolve("outside"));
    assertThat(JobLogs.events(folder)).isEmpty();
    assertThat(JobLogs.events(job)).hasSize(1);
  }

  private static void same(
      List<Measurement.MeasuredStep> events, List<Measurement.MeasuredStep> others, double most) {
    assertThat(events).hasSameSizeAs(others);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).index()).isEqualTo(others.get(i).index());
      assertThat(events.get(i).seconds()).isCloseTo(others.get(i).seconds(), within(most));
      assertThat(events.get(i).value()).isCloseTo(others.get(i).value(), within(most));
      assertThat(events.get(i).loss().orElseThrow())
          .isCloseTo(others.get(i).loss().orElseThrow(), within(most));
    }
  }

  /** In MaxText's layout below the job's folder. */
  private List<LogFile> eventsOf(String name) throws IOException {
    Path run = Files.createDirectories(job.resolve("7-JAX/tiny/tensorboard/tiny"));
    Path file = run.resolve("events.out.tfevents.1795344650.n1");
    Files.deleteIfExists(file);
    Files.copy(RECORDED.resolve(name), file);
    return JobLogs.events(job.resolve("7-JAX"));
  }

  private static LogFile shared(String name) {
    return LogFile.shared(RECORDED.resolve(name));
  }

  private List<Measurement.MeasuredStep> steps(List<LogFile> files) throws IOException {
    return Measuring.steps(read(files), Measuring.TOKENS);
  }

  private double mean(List<LogFile> files) throws IOException {
    return Measuring.of(read(files), WINDOW, Measuring.TOKENS).orElseThrow().value();
  }

  private TrainingLog read(List<LogFile> files) throws IOException {
    JobLog log = new JobLog(() -> files);
    TrainingLog training =
        log.listener(
            TrainingLog.class,
            () -> new TrainingLog(Set.of(), (line, step) -> told.add(step.index())));
    log.finish();
    return training;
  }

  /** Each followed file takes memory and is read at every tick. */
  @Test
  @Tag("guard")
  void aJobWithThousandsOfFilesIsFollowedToALimit() throws Exception {
    Path logs = Files.createDirectories(job.resolve("7-many/ray_logs"));
    for (int i = 0; i < JobLogs.MOST_FILES + 100; i++) {
      Files.createFile(logs.resolve("worker-" + i + ".out"));
    }
    assertThat(JobLogs.ray(job.resolve("7-many"))).hasSize(JobLogs.MOST_FILES);
  }
}
