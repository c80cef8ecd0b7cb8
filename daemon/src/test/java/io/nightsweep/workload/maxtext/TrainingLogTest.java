package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.joblog.LogText;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.measure.LossGuard;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.measure.StepSeries;
import io.nightsweep.measure.Window;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("xla")
class TrainingLogTest {
  private static final String ROCM =
      "completed step: 9, seconds: 25.250, TFLOP/s/device: 402.1, MFU: 17.5%, "
          + "Tokens/s/device: 1135.700, total_weights: 917504, loss: 8.125";

  /** The procedure's own expression, with which the readers are compared. */
  private static final Pattern NAIVE =
      Pattern.compile(
          "completed step: (\\d+), seconds: ([\\d.]+).*Tokens/s/device: ([\\d.]+).*loss: ([\\d.]+)");

  @Test
  void readsTheStepOfARankWithItsPrefix() {
    Measurement.MeasuredStep step = only("0: " + ROCM);
    assertThat(step.index()).isEqualTo(9);
    assertThat(step.seconds()).isEqualTo(25.25);
    assertThat(step.value()).isEqualTo(1135.7);
    assertThat(step.loss()).hasValue(8.125);
  }

  @Test
  void readsThroughRaysActorsAndColours() {
    Measurement.MeasuredStep step =
        only(
            "0: \u001b[36m(MaxTextTrainerActor pid=3134, ip=10.0.0.7)\u001b[0m "
                + ROCM
                + "\u001b[32m [repeated 3x across cluster]\u001b[0m");
    assertThat(step.value()).isEqualTo(1135.7);
    assertThat(step.loss()).hasValue(8.125);
  }

  @Test
  void readsWithoutUtilization() {
    assertThat(only("  3: " + ROCM.replace(" MFU: 17.5%,", "")).value()).isEqualTo(1135.7);
  }

  @Test
  void aLossThatIsNoNumberIsKeptWhereTheProceduresExpressionDropsTheStep() {
    String line = "0: " + ROCM.replace("8.125", "nan");
    assertThat(NAIVE.matcher(line).find()).isFalse();
    Measurement.MeasuredStep step = only(line);
    assertThat(step.value()).isEqualTo(1135.7);
    assertThat(step.loss().orElseThrow()).isNaN();
    SteadyState steady =
        SteadyState.of(
                new StepSeries(
                    List.of(new Measurement.MeasuredStep(9, 25.25, 1135.7, step.loss()))),
                new Window(9, 9))
            .orElseThrow();
    assertThat(LossGuard.unsafe(steady, List.of(8.1, 8.2))).contains(new Cause.LossNotFinite());
    assertThat(only("0: " + ROCM.replace("8.125", "inf")).loss().orElseThrow()).isInfinite();
  }

  @Test
  void theLossIsNotOneOfItsPartsWhereTheProceduresExpressionTakesTheLast() {
    String line =
        "0: "
            + ROCM
            + ", lm_loss: 8.000, perplexity: 2980.958, moe_lb_loss: 0.125, main_model_loss: 7.500, mtp_loss: 0.625";
    Matcher naive = NAIVE.matcher(line);
    assertThat(naive.find()).isTrue();
    assertThat(naive.group(4)).isEqualTo("0.625");
    assertThat(only(line).loss()).hasValue(8.125);
  }

  @Test
  void aRampUpStepHasSecondsAndNoTokens() {
    Measurement.MeasuredStep step =
        only("0: completed step: 2, seconds: 30.5, total_weights: 100, loss: 9.5");
    assertThat(step.value()).isNaN();
    assertThat(step.seconds()).isEqualTo(30.5);
    assertThat(step.loss()).hasValue(9.5);
  }

  @Test
  void aStepThatSeveralRanksPrintCountsOnce() {
    TrainingLog log =
        log(
            "0: "
                + ROCM
                + "\n1: "
                + ROCM.replace("1135.700", "1100.0")
                + "\n0: "
                + ROCM.replace("1135.700", "1.0")
                + "\n");
    assertThat(log.series(StepLine::tgs)).hasSize(1);
    assertThat(log.series(StepLine::tgs).getFirst().value()).isEqualTo(1135.7);
  }

