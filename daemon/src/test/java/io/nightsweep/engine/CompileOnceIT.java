package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Measurement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How much time one shared compilation saves in a baseline's runs, and its effect on the noise
 * between them.
 */
@Tag("hours")
@Tag("alone")
class CompileOnceIT {
  private static final int RUNS = 5;

  private static final String SWEEP =
      """
      model: tiny
      parallelism: FSDP=1
      slot: {nodelist: n1}
      workload: {kind: maxtext, repository: "@CHECKOUT@", ray: false, num_layers: 24, compileOnce: @ONCE@}
      profiles:
        isa: {flags: {--xla_cpu_max_isa: AVX2}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed]}
          - {name: flags, kind: screen, select: {from: profiles}}
      budget: {jobs: @JOBS@, hours: 2}
      policy: {baselineRuns: @RUNS@, jobTimeLimit: 10m}
      playbook: common
      """;

  @Test
  @Tag("night")
  void aRepeatedRunStartsItsFirstStepInHalfOfTheTime() throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path checkout = MaxTextLab.checkout(lab, "compile-once");
    List<AttemptState> once = runs(lab, checkout, true);
    List<AttemptState> eachTime = runs(lab, checkout, false);
    tell("compiled once", once);
    tell("compiled each time", eachTime);
    double repeated =
        once.stream().skip(1).mapToDouble(CompileOnceIT::beforeSteps).average().orElseThrow();
    double compiled =
        eachTime.stream().skip(1).mapToDouble(CompileOnceIT::beforeSteps).average().orElseThrow();
    System.out.printf(Locale.ROOT, "first step after %.2f of the time%n", repeated / compiled);
    assertThat(repeated).isLessThan(0.5 * compiled);
  }

  private static List<AttemptState> runs(SlurmLab lab, Path checkout, boolean once)
      throws Exception {
    String text =
        SWEEP
            .replace("@CHECKOUT@", checkout.toString())
            .replace("@ONCE@", "" + once)
            .replace("@RUNS@", "" + RUNS)
            .replace("@JOBS@", "" + (RUNS + 2));
    SweepDirectory directory =
        new LabSweep(lab, "tiny", text)
            .walk(
                new StateDirectory(lab.shared("state-once-" + once)),
                new RealParts(lab.shared("home")),
                Duration.ofMinutes(40));
    List<AttemptState> runs =
        JournalReader.fold(directory.journal())
            .attempts()
            .filter(a -> a.measurement().isPresent())
            .limit(RUNS)
            .collect(Collectors.toList());
    assertThat(runs).hasSize(RUNS);
    return runs;
  }

  /** A job's seconds outside its steps: start, compilation and end. */
  private static double beforeSteps(AttemptState a) {
    JobEnd end = a.end().orElseThrow();
    double all = Duration.between(end.startedAt().orElseThrow(), end.endedAt()).toMillis() / 1000.0;
    return all
        - a.measurement().orElseThrow().steps().stream()
            .mapToDouble(Measurement.MeasuredStep::seconds)
            .sum();
  }

  private static void tell(String what, List<AttemptState> runs) {
    double[] values =
        runs.stream().skip(1).mapToDouble(a -> a.measurement().orElseThrow().value()).toArray();
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    System.out.printf(
        Locale.ROOT,
        "%s: %s s before the steps; %.0f tokens/s, %.1f %% from run to run%n",
        what,
        runs.stream()
            .map(a -> String.format(Locale.ROOT, "%.1f", beforeSteps(a)))
            .collect(Collectors.joining(", ")),
        mean,
        100 * Math.sqrt(squares / (values.length - 1)) / mean);
  }
}
