package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.Effective;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a job's logs show about it. */
@Tag("xla")
class MaxTextReadingTest extends MaxTextCheckout {
  @BeforeEach
  void makeACheckout() throws IOException {
    layOutDs();
  }

  @Test
  void aJobThatSawOtherFlagsIsVoid() throws Exception {
    String hash = AG_1G.hash();
    assertThat(effective(AG_1G, "0: XLA_FLAGS=--a=1 " + FLAG + "=1073741824\n", hash, "--a=1"))
        .isInstanceOf(Effective.AsScheduled.class);
    assertThat(
            effective(
                AG_1G, "0: XLA_FLAGS=" + FLAG + "=1073741824 " + FLAG + "=8589934592\n", hash, ""))
        .isInstanceOfSatisfying(
            Effective.Different.class,
            d ->
                assertThat(Phrases.EN.text(d.found()))
                    .contains(FLAG + "=8589934592 instead of " + FLAG + "=1073741824"));
    assertThat(effective(AG_1G, "0: XLA_FLAGS=" + FLAG + "=1073741824\n", "other", ""))
        .isInstanceOf(Effective.Different.class);
    // _env_XLA_FLAGS replaces the whole string and drops the image's own.
    assertThat(effective(AG_1G, "0: XLA_FLAGS=" + FLAG + "=1073741824\n", hash, "--image=1"))
        .isInstanceOf(Effective.Different.class);
    assertThat(effective(AG_1G, "", hash, "--a=1")).isInstanceOf(Effective.Different.class);
  }

  @Test
  void aVariableThatAnotherRankSawOtherwiseVoidsTheRun() throws Exception {
    Profile p = Profile.of("proto", Map.of(), Map.of("NCCL_PROTO", "Simple"), Map.of());
    String one = "0: NCCL_PROTO=Simple\n0: NIGHTSWEEP_PROFILE_HASH=" + p.hash() + "\n";
    assertThat(read(p, one).effective()).isInstanceOf(Effective.AsScheduled.class);
    assertThat(read(p, one + one.replace("0:", "1:").replace("Simple", "LL")).effective())
        .isInstanceOf(Effective.Different.class);
  }

  @Test
  void aLogWithoutAnEnvironmentAttestsNothing() throws Exception {
    assertThat(read(AG_1G, "0: nothing\n").effective()).isInstanceOf(Effective.NotYet.class);
  }

  @Test
  void theWindowOfAProfiledRunAvoidsWhatIsProfiled() throws Exception {
    assertThat(rendered(Profile.baseline(), Purpose.EVIDENCE).window().from()).isEqualTo(5);
    assertThat(rendered(Profile.baseline(), Purpose.EVIDENCE).window().to()).isEqualTo(9);
    assertThat(rendered(Profile.baseline(), Purpose.SCREEN).window().from()).isEqualTo(5);
    assertThat(rendered(Profile.baseline(), Purpose.SCREEN).window().to()).isEqualTo(14);
    write(
        "configs/ds.gpu.yml",
        Files.readString(checkout.resolve("configs/ds.gpu.yml"))
            .replace("profiler: \"\"", "profiler: xplane"));
    assertThat(rendered(Profile.baseline(), Purpose.SCREEN).window().from()).isEqualTo(9);
  }

