package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.Estimate;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.Power;
import io.nightsweep.measure.Standing;
import io.nightsweep.sim.ReplayTable.ReplayCell;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Deployment.Recipe;
import io.nightsweep.workload.Workloads;
import io.nightsweep.workload.maxtext.EnvPatchTest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The published night's conclusions, derived again from its figures with noise drawn anew. The
 * table's rows are the candidates, including its stacks; since a stack that the table lacks has no
 * published effect, a night here has no stack wave.
 */
@Tag("xla")
@Tag("slow")
class XlaReplayTest {
  private static final Timing JOB = Timing.of(Duration.ofMinutes(10));
  private static final int JOBS = 150;
  private static final int FEW = 3;
  private static final int MANY = 10;
  private static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  private static final String OVERLAP = "--xla_gpu_experimental_parallel_collective_overlap_limit";
  private static final String PRIORITY = "--xla_gpu_enable_highest_priority_async_stream";

  /**
   * A published cell, the noise of one run, and the least share of the nights that find its family.
   */
  @ParameterizedTest
  @CsvSource({
    "FSDP=8, sgd-v3, 0.008, 0.9",
    "FSDP=8, sgd-v3, 0.027, 0.9",
    "FSDP=8, dense-cf1.25, 0.008, 0.9",
    "FSDP=8, dense-cf1.25, 0.027, 0.9",
    "PP=8, sgd-v3, 0.008, 0.9",
    "PP=8, sgd-v3, 0.027, 0.5",
    "PP=8, dense-cf1.25, 0.008, 0.9",
    "PP=8, dense-cf1.25, 0.027, 0.8",
  })
  @Retention(RetentionPolicy.RUNTIME)
  private @interface OnEveryCell {}

  @OnEveryCell
  void thePublishedWinnersFamilyIsFoundAgain(
      String topology, String tag, double noise, double least) {
    replay(topology, tag, noise, least, FEW, JOBS);
  }

  @Tag("night")
  @OnEveryCell
  void itIsFoundOverManyNights(String topology, String tag, double noise, double least) {
    assertThat(replay(topology, tag, noise, least, MANY, JOBS)).isGreaterThan(MANY / 2);
  }

  /** More jobs than a night has: the weak cell lacks runs. */
  @Tag("night")
  @ParameterizedTest
  @ValueSource(ints = {300, 600})
  void theWeakCellWithMoreJobs(int jobs) {
    assertThat(replay("PP=8", "sgd-v3", 0.027, 0.7, MANY, jobs)).isNotNegative();
  }

  /** The number of nights in which the FSDP flag showed its published sign. */
  private static int replay(
      String topology, String tag, double noise, double least, int nights, int jobs) {
    Map<String, String> recipes = recipes(topology, tag);
    int found = 0;
    int flipped = 0;
    ReplayCell cell = ReplayTable.cell(topology, tag);
    Map<String, Double> others = new TreeMap<>();
    for (int seed = 0; seed < nights; seed++) {
      SweepState s = night(topology, tag, noise, seed, jobs);
      Optional<Standing> winner = Standings.winner(s);
      boolean family =
          winner.map(w -> Published.isFamily(topology, flags(recipes, w.profile()))).orElse(false);
      found += family ? 1 : 0;
      if (winner.isPresent() && !family) {
        String other = winner.get().profile();
        others.put(other, cell.gain(other));
      }
      flipped += signOfTheFsdpFlag(s, topology, recipes) ? 1 : 0;
      outOfMemory(s);
    }
    System.out.printf(
        "replay %s %s at %.1f %% noise, at most %d jobs: winner's family %d of %d nights (others, with their true log gain: %s), sign of the all-gather threshold %d of %d%n",
        topology, tag, 100 * noise, jobs, found, nights, others, flipped, nights);
    assertThat(others.values()).as("no winner is false").allMatch(gain -> gain > 0);
    assertThat(found).isGreaterThanOrEqualTo((int) Math.floor(least * nights));
    return flipped;
  }