  @Test
  void whatRaysOwnLogSaysOutranksAMainLogThatLacksSteps() {
    TrainingLog log = new TrainingLog(Set.of(), StepTeller.NOBODY);
    accept(log, -1, "0: " + ROCM.replace("1135.700", "5.0") + "\n");
    accept(log, -2, ROCM + "\n" + ROCM.replace("step: 9", "step: 10") + "\n");
    assertThat(log.series(StepLine::tgs))
        .extracting(Measurement.MeasuredStep::value)
        .containsExactly(1135.7, 1135.7);
  }

  @Test
  void theProfilersOwnLinesAreStepsWithoutFigures() {
    TrainingLog log =
        log(
            "0: "
                + ROCM
                + "\n0: completed profiler activation/deactivation step: 10, total_weights: 917504, loss: 8.125\n"
                + "0: completed profiler deactivation step: 14\n");
    assertThat(log.profilerSteps()).containsExactly(10, 14);
    assertThat(log.series(StepLine::tgs))
        .extracting(Measurement.MeasuredStep::index)
        .containsExactly(9);
    assertThat(log.lastStep()).as("a run whose last step is hidden is whole").isEqualTo(14);
  }

  @Test
  void aLineThatWasCutIsNoStep() {
    assertThat(
            log("0: completed step: 9, secon\n0: completed step: \n0: completed step: 7\n")
                .lastStep())
        .isEqualTo(-1);
  }

  @Test
  void whatIsLeftOfANumberIsNoFigure() {
    String whole = "0: " + ROCM;
    // A line may end anywhere before the loss, or another rank's text may interrupt it.
    for (int end = whole.indexOf("seconds"); end < whole.indexOf("8.125"); end++) {
      assertThat(log(whole.substring(0, end)).lastStep()).as(whole.substring(0, end)).isEqualTo(-1);
      assertThat(log(whole.substring(0, end) + "1: another line\n").lastStep()).isEqualTo(-1);
    }
    assertThat(log("0: " + ROCM.replace("1135.700", "-5")).lastStep()).isEqualTo(-1);
    for (String ofAnotherLocale : List.of("1.135,700", "1,135.700")) {
      assertThat(only("0: " + ROCM.replace("1135.700", ofAnotherLocale)).value()).isNaN();
    }
  }

  @Test
  void aTrainingThatStartsAgainWithinItsJobCountsFromItsFirstStepOn() {
    StringBuilder lives = new StringBuilder();
    for (int step = 0; step < 10; step++) {
      lives.append(step(step, 2000));
    }
    for (int step = 5; step < 15; step++) {
      lives.append(step(step, 1000));
    }
    TrainingLog log = log(lives.toString());
    Measurement measured = Measuring.of(log, new Window(5, 14), Measuring.TOKENS).orElseThrow();
    assertThat(measured.value()).isEqualTo(1000);
    assertThat(log.series(StepLine::tgs).getFirst().value()).isEqualTo(2000);
    // Two writers of one log, out of order or duplicated, count as one run.
    TrainingLog twice =
        log(step(0, 7) + step(2, 7) + step(1, 7) + step(2, 9) + step(1, 9) + step(0, 7));
    assertThat(twice.series(StepLine::tgs))
        .extracting(Measurement.MeasuredStep::value)
        .containsExactly(7.0, 7.0, 7.0);
  }

  private static String step(int step, double tokens) {
    return "0: " + ROCM.replace("step: 9", "step: " + step).replace("1135.700", "" + tokens) + "\n";
  }

  @Test
  void whatAShellIsAboutToDoIsNoStep() {
    assertThat(log("0: ++ grep -q '" + ROCM + "' x\n" + "+ grep '" + ROCM + "' y\n").lastStep())
        .isEqualTo(-1);
  }

  @Test
  void readsEveryValueThatTheBuildCannotParse() {
    assertThat(
            log("0: Couldn't interpret value 1G for flag xla_gpu_c. Couldn't interpret value 2 for flag --xla_gpu_d.\n")
                .unknownFlags())
        .containsExactly("--xla_gpu_c=1G", "--xla_gpu_d=2");
  }

  @Test
  void twoStepsThatRanIntoOneLineAreTwo() {
    TrainingLog log = log("0: " + ROCM + "0: " + ROCM.replace("step: 9", "step: 10") + "\n");
    assertThat(log.series(StepLine::tgs))
        .extracting(Measurement.MeasuredStep::index)
        .containsExactly(9, 10);
  }

