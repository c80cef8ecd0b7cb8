package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.joblog.StepTeller;
import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.LossGuard;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.Power;
import io.nightsweep.measure.RacingPolicy;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.measure.StepSeries;
import io.nightsweep.measure.Verdict;
import io.nightsweep.measure.Window;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.Workload.Effective;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The five points in which the tuning procedure and the real repository disagree. Each test first
 * shows what the procedure's own way would conclude, then that the daemon does not.
 */
@Tag("xla")
class DisagreementsTest {
  private static final Path LAUNCHER = Path.of("lab/maxtext").toAbsolutePath();
  private static final String FLAG = "--xla_cpu_max_isa";

  @TempDir private Path folder;

  @Test
  void firstATuneBlockInTrainEnvIsShadowedByTheModelsEnvFile() throws Exception {
    Profile avx2 = Profile.of("isa-avx2", Map.of(FLAG, "AVX2"), Map.of(), Map.of());

    // The procedure: a block at the end of train_env.sh.
    Path naive = checkout("naive");
    Files.writeString(
        naive.resolve("train_env.sh"),
        Files.readString(naive.resolve("train_env.sh"))
            + "XLA_FLAGS=\"${XLA_FLAGS:+$XLA_FLAGS }"
            + FLAG
            + "=AVX2\"\nexport XLA_FLAGS\n");
    String shadowed = trained(naive);
    assertThat(xlaFlags(shadowed).values()).containsEntry(FLAG, "SSE4_2");
    assertThat(effective(shadowed, avx2)).isInstanceOf(Effective.Different.class);

    // The procedure's other way, through the environment, loses what the image compiles in.
    String replaced = trained(checkout("replaced"), "_env_XLA_FLAGS=" + FLAG + "=AVX2");
    assertThat(xlaFlags(replaced).values()).containsOnlyKeys(FLAG);

    Path ours = checkout("ours");
    Path env = ours.resolve("configs/tiny.env.sh");
    Files.writeString(
        env, EnvBlock.around(Files.readString(env), avx2, Map.of(), new TreeMap<>(), ""));
    String log = trained(ours);
    assertThat(xlaFlags(log).values())
        .containsEntry(FLAG, "AVX2")
        .containsEntry("--xla_cpu_enable_fast_math", "false");
    assertThat(effective(log, avx2)).isInstanceOf(Effective.AsScheduled.class);

    // A job with ranks that saw the result of the procedure's block is void, and says why.
    String forged =
        log.replace(FLAG + "=SSE4_2 " + FLAG + "=AVX2", FLAG + "=AVX2 " + FLAG + "=SSE4_2");
    assertThat(forged).isNotEqualTo(log);
    assertThat(effective(forged, avx2))
        .isInstanceOfSatisfying(
            Effective.Different.class,
            d ->
                assertThat(Phrases.EN.text(d.found()))
                    .contains(FLAG + "=SSE4_2 instead of " + FLAG + "=AVX2"));
  }

  @Test
  void secondTheProfiledStepsLieInsideTheUsualWindow() {
    // Steps 10 to 12 are captured and 13 writes the trace, as ordered for the evidence run.
    StringBuilder log = new StringBuilder();
    for (int step = 0; step < 15; step++) {
      log.append(line(step, step >= 10 && step <= 13 ? 600 : 1000, "8.0"));
    }
    TrainingLog seen = log(log.toString());
    double usual = Measuring.of(seen, new Window(9, 14), Measuring.TOKENS).orElseThrow().value();
    assertThat(usual).as("the mean of steps 9-14").isCloseTo(733.3, within(0.1));

    Window window = Window.fromProfiler(10, 3, 15);
    assertThat(window).isEqualTo(new Window(5, 9));
    assertThat(Measuring.of(seen, window, Measuring.TOKENS).orElseThrow().value())
        .isCloseTo(1000, within(1e-9));
  }

  @Test
  void thirdTheStepExpressionDropsLossesThatAreNoNumbersAndTakesTheWrongOnes() {
    Pattern procedures =
        Pattern.compile(
            "completed step: (\\d+), seconds: ([\\d.]+).*Tokens/s/device: ([\\d.]+).*loss:"
                + " ([\\d.]+)");
    String diverged = line(9, 1200, "nan");
    assertThat(procedures.matcher(diverged).find()).isFalse();
    Measurement.MeasuredStep step = log(diverged).series(StepLine::tgs).getFirst();
    assertThat(step.value()).isEqualTo(1200);
    SteadyState fast =
        SteadyState.of(
                new StepSeries(
                    List.of(
                        new Measurement.MeasuredStep(
                            9, step.seconds(), step.value(), step.loss()))),
                new Window(9, 9))
            .orElseThrow();
    assertThat(LossGuard.unsafe(fast, List.of(8.1, 8.1, 8.2)))
        .as("a loser whatever its throughput")
        .contains(new Cause.LossNotFinite());

    String parts = line(9, 1200, "8.125").strip() + ", moe_lb_loss: 0.125, mtp_loss: 0.625\n";
    Matcher greedy = procedures.matcher(parts);
    assertThat(greedy.find()).isTrue();
    assertThat(greedy.group(4)).isEqualTo("0.625");
    assertThat(log(parts).series(StepLine::tgs).getFirst().loss()).hasValue(8.125);
  }

