package io.nightsweep.bench;

import static io.nightsweep.bench.LocalStudies.STUDY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.Submission;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study that was interrupted or killed resumes from what it measured. */
@Tag("kernels")
class ResumedStudyIT {
  @TempDir Path folder;

  private LocalStudies studies;

  @BeforeEach
  void open() {
    studies = new LocalStudies(folder);
  }

  @Test
  void anInterruptedStudyLeavesWhatItMeasuredAndALaterRunGoesOnFromThere() throws Exception {
    // The command is told to end once the first shard is done and the second runs.
    Thread runner = Thread.currentThread();
    Bench bench =
        new Bench(
            studies.cluster(),
            Duration.ofMillis(200),
            line -> {
              if (line.startsWith("cpu-mpi-n2-r2-normal, attempt 1")) {
                runner.interrupt();
              }
            });
    BenchRequest first = studies.request(Optional.empty());
    Bench.BenchOutcome outcome = bench.run(studies.study(STUDY), first);
    assertThat(outcome.isInterrupted()).isTrue();
    assertThat(outcome.dispositions())
        .isEqualTo(Map.of("measured", 2L, "failed", 1L, "unsupported", 1L));
    assertThat(outcome.obstacles().getFirst())
        .isEqualTo("interrupted: the command was told to end");
    assertThat(studies.latest()).doesNotExist();

    WorkFolder work = WorkFolder.latest(first.folder(), "study", first.rehearsal()).orElseThrow();
    // A rehearsal does not resume the study, and the study does not resume a rehearsal.
    StudyRehearsal otherwise = new StudyRehearsal(8, Optional.empty());
    assertThat(WorkFolder.latest(first.folder(), "study", otherwise)).isEmpty();
    assertThat(work.folder()).isEqualTo(first.work());
    List<String> words = new ArrayList<>();
    Bench.BenchOutcome whole =
        new Bench(studies.cluster(), Duration.ofMillis(200), words::add)
            .run(studies.study(STUDY), studies.resuming(work));
    assertThat(whole.obstacles()).isEmpty();
    assertThat(whole.dispositions()).isEqualTo(Map.of("measured", 3L, "unsupported", 1L));
    assertThat(words).anyMatch(w -> w.equals("goes on from run-1: 2 cases are measured"));
    assertThat(words).noneMatch(w -> w.contains("-allreduce, attempt"));
    // Nothing of the first run is lost: neither its jobs nor its attempts nor its control
    // documents.
    assertThat(whole.bundle().manifest().sources())
        .extracting(s -> s.shard() + " " + s.attempt())
        .contains("cpu-mpi-n2-r2-allreduce 1", "cpu-mpi-n2-r2-normal 2");
    assertThat(LocalStudies.attempts(whole)).filteredOn(r -> r.attempt() == 1).hasSize(3);
    assertThat(Files.readString(whole.bundle().folder().resolve("projection.csv")))
        .contains("cpu-mpi-n2-r2-allreduce,1,2,", "cpu-mpi-n2-r2-normal,2,1,");
    Path another = Files.writeString(folder.resolve("another"), "another build");
    assertThatThrownBy(
            () -> work.hold(studies.request(another, Optional.empty()), studies.study(STUDY)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run-1 was measured otherwise (program");
    assertThat(whole.bundle().folder().resolve("control/cpu-mpi-n2-r2-allreduce-attempt-1.json"))
        .exists();
  }

  /**
   * The command is killed as by SIGKILL: the job runs on, and the resumed command waits for it and
   * adopts its rows.
   */
  @Test
  void whatAJobMeasuredAfterItsCommandWasKilledIsTakenOver() throws Exception {
    BenchRequest first = studies.request(Optional.empty());
    assertThatThrownBy(() -> studies.run(killing(studies.cluster(), "-r2-normal-"), STUDY, first))
        .hasMessage("killed");
    Path rows = first.work().resolve(Bundle.ATTEMPTS);
    Files.writeString(rows, Files.readString(rows) + "{\"schema\":1,\"sh");
    hasAllThatWasMeasured(first, "run-1");
  }

  /** The second command's attempt is not the shard's first one. */
  @Test
  void whatAJobMeasuredAfterTwoCommandsWereKilledIsTakenOver() throws Exception {
    BenchRequest first = studies.request(Optional.empty());
    assertThatThrownBy(
            () -> studies.run(killing(studies.cluster(), "-r2-allreduce-"), STUDY, first))
        .hasMessage("killed");
    BenchRequest second = studies.resuming(latest(first));
    assertThatThrownBy(() -> studies.run(killing(studies.cluster(), "-r2-normal-"), STUDY, second))
        .hasMessage("killed");
    hasAllThatWasMeasured(first, "run-2");
  }

  private static WorkFolder latest(BenchRequest first) throws IOException {
    return WorkFolder.latest(first.folder(), "study", first.rehearsal()).orElseThrow();
  }

  /** The resumed command starts no job. */
  private void hasAllThatWasMeasured(BenchRequest first, String run) throws Exception {
    List<String> words = new ArrayList<>();
    Bench.BenchOutcome whole =
        new Bench(studies.cluster(), Duration.ofMillis(200), words::add)
            .run(studies.study(STUDY), studies.resuming(latest(first)));
    assertThat(whole.obstacles()).isEmpty();
    assertThat(whole.dispositions()).isEqualTo(Map.of("measured", 3L, "unsupported", 1L));
    assertThat(words)
        .noneMatch(w -> w.contains(", attempt "))
        .contains("goes on from " + run + ": 3 cases are measured");
    assertThat(whole.bundle().manifest().sources())
        .extracting(Manifest.JobSource::shard)
        .containsExactly("cpu-mpi-n2-r2-allreduce", "cpu-mpi-n2-r2-normal");
  }

  /** Ends the command at its first look at a job of this name. */
  private static Cluster killing(Cluster real, String name) {
    AtomicBoolean queued = new AtomicBoolean();
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, arguments) -> {
              if (queued.get() && method.getName().equals("observe")) {
                throw new IllegalStateException("killed");
              }
              if (arguments != null && arguments[0] instanceof Submission s) {
                queued.set(s.jobName().contains(name));
              }
              return method.invoke(real, arguments);
            });
  }
}