  @Test
  void readsTheEnvironmentThatARankPrintsAndNoOtherMentionOfIt() {
    TrainingLog log = new TrainingLog(Set.of("XLA_FLAGS", "NCCL_PROTO"), StepTeller.NOBODY);
    accept(
        log,
        -1,
        """
        0: [XLA dump] XLA_FLAGS=--xla_wrong=1
        0:   export NCCL_PROTO=LL
        0: Extracted env: NCCL_PROTO=LL128
        0: MY_NCCL_PROTO=none
        0: NCCL_PROTO=Simple
        0: XLA_FLAGS=--xla_a=1 --xla_b='x y' --xla_a=2
        1: NCCL_PROTO=Simple
        1: XLA_FLAGS=--xla_a=1
        """);
    assertThat(log.environments()).hasSize(2);
    assertThat(log.environments().getFirst())
        .containsEntry("NCCL_PROTO", "Simple")
        .containsEntry("XLA_FLAGS", "--xla_a=1 --xla_b='x y' --xla_a=2");
  }

  @Test
  void readsTheMemoryInBothWordings() {
    TrainingLog rocm =
        log(
            "0: Total memory size: 201.5 GB, Output size: 80.1 GB, Temp size: 101.3 GB, Argument size: 80.2 GB, Host temp size: 0.5 GB.\n"
                + "0: Memstats: After params initialized:\n0: \tUsing (GB) 62.5 / 250.0 (25.0%) on rocm:0\n");
    assertThat(rocm.memoryBytes())
        .containsEntry("totalMemoryBytes", 201.5 * (1L << 30))
        .containsEntry("tempBytes", 101.3 * (1L << 30))
        .containsEntry("hostTempBytes", 0.5 * (1L << 30))
        .containsEntry("usedAfterInitBytes", 62.5 * (1L << 30));
    TrainingLog head =
        log("0: Total estimated memory size: 10.5 GB, estimated temp size: 4.25 GB\n");
    assertThat(head.memoryBytes())
        .containsEntry("totalMemoryBytes", 10.5 * (1L << 30))
        .containsEntry("tempBytes", 4.25 * (1L << 30));
  }

  @Test
  void readsTheJobsOwnSummary() {
    assertThat(
            log("== JOB SUMMARY ==\n  Wall: 1s\n  Status: \u001b[32mSUCCESS (exit 0)\u001b[0m\n")
                .exitCode())
        .isEqualTo(OptionalInt.of(0));
    assertThat(log("== JOB SUMMARY ==\n  Status: FAILED (exit 143) — CANCELLED\n").exitCode())
        .isEqualTo(OptionalInt.of(143));
    assertThat(log("Status: SUCCESS (exit 0)\n").exitCode()).isEmpty();
  }

  @Test
  void readsAllUnknownFlagsAtOnce() {
    assertThat(
            log("0: F0000 00:00:17.1 parse_flags_from_env.cc:234] Unknown flags in XLA_FLAGS: --xla_gone=true --xla_gpu_enable_old=1 \n")
                .unknownFlags())
        .containsExactly("--xla_gone", "--xla_gpu_enable_old");
  }

  @Test
  void aMeasurementWaitsForTheWindowsLastStep() {
    TrainingLog log = new TrainingLog(Set.of(), StepTeller.NOBODY);
    for (int step = 0; step < 14; step++) {
      accept(log, -1, "0: " + ROCM.replace("step: 9", "step: " + step) + "\n");
    }
    assertThat(Measuring.of(log, new Window(5, 14), Measuring.TOKENS)).isEmpty();
    accept(
        log,
        -1,
        "0: " + ROCM.replace("step: 9", "step: 14").replace("1135.700", "1125.700") + "\n");
    Measurement measured = Measuring.of(log, new Window(5, 14), Measuring.TOKENS).orElseThrow();
    assertThat(measured.value()).isCloseTo(1134.7, within(1e-9));
    assertThat(measured.steps()).hasSize(15);
    assertThat(measured.extras()).containsKey("stepSeconds");
  }

  private static Measurement.MeasuredStep only(String line) {
    List<Measurement.MeasuredStep> series = log(line + "\n").series(StepLine::tgs);
    assertThat(series).hasSize(1);
    return series.getFirst();
  }

  static void accept(TrainingLog log, int file, String text) {
    new LogText(log).add(file == -2 ? new Rank(-1, "worker") : Rank.NONE, text);
  }

  private static TrainingLog log(String text) {
    TrainingLog log = new TrainingLog(Set.of("XLA_FLAGS"), StepTeller.NOBODY);
    accept(log, -1, text);
    return log;
  }
}
