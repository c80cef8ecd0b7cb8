package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.triage.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole sweeps of jobs that hang with their cause in the log, and of slow compilers. */
@Tag("shipped")
@Tag("slow")
class RunningCauseTest {
  private static final String NAMED =
      "3: SLURMD_NODENAME=" + SampleNight.NODE + "\n0: Memstats: After params initialized:\n";
  private static final String COMPILED =
      "0: Total memory size: 271.3 GB, Output size: 80.1 GB, Temp size: 181.2 GB, Argument size: 90.0 GB, Host temp size: 0.0 GB\n";
  private static final String COMPILING =
      "0: [Compiling module jit_train_step for GPU] Very slow compile? If you want to file a bug\n";

  @TempDir private Path scratch;

  /**
   * The procedure's own case: the NIC is reset, its links are counted, and the job is run again.
   */
  @Test
  void aNicThatFailsUnderAHangingJobIsResetOnItsNode() throws Exception {
    SampleNight night =
        hanging(
            NAMED + COMPILED + "3: ionic_comp_msn cqe with error, status 12\n",
            SampleNight.CANDIDATE,
            1);
    SweepState s = night.run(state -> false);
    assertThat(classes(s)).containsExactly("nic-fault");
    assertThat(failures(s).getFirst().diagnosis().subjects()).containsExactly(SampleNight.NODE);
    assertThat(failures(s).getFirst().diagnosis().quotes().getFirst().text())
        .contains("ionic_comp_msn");
    assertThat(EveryClassTest.steps(s)).containsExactly("reset-nic ok", "verify-nic ok");
    assertThat(Files.readString(scratch.resolve("night/modules")).lines())
        .isNotEmpty()
        .allMatch(line -> line.endsWith(" on " + SampleNight.NODE));
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertMeasured(s, SampleNight.CANDIDATE, 2);
    // Not before the silence shows that the job makes no progress: a transport may recover.
    assertThat(waited(night)).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
  }

  @Test
  void aNicThatFailsUnderABaselineHaltsTheSweepOnlyWhenItsLinksStayDown() throws Exception {
    String log = NAMED + COMPILED + "3: ionic_comp_msn cqe with error, status 12\n";
    SweepState cured = hanging(log, Profile.BASELINE, 1).run(state -> false);
    assertThat(classes(cured)).containsExactly("nic-fault");
    assertThat(cured.phase()).isInstanceOf(Phase.Finished.class);
    SweepState stays =
        night("stays", log, Profile.BASELINE, 1, Optional.of("verify-nic")).run(state -> false);
    assertThat(stays.phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class,
            halted -> {
              assertThat(Sentences.of(halted.cause(), Phrases.EN)).startsWith("nic-fault");
              assertThat(halted.failingNodes()).containsExactly(SampleNight.NODE);
              assertThat(Sentences.tried(halted.cause(), Phrases.EN))
                  .contains("reset-nic (ok)", "verify-nic (failed");
            });
  }

  /** Ranks that are cancelled report errors about each other: the silence remains the cause. */
  @Test
  void whatACancellationLeavesInALogIsNoCause() throws Exception {
    SampleNight night = hanging(NAMED + COMPILED, SampleNight.CANDIDATE, 1);
    night.onCancel("2: NCCL WARN Timeout waiting for peer\n2: The tasks have crashed\n");
    SweepState s = night.run(state -> false);
    assertThat(classes(s)).containsExactly("hang-before-step0");
  }

  /** A log may arrive late over a shared filesystem. */
  @Test
  void aCauseThatTheLogTellsAfterTheJobWasGivenUpCounts() throws Exception {
    SampleNight night = hanging(NAMED + COMPILED, SampleNight.CANDIDATE, 1);
    night.onCancel("3: ionic_comp_msn cqe with error, status 12\n2: The tasks have crashed\n");
    SweepState s = night.run(state -> false);
    assertThat(classes(s)).containsExactly("nic-fault");
    assertMeasured(s, SampleNight.CANDIDATE, 2);
  }

  /** The probe of the packed plan ends within a minute and compiles nothing of the cell. */
  @Test
  void behindAProbeTheFirstCompilationOfTheCellIsWaitedForAnHour() throws Exception {
    SampleNight night =
        new SampleNight(
            scratch.resolve("probed"),
            packed(),
            sample(COMPILING),
            Profile.BASELINE,
            1,
            Optional.empty(),
            Duration.ofSeconds(20),
            List.of(
                new Wave(
                    "flag-probe",
                    Wave.Kind.PROBE,
                    List.of(),
                    Wave.When.ALWAYS,
                    1,
                    Statement.words("what exists"))));
    SweepState s = night.run(state -> false);
    assertThat(s.wave("flag-probe").orElseThrow().trials()).hasSize(1);
    assertThat(waited(night)).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
    assertThat(classes(s)).containsExactly("slow-compile-baseline");
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
  }