  @Test
  void theLogIsFoundByItsIdAlsoAfterItWasRenamed() throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Path log = outputs.resolve("14602-JAX-ds-x.log");
    Files.writeString(log, "");
    Workload.LaunchRequest request = request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of());
    Path job = folder.resolve("job.log");
    assertThat(workload.log(request, Optional.of(new JobId("14602")), job)).isEqualTo(log);
    Path renamed = outputs.resolve("14602-JAX-ds-x-TGS_1135.700.log");
    Files.move(log, renamed);
    Files.createDirectories(outputs.resolve("14602-JAX-ds-x-TGS_1135.700"));
    Files.writeString(outputs.resolve("146020-JAX-other.log"), "");
    assertThat(workload.log(request, Optional.of(new JobId("14602")), job)).isEqualTo(renamed);
    assertThat(workload.log(request, Optional.of(new JobId("9")), job)).isEqualTo(job);
  }

  @Test
  void raysOwnLogsFillWhatTheMainLogLacks() throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Path log = outputs.resolve("7-JAX-ds.log");
    Files.writeString(log, line(0) + line(1));
    Path ray = Files.createDirectories(outputs.resolve("7-JAX-ds/ray_logs/n1"));
    StringBuilder all = new StringBuilder();
    for (int step = 0; step < 15; step++) {
      all.append(line(step));
    }
    Files.writeString(ray.resolve("worker-1.out"), all);
    Workload.LaunchRequest request = request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of());
    JobLog job =
        new JobLog(
            () -> workload.logs(request, Optional.of(new JobId("7")), folder.resolve("job.log")));
    assertThat(job.path()).isEqualTo(log);
    Workload.WorkloadReading reading = workload.read(request, job);
    assertThat(reading.step()).isEqualTo(14);
    assertThat(reading.measurement()).isPresent();
  }

  /** Under Ray a job's main log may end before its workers' last words, which give the reason. */
  @Test
  void aFailureIsReadFromWhatRaysWorkersWrote() throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Files.writeString(
        outputs.resolve("7-JAX-ds.log"),
        line(0) + "== Training FAILED (exit=1, 14s) ==\nStatus: FAILED (exit 1)\n");
    Path ray = Files.createDirectories(outputs.resolve("7-JAX-ds/ray_logs/n2"));
    String worker = "worker-5a-01000000-4211";
    Files.writeString(ray.resolve(worker + ".out"), line(0) + line(1));
    Files.writeString(
        ray.resolve(worker + ".err"),
        "E1122 03:10:11.000 7 x.cc:1] RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9 bytes.\n");
    Workload.LaunchRequest request = request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of());
    JobLog job =
        new JobLog(
            () -> workload.logs(request, Optional.of(new JobId("7")), folder.resolve("job.log")));
    Diagnoser diagnoser =
        new PlaybookDiagnoser(
            new Playbooks(Resources.beside(folder.resolve("sweep.yaml")))
                .read("maxtext-rocm")
                .recognition());
    diagnoser.attend(job);
    JobEnd end =
        new JobEnd(
            JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD);
    Diagnosis diagnosis = diagnoser.diagnose(request.attempt(), end, job, 1, 15, Optional.empty());
    assertThat(diagnosis.failureClass()).isEqualTo("oom-gpu");
    assertThat(diagnosis.quotes().getFirst().text()).contains("RESOURCE_EXHAUSTED");
  }

  /** A worker has one file for its output and one for its errors, but is one process. */
  @Test
  void theStepsOfAWorkerShowThatItSurvivedTheErrorsInItsOtherFile() throws Exception {
    String early = "OSError: [Errno 116] Stale file handle\n";
    String late = "Traceback (most recent call last):\nflax.errors.AnErrorOfItsOwnError: no\n";
    assertThat(ofAWorker(early, line(0) + line(1) + line(2) + line(3), late))
        .isEqualTo("program-error");
    assertThat(ofAWorker(early, "", late)).isEqualTo("storage-error");
    // If both are read at once, their order is unknown.
    assertThat(ofAWorker("", line(0) + line(1) + line(2) + line(3), early))
        .isEqualTo("storage-error");
  }

  /**
   * @param early text that is read before the worker prints
   */
  private String ofAWorker(String early, String printed, String late) throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Files.writeString(outputs.resolve("7-JAX-ds.log"), "");
    Path ray = Files.createDirectories(outputs.resolve("7-JAX-ds/ray_logs/n2"));
    Path out = Files.writeString(ray.resolve("worker-5a-01000000-4211.out"), "");
    Path err = Files.writeString(ray.resolve("worker-5a-01000000-4211.err"), early);
    Workload.LaunchRequest request = request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of());
    JobLog job =
        new JobLog(
            () -> workload.logs(request, Optional.of(new JobId("7")), folder.resolve("job.log")));
    Diagnoser diagnoser =
        new PlaybookDiagnoser(
            new Playbooks(Resources.beside(folder.resolve("sweep.yaml")))
                .read("maxtext-rocm")
                .recognition(),
            Workloads::hearSteps);
    diagnoser.attend(job);
    job.look();
    Files.writeString(out, printed.replace("0: ", ""));
    Files.writeString(err, early + late);
    return diagnoser
        .diagnose(
            request.attempt(),
            new JobEnd(
                JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            job,
            3,
            15,
            Optional.empty())
        .failureClass();
  }

  private static String line(int step) {
    return "0: completed step: "
        + step
        + ", seconds: 1.0, TFLOP/s/device: 1, Tokens/s/device: 100, total_weights: 1, loss: 1\n";
  }

  private Effective effective(Profile profile, String flags, String hash, String base)
      throws IOException {
    return read(
            profile,
            flags
                + "0: NIGHTSWEEP_PROFILE_HASH="
                + hash
                + "\n0: NIGHTSWEEP_BASE_XLA_FLAGS="
                + base
                + "\n")
        .effective();
  }

  private Workload.WorkloadReading read(Profile profile, String text) throws IOException {
    Path log = Files.createTempFile(folder, "x", ".log");
    Files.writeString(log, text);
    return new MaxTextWorkload()
        .read(request(profile, Purpose.SCREEN, tag(), "FSDP=8", Map.of()), new JobLog(log));
  }
}