  /**
   * The weak cell: on PP sparse the threshold's published effect is +1.04 %, a third of one run's
   * noise of 2.7 %. One run shows its sign in 64 of 100 nights, however it is evaluated; with the
   * runs that a verdict of 95 % at 80 % power needs, the same code shows it.
   */
  @ParameterizedTest
  @CsvSource({"0.008, 0.9", "0.027, 0.9"})
  void theSmallSignIsFoundWithTheRunsThatAVerdictNeeds(double noise, double least) {
    ReplayCell cell = ReplayTable.cell("PP=8", "sgd-v3");
    double effect = cell.gain("restore_ag_default");
    int runs = Power.runsPerArm(noise, effect, 0.8, 0.05, 1);
    int signs = 0;
    int verdicts = 0;
    int once = 0;
    int nights = 200;
    for (int seed = 0; seed < nights; seed++) {
      Effect all = compared(cell, noise, runs, seed);
      signs += all.logGain() > 0 ? 1 : 0;
      verdicts += all.logGain() > 1.96 * all.standardError() ? 1 : 0;
      once += compared(cell, noise, 1, seed).logGain() > 0 ? 1 : 0;
    }
    System.out.printf(
        "replay PP=8 sgd-v3 at %.1f %% noise: sign of %+.2f %% with %d runs beside as many"
            + " baseline runs %d of %d, beyond its interval %d; with one run %d%n",
        100 * noise, 100 * Math.expm1(effect), runs, signs, nights, verdicts, once);
    assertThat(signs).isGreaterThanOrEqualTo((int) (least * nights));
    assertThat(verdicts).isBetween((int) (0.65 * nights), nights);
  }

  private record Effect(double logGain, double standardError) {}

  /**
   * Runs in blocks of one and one, with the night's drift, by the comparison that every sweep uses.
   */
  private static Effect compared(ReplayCell cell, double noise, int runs, long seed) {
    DrawnSurface surface =
        new DrawnSurface(
            cell.responses(), cell.baselineTokensPerSecond(), Weather.usual(noise), seed);
    Profile profile = Profile.of("restore_ag_default", Map.of(), Map.of(), Map.of());
    SplittableRandom random = new SplittableRandom(seed);
    List<Observation> observations = new ArrayList<>();
    // The noise is known from the controls: three more, as in a baseline wave.
    for (int i = 0; i < 2 * runs + 3; i++) {
      boolean control = i % 2 == 0 || i >= 2 * runs;
      double hours = i / 6.0;
      double log =
          Math.log(cell.baselineTokensPerSecond())
              + (control ? 0 : surface.effect(profile, "sgd-v3"))
              + surface.drift(hours)
              + surface.noise(random);
      observations.add(
          new Observation(
              control ? Profile.BASELINE : profile.name(),
              control,
              Observation.Stage.SCREENING,
              Integer.toString(Math.min(i / 2, Math.max(0, runs - 1))),
              "sgd-v3",
              log,
              Double.NaN,
              3600 * hours));
    }
    Estimate e =
        Objects.requireNonNull(Comparison.of(observations).estimates().get(profile.name()));
    return new Effect(e.logGain(), e.standardError());
  }

  /** The winners of four nights form the patch; bash selects by topology and config tag. */
  @Test
  void thePatchOfTheFourNightsSelectsTheRightRecipe(@TempDir Path directory) throws Exception {
    List<Recipe> recipes = new ArrayList<>();
    for (String topology : List.of("FSDP=8", "PP=8")) {
      for (String tag : List.of("sgd-v3", "dense-cf1.25")) {
        SweepState s = night(topology, tag, 0.008, 1, JOBS);
        String winner = Standings.winner(s).orElseThrow().profile();
        recipes.add(
            new Recipe(
                topology,
                tag,
                new TreeMap<>(tag.equals("sgd-v3") ? Map.of("sparse_matmul", "true") : Map.of()),
                new TreeMap<>(flags(recipes(topology, tag), winner)),
                new TreeMap<>()));
      }
    }
    String patch =
        Workloads.find("maxtext").orElseThrow().deployment().patch("deepseek3-671b", recipes);
    String fsdp = flags(directory, patch, "dcn_fsdp_parallelism: 8\n", "sparse_matmul=true");
    assertThat(fsdp).contains(AG + "=").doesNotContain(OVERLAP);
    String dense = flags(directory, patch, "dcn_fsdp_parallelism: 8\n", PP);
    assertThat(dense).contains(OVERLAP + "=2").doesNotContain(AG + "=1073741824");
    String sparse =
        flags(directory, patch, "dcn_fsdp_parallelism: 8\n", PP + " sparse_matmul=true");
    assertThat(sparse).contains(OVERLAP + "=2");
    Map<String, String> published =
        flags(
            recipes("PP=8", "sgd-v3"), recipes.get(2).flags().isEmpty() ? "" : "d_overlap2_async");
    assertThat(published).containsEntry(PRIORITY, "true");
  }

