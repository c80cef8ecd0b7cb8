package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sweeps of real kernels with known results on the real four-node Slurm. */
@Tag("verdicts")
@Tag("alone")
class LabVerdictsIT {
  private static final String EQUAL =
      cell(2, "sizes: 131072, iterations: 16, trials: 24, warmup: 8");

  /** Sets an MCA variable that nothing reads: eight profiles that differ only in name. */
  @Test
  void eightProfilesThatAreAllTheSameDeclareNoWinner() throws Exception {
    String sweep =
        EQUAL
            + "budget: {jobs: 26, hours: 1}\n"
            // Under any settings, a message between two ranks on two processors takes one of two
            // times.
            + "policy: {baselineRuns: 3, confirmRuns: 4, plausibleGain: 900%, jobTimeLimit: 2m}\n"
            + "profiles:\n"
            + IntStream.rangeClosed(1, 8)
                .mapToObj(i -> "  same-" + i + ": {env: {OMPI_MCA_crash_test: " + i + "}}\n")
                .collect(Collectors.joining());
    SweepState end = walk(sweep);
    // A sweep confirms at a level of 2 %: one false winner is allowed, two in a row are a fault.
    if (Standings.winner(end).isPresent()) {
      end = walk(sweep + "# once more\n");
    }
    assertThat(Standings.winner(end)).as(told(end)).isEmpty();
    assertThat(end.phase())
        .isInstanceOfSatisfying(
            Phase.Finished.class, f -> assertThat(f.outcome()).isNotEqualTo(SweepOutcome.WINNER));
    // The budget may end before all are screened, if slow messages make some profiles leaders.
    assertThat(Standings.board(end).standings()).hasSizeBetween(4, 8);
  }

  /**
   * The demo as packed: a wrapper has pinned OpenBLAS to the kernels of a processor without AVX.
   * Those of Sandy Bridge take at most half the time on any later one, and those of Haswell even
   * less. The margin exceeds any noise of two shared processors. A message between two ranks would
   * not do: it takes one of two times that differ as much as the settings do.
   */
  @Test
  @Tag("people")
  void theDemoFindsAndConfirmsASettingThatIsKnownToBeFaster() throws Exception {
    String wrapper = "templates/jobs/oldest-processor.sh";
    Path copy = SlurmLab.up().home().resolve(wrapper);
    Files.createDirectories(copy.resolveSibling("."));
    Files.copy(
        Path.of("..").resolve(wrapper),
        copy,
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
    SweepState end = walk(Resources.packed("templates/demo.yaml").orElseThrow());
    assertThat(Standings.winner(end)).as(told(end)).isPresent();
    Standing winner = Standings.winner(end).orElseThrow();
    assertThat(winner.profile()).as(told(end)).isIn("zen", "haswell", "sandybridge");
    assertThat(winner.verdict()).isInstanceOf(Verdict.Win.class);
    assertThat(Standings.publishedLogGain(winner)).as(told(end)).isGreaterThan(Math.log(1.3));
    long fresh =
        end.trials().values().stream()
            .filter(t -> t.trial().purpose() == Purpose.CONFIRM && t.measurement().isPresent())
            .count();
    assertThat(fresh).isGreaterThanOrEqualTo(end.confirmations().getFirst().runsPerArm());
  }

  private static String cell(int ranks, String sampling) {
    return """
        model: allreduce
        parallelism: ranks=%d
        slot: {nodelist: "n[1-2]"}
        workload: {kind: kernels, kernel: allreduce, dtype: f32, %s}
        plan: kernels
        playbook: kernels
        """
        .formatted(ranks, sampling);
  }

  /** Every run with its figure, for a failure message. */
  private static String told(SweepState end) {
    return end.trials().values().stream()
            .map(
                t ->
                    "%s %s %s: %s"
                        .formatted(
                            t.trial().id(),
                            t.trial().purpose(),
                            t.trial().profile(),
                            t.measurement()
                                .map(m -> "%.4g".formatted(m.value()))
                                .or(() -> t.disposition().map(Object::toString))
                                .orElse("open")))
            .collect(Collectors.joining("\n", "\n", "\n"))
        + Standings.board(end).standings().stream()
            .map(st -> st.profile() + ": " + st.verdict())
            .collect(Collectors.joining("\n"))
        + "\n"
        + end.phase();
  }

  private static SweepState walk(String sweep) throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path home = lab.home();
    assertThat(home.resolve("native/build/nightsweep-kernels")).isExecutable();
    SweepDirectory directory =
        new LabSweep(lab, "verdicts", sweep)
            .walk(
                new StateDirectory(lab.shared("verdicts-" + sweep.hashCode())),
                new RealParts(home),
                Duration.ofMinutes(8));
    SweepState end = JournalReader.fold(directory.journal());
    System.out.println(told(end));
    return end;
  }
}
