package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Event.SweepFinished.Outcome;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sweeps of the real allreduce on the real four-node Slurm whose right answer is known. */
@Tag("verdicts")
class LabVerdictsTest {
  private static final String CELL =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        {kind: kernels, kernel: allreduce, sizes: 131072, dtype: f32, iterations: 16, trials: 24, warmup: 8}
      plan: kernels
      playbook: kernels
      """;

  /** An MCA variable that nothing reads: eight profiles that differ in name only. */
  @Test
  void eightProfilesThatAreAllTheSameDeclareNoWinner() throws Exception {
    SweepState end =
        walk(
            CELL
                + "budget: {jobs: 26, hours: 1}\n"
                + "policy: {baselineRuns: 3, confirmRuns: 4, jobTimeLimit: 2m}\n"
                + "profiles:\n"
                + IntStream.rangeClosed(1, 8)
                    .mapToObj(i -> "  same-" + i + ": {env: {OMPI_MCA_crash_test: " + i + "}}\n")
                    .collect(Collectors.joining()));
    assertThat(Standings.winner(end)).isEmpty();
    assertThat(end.phase())
        .isInstanceOfSatisfying(
            Phase.Finished.class, f -> assertThat(f.outcome()).isNotEqualTo(Outcome.WINNER));
    assertThat(Standings.board(end).standings()).hasSize(8);
  }

  /**
   * 128 KiB on two ranks: recursive doubling takes about 41 us where the default's choice takes
   * about 68 us; the linear algorithm is no faster than the default.
   */
  @Test
  void anAlgorithmThatIsKnownToBeFasterIsFoundAndConfirmed() throws Exception {
    SweepState end =
        walk(
            CELL
                + "budget: {jobs: 34, hours: 1}\n"
                + "policy: {baselineRuns: 3, confirmRuns: 4, jobTimeLimit: 2m}\n"
                + "profiles:\n"
                + algorithm("recursive-doubling", 3)
                + algorithm("linear", 1)
                + "  same-1: {env: {OMPI_MCA_crash_test: 1}}\n"
                + "  same-2: {env: {OMPI_MCA_crash_test: 2}}\n");
    Standing winner = Standings.winner(end).orElseThrow();
    assertThat(winner.profile()).isEqualTo("recursive-doubling");
    assertThat(winner.verdict()).isInstanceOf(Verdict.Win.class);
    assertThat(Standings.publishedLogGain(winner)).isGreaterThan(Math.log(1.1));
    long fresh =
        end.trials().values().stream()
            .filter(t -> t.trial().purpose() == Purpose.CONFIRM && t.measurement().isPresent())
            .count();
    assertThat(fresh).isGreaterThanOrEqualTo(end.confirmations().getFirst().runsPerArm());
  }

  private static String algorithm(String name, int number) {
    return """
          %s:
            env:
              OMPI_MCA_coll_tuned_use_dynamic_rules: 1
              OMPI_MCA_coll_tuned_allreduce_algorithm: %d
        """
        .formatted(name, number);
  }

  private static SweepState walk(String sweep) throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path home = lab.home();
    assertThat(home.resolve("native/build/nightsweep-kernels")).isExecutable();
    SlurmCluster slurm =
        new SlurmCluster(
            CommandRunner.direct(SlurmCluster.environment(Optional.of(lab.slurmConf()))),
            InstantSource.system());
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", sweep, Resources.beside(Path.of("sweep.yaml")))
            .resolve(
                slurm,
                (key, question, choices) -> Optional.empty(),
                ZonedDateTime.now(ZoneOffset.UTC));
    StateDirectory state = new StateDirectory(lab.shared("verdicts-" + sweep.hashCode()));
    ClusterChoice choice =
        ClusterChoice.of(ClusterChoice.Kind.SLURM, Map.of("SLURM_CONF", lab.slurmConf()));
    SweepOrigin origin = new SweepOrigin(choice, "sweep.yaml", "test");
    try (Daemon daemon = Daemon.open(state, new RealParts(home), InstantSource.system())) {
      Reply reply = daemon.handle(new Request.Start("allreduce", sweep, origin, spec));
      assertThat(reply).isInstanceOf(Reply.Started.class);
      SweepDirectory directory = state.sweep(((Reply.Started) reply).sweep());
      await()
          .atMost(Duration.ofMinutes(8))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> JournalReader.fold(directory.journal()).isFinished());
      return JournalReader.fold(directory.journal());
    }
  }
}