  private static final String PP = "dcn_pipeline_parallelism=8 dcn_fsdp_parallelism=1";

  private static String flags(Path directory, String patch, String yml, String passthrough)
      throws Exception {
    return EnvPatchTest.sourced(
        directory, "deepseek3-671b", patch, yml, passthrough, "", "source \"$1\"");
  }

  /** Positive for FSDP's 1 GiB; on PP, which inherits the flag, removing it is positive. */
  private static boolean signOfTheFsdpFlag(
      SweepState s, String topology, Map<String, String> recipes) {
    return Standings.board(s).standings().stream()
        .filter(
            st ->
                topology.startsWith("FSDP")
                    ? recipes.getOrDefault(st.profile(), "").equals("ag=1073741824")
                    : st.profile().equals("restore_ag_default"))
        .anyMatch(st -> st.estimate().logGain() > 0);
  }

  private static void outOfMemory(SweepState s) {
    List<Disposition> failing =
        s.trials().values().stream()
            .filter(
                t ->
                    t.trial().profile().startsWith("pp_all_")
                        || t.trial().profile().equals("E_pipelined_all"))
            .map(t -> t.disposition().orElseThrow())
            .toList();
    assertThat(failing)
        .allMatch(d -> d instanceof Disposition.Failed f && f.failureClass().equals("oom-gpu"));
  }

  private static SweepState night(String topology, String tag, double noise, long seed, int jobs) {
    ReplayCell cell = ReplayTable.cell(topology, tag);
    DrawnSurface surface =
        new DrawnSurface(
            cell.responses(), cell.baselineTokensPerSecond(), Weather.usual(noise), seed);
    return new Night(
            Specs.screening(cell.profiles(), Optional.of(jobs), 8),
            surface,
            Faults.none(),
            JOB,
            seed)
        .run()
        .state();
  }

  /** The flags that a row's written recipe stands for. */
  private static Map<String, String> flags(Map<String, String> recipes, String profile) {
    String recipe = recipes.getOrDefault(profile, "");
    Map<String, String> flags = new HashMap<>();
    var threshold = Pattern.compile("ag=(?:rs=)?(\\d{6,})").matcher(recipe);
    if (threshold.find()) {
      flags.put(AG, threshold.group(1));
    } else if (recipe.contains("ag=8G")) {
      flags.put(AG, "8589934592");
    }
    var limit = Pattern.compile("ov(?:erlap)?(?:_limit=)?(\\d)").matcher(recipe);
    if (limit.find()) {
      flags.put(OVERLAP, limit.group(1));
    }
    if (recipe.matches(".*\\basync\\b.*")) {
      flags.put(PRIORITY, "true");
    }
    return flags;
  }

  private static Map<String, String> recipes(String topology, String tag) {
    try (InputStream in =
        Objects.requireNonNull(
            XlaReplayTest.class.getResourceAsStream("/replay/deepseek3-671b-mi355.tsv"))) {
      Map<String, String> recipes = new HashMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t", -1))
          .filter(row -> row.length == 9 && row[0].equals(topology) && row[1].equals(tag))
          .forEach(row -> recipes.put(row[2], row[8]));
      return recipes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