  /** A control that compiles for hours is lost; the night has other controls. */
  @Test
  void aBaselineThatHasRunBeforeHaltsNothingWhenItCompilesTooLong() throws Exception {
    SampleNight night = hanging(COMPILING, Profile.BASELINE, 1000);
    night.failAfter(1);
    SweepState s = night.run(state -> false);
    assertThat(classes(s)).isNotEmpty().containsOnly("slow-compile-baseline");
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.isDropped(Profile.BASELINE)).isFalse();
  }

  /** Perturbed once, then skipped; the night continues. */
  @Test
  void aLaterSlowCompilationIsPerturbedAndThenSkipped() throws Exception {
    SampleNight night = hanging(COMPILING + size(), SampleNight.CANDIDATE, 2);
    SweepState s = night.run(state -> false);
    assertThat(waited(night)).isBetween(Duration.ofMinutes(15), Duration.ofMinutes(16));
    assertThat(classes(s)).containsExactly("slow-compile", "slow-compile");
    assertThat(s.isDropped(SampleNight.CANDIDATE)).isTrue();
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.profile(SampleNight.CANDIDATE).flags())
        .containsEntry("--xla_gpu_all_gather_combine_threshold_bytes", "1072693248");
    SampleNight cured =
        night("cured", COMPILING + size(), SampleNight.CANDIDATE, 1, Optional.empty());
    assertMeasured(cured.run(state -> false), SampleNight.CANDIDATE, 2);
  }

  /** The same profile crashes the GPU's runtime twice, with nothing in the kernel's log. */
  @Test
  void aProfileThatCrashesTheRuntimeTwiceIsSetAsideAndTheNightGoesOn() throws Exception {
    String crash = "3: SLURMD_NODENAME=" + SampleNight.NODE + "\n3: HSA_STATUS_ERROR_EXCEPTION\n";
    SweepState s =
        night("twice", crash, SampleNight.CANDIDATE, 1000, Optional.empty()).run(state -> false);
    assertThat(classes(s)).containsExactly("gpu-fault", "gpu-fault");
    assertThat(s.isDropped(SampleNight.CANDIDATE)).isTrue();
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(EveryClassTest.steps(s).stream().filter("check-dmesg ok"::equals)).hasSize(2);
    SweepState broken =
        night("broken", crash, SampleNight.CANDIDATE, 1000, Optional.of("check-dmesg"))
            .run(state -> false);
    assertThat(broken.phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class,
            halted ->
                assertThat(Sentences.tried(halted.cause(), Phrases.EN)).contains("GPU reset"));
  }

  /** The hardware broke at the second crash. */
  @Test
  void theKernelsLogIsReadAtTheLastCrashToo() throws Exception {
    String crash = "3: SLURMD_NODENAME=" + SampleNight.NODE + "\n3: HSA_STATUS_ERROR_EXCEPTION\n";
    SampleNight night = night("late", crash, SampleNight.CANDIDATE, 1000, Optional.empty());
    night.run(
        state ->
            classes(state).size() == 1 && EveryClassTest.steps(state).contains("check-dmesg ok"));
    Files.writeString(
        scratch.resolve("late/dmesg"),
        "2099-01-01T00:00:00,000000+00:00 amdgpu: GPU reset begin!\n");
    SweepState s = night.run(state -> false);
    assertThat(s.phase()).isInstanceOf(Phase.Halted.class);
    assertThat(classes(s)).containsExactly("gpu-fault", "gpu-fault");
  }

  private static String size() {
    return "0: --xla_gpu_all_gather_combine_threshold_bytes\n";
  }

  private SampleNight hanging(String log, String profile, int failures) throws Exception {
    return night("night", log, profile, failures, Optional.empty());
  }

  private SampleNight night(
      String name, String log, String profile, int failures, Optional<String> failingStep)
      throws Exception {
    return new SampleNight(
        scratch.resolve(name), packed(), sample(log), profile, failures, failingStep);
  }

  private static Sample sample(String log) {
    return new Sample(
        "a running job", "any", "any", log, Optional.empty(), -1, 15, Optional.empty(), 0);
  }

  private static Playbook packed() throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("maxtext-rocm");
    return EveryClassTest.hasty(playbook);
  }

  private static List<Judgement.Failed> failures(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.judgement().stream())
        .filter(Judgement.Failed.class::isInstance)
        .map(Judgement.Failed.class::cast)
        .toList();
  }

  private static List<String> classes(SweepState s) {
    return failures(s).stream().map(f -> f.diagnosis().failureClass()).toList();
  }

  private static void assertMeasured(SweepState s, String profile, int attempts) {
    assertThat(s.trials().values())
        .filteredOn(t -> t.trial().profile().equals(profile))
        .anySatisfy(
            t -> {
              assertThat(t.attempts()).hasSize(attempts);
              assertThat(t.disposition()).get().isInstanceOf(Disposition.Measured.class);
            });
  }

  /** From the start of the first job that was given up. */
  private static Duration waited(SampleNight night) {
    Map<Object, Instant> started = new HashMap<>();
    for (Entry entry : night.entries()) {
      if (entry.event() instanceof Event.AttemptStarted e) {
        started.put(e.attempt(), e.startedAt());
      } else if (entry.event() instanceof Event.AttemptGivenUp e) {
        return Duration.between(Objects.requireNonNull(started.get(e.attempt())), entry.at());
      }
    }
    throw new AssertionError("no job was given up");
  }
}