  @Test
  void fourthAllUnknownFlagsStandOnOneLineOfAnotherWording() throws Exception {
    String real =
        "1: F1121 03:12:22.100000     140 parse_flags_from_env.cc:234] Unknown flag(s) in"
            + " XLA_FLAGS: --xla_gpu_enable_nothing=true --xla_gpu_no_such_limit=2 \n";
    assertThat(
            Pattern.compile("parse_flags_from_env.cc:.*Unknown flag: --xla_").matcher(real).find())
        .isFalse();
    assertThat(log(real).unknownFlags())
        .containsExactly("--xla_gpu_enable_nothing", "--xla_gpu_no_such_limit");

    // One job therefore queries all of them, and no profile fails by its output.
    Path probing = checkout("probing");
    Path env = probing.resolve("configs/tiny.env.sh");
    Files.writeString(
        env,
        EnvBlock.probe(
            Files.readString(env),
            new TreeMap<>(Map.of("--xla_gpu_enable_nothing", "true", "--xla_gpu_known", "1")),
            List.of()));
    python(
        probing,
        """
        echo 'F1 parse_flags_from_env.cc:234] Unknown flag(s) in XLA_FLAGS: --xla_gpu_enable_nothing=true' >&2
        echo "asked: $XLA_FLAGS" >&2
        exit 134
        """);
    String answer = trained(probing);
    assertThat(answer)
        .contains("asked: ", "--xla_gpu_enable_nothing=true --xla_gpu_known=1")
        .doesNotContain("Show all environment variables");
    assertThat(log(answer).unknownFlags()).containsExactly("--xla_gpu_enable_nothing");
  }

  @Test
  void fifthOneRunAProfileCarriesNoClaimOfOneToThreePercent() {
    // Published repeats of the same profile on one nodelist.
    double[][] repeats = {{971.8, 998.0}, {1215.2, 1233.0}};
    RacingPolicy policy = RacingPolicy.defaults(25);
    for (double[] pair : repeats) {
      assertThat(pair[1] / pair[0] - 1).as("one run each: a gain").isGreaterThan(0.01);
      Leaderboard board =
          Leaderboard.of(
              Comparison.of(List.of(run("base", 0, pair[0]), run("same", 1, pair[1]))),
              List.of(),
              Map.of(),
              Map.of(),
              policy);
      assertThat(board.of("same").orElseThrow().verdict()).isInstanceOf(Verdict.Undecided.class);
    }

    // Twenty-five candidates without effect, at that noise: the best of one run each looks good.
    SplittableRandom random = new SplittableRandom(20261121);
    int naiveWins = 0;
    int nights = 200;
    for (int night = 0; night < nights; night++) {
      List<Observation> runs = new ArrayList<>();
      double base = 1000 * Math.exp(0.015 * random.nextGaussian());
      runs.add(run("base", 0, base));
      double best = 0;
      for (int i = 1; i <= 25; i++) {
        double value = 1000 * Math.exp(0.015 * random.nextGaussian());
        best = Math.max(best, value);
        runs.add(run("p" + i, i, value));
      }
      naiveWins += best / base - 1 > 0.02 ? 1 : 0;
      Leaderboard board =
          Leaderboard.of(Comparison.of(runs), List.of(), Map.of(), Map.of(), policy);
      assertThat(board.standings()).noneMatch(s -> s.verdict() instanceof Verdict.Win);
    }
    assertThat(naiveWins).as("false wins of the procedure").isGreaterThan(nights / 2);
    assertThat(Power.runsPerArm(0.019, Math.log1p(0.02), 0.9, 0.05, 1)).isGreaterThan(10);
  }

  private static Observation run(String profile, int index, double tgs) {
    return new Observation(
        profile,
        profile.equals("base"),
        Observation.Stage.SCREENING,
        "b0",
        "",
        Math.log(tgs),
        0.001,
        600.0 * index);
  }

  private static String line(int step, double tgs, String loss) {
    return "0: completed step: %d, seconds: 25.25, TFLOP/s/device: 402.1, Tokens/s/device: %.3f, total_weights: 917504, loss: %s%n"
        .formatted(step, tgs, loss);
  }

  private static TrainingLog log(String text) {
    TrainingLog log = new TrainingLog(EnvBlock.variables(Map.of()), StepTeller.NOBODY);
    TrainingLogTest.accept(log, 0, text);
    return log;
  }

  private static Effective effective(String log, Profile profile) {
    return Attestation.of(log(log), profile, Map.of());
  }

  private static XlaFlags xlaFlags(String log) {
    return XlaFlags.parse(
        log.lines()
            .filter(l -> l.startsWith("0: XLA_FLAGS="))
            .findFirst()
            .orElseThrow()
            .substring("0: XLA_FLAGS=".length()));
  }

  /**
   * The lab's launcher with a training script that sources the same files in the same order as the
   * real one.
   */
  private Path checkout(String name) throws Exception {
    Path copy = folder.resolve(name);
    assertThat(
            new ProcessBuilder("cp", "-a", LAUNCHER.toString(), copy.toString()).start().waitFor())
        .isZero();
    python(copy, "exit 0\n");
    return copy;
  }

  /** Replaces the container's Python, since what is tested here happens before it starts. */
  private static void python(Path checkout, String script) throws Exception {
    Path bin = Files.createDirectories(checkout.resolve("venv/bin"));
    Files.writeString(bin.resolve("python3"), "#!/bin/bash\n" + script);
    assertThat(bin.resolve("python3").toFile().setExecutable(true)).isTrue();
  }

  /** The output of one rank, labelled as by {@code srun -l}. */
  private static String trained(Path checkout, String... passthrough) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "-i",
                "PATH=" + System.getenv("PATH"),
                "HOME=" + checkout,
                "NIGHTSWEEP_JAX_VENV=" + checkout.resolve("venv"),
                "JOB_ID=1",
                "JOB_NAME=JAX-tiny",
                "bash",
                checkout.resolve("_container.sh").toString(),
                "20000",
                "tiny",
                "",
                "",
                "--"));
    command.addAll(List.of(passthrough));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().map(l -> "0: " + l + "\n").reduce("", String::concat);
  }
}
