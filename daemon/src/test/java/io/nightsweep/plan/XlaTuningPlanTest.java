package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The procedure's waves and its flag list for each parallelism. */
@Tag("xla")
class XlaTuningPlanTest {
  private static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  private static final String RS = "--xla_gpu_reduce_scatter_combine_threshold_bytes";

  @Test
  void fsdpTriesTheWholeFsdpListTheCombinerFirst() throws Exception {
    SweepSpec spec = spec("FSDP=8", "");
    List<String> flags = names(spec, "flags");
    assertThat(flags).startsWith("ag-1G", "ag-512M", "ag-2G", "ag-256M");
    assertThat(flags).hasSizeBetween(25, 50);
    assertThat(values(spec, flags, AG))
        .contains("268435456", "536870912", "1073741824", "2147483648");
    assertThat(profiles(spec, flags))
        .anyMatch(p -> p.flags().keySet().containsAll(List.of(AG, RS)));
    assertThat(values(spec, flags, "--xla_gpu_experimental_parallel_collective_overlap_limit"))
        .containsExactlyInAnyOrder("2", "4", "8");
    for (String flag :
        List.of(
            RS,
            "--xla_gpu_enable_pipelined_all_gather",
            "--xla_gpu_enable_pipelined_reduce_scatter",
            "--xla_gpu_enable_pipelined_all_reduce",
            "--xla_gpu_enable_while_loop_double_buffering",
            "--xla_gpu_enable_highest_priority_async_stream",
            "--xla_gpu_enable_latency_hiding_scheduler")) {
      assertThat(values(spec, flags, flag)).as(flag).isNotEmpty();
    }
    assertThat(values(spec, flags, "NCCL_NCHANNELS_PER_NET_PEER")).contains("8");
    assertThat(values(spec, flags, "NCCL_BUFFSIZE")).containsExactly("16777216");
    assertThat(values(spec, flags, "NCCL_PROTO"))
        .containsExactlyInAnyOrder("Simple", "LL", "LL128");
    assertThat(values(spec, flags, "XLA_PYTHON_CLIENT_MEM_FRACTION")).containsExactly(".95");
    assertThat(values(spec, flags, "--xla_gpu_enable_pipelined_p2p")).isEmpty();
    assertThat(spec.plan().notApplicable())
        .extracting(Plan.NotApplicable::wave)
        .containsExactly("secondary", "pipeline", "cross-check");
  }

  /**
   * Each additional tag takes two baselines, and a run and a control for the winner's cross-check.
   */
  @Test
  void aFurtherConfigTagTakesThePlaceOfFourCandidates() throws Exception {
    String shape = ", num_pipeline_microbatches: 8, pipeline_parallel_layers: 56";
    SweepSpec two =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: deepseek3-671b
                parallelism: PP=8
                slot: {nodelist: "n[1-2]"}
                workload: {kind: maxtext, repository: /r%s}
                configTags: {sparse: {sparse_matmul: true}, dense: {}}
                """
                    .formatted(shape),
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    assertThat(screened(spec("PP=8", shape))).isEqualTo(26);
    assertThat(screened(two)).isEqualTo(22);
  }

  /** A wave that the cell lacks, or that promises little, is replaced by no other. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = "FSDP=8 | 4\nPP=8 | 4\nPP=8 | 40")
  void aPlanOfOnesOwnKeepsItsLimitWhicheverWaveComesFirst(String parallelism, int most)
      throws Exception {
    SweepSpec spec =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: deepseek3-671b
                parallelism: %s
                slot: {nodelist: "n[1-2]"}
                workload: {kind: maxtext, repository: /r, pipeline_parallel_layers: 56}
                plan:
                  candidates: %d
                  waves:
                    - {name: baseline, kind: baseline}
                    - {name: pipeline, kind: screen, if: parallelism has PP, select: {from: maxtext-pipeline}}
                    - {name: flags, kind: screen, split: 7, select: {from: [xla, rccl]}}
                    - {name: confirm, kind: confirm}
                """
                    .formatted(parallelism, most),
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    assertThat(screened(spec)).isEqualTo(most);
  }

  /**
   * Profiles in a person's file that no job will try, or that no confirmation can make the winner.
   */
  @Test
  void whatThePlanWillNotDoIsSaidBefore() throws Exception {
    String shapes =
        """
        profiles:
          deployed: {overrides: {num_pipeline_microbatches: 16}}
          unfit: {overrides: {num_pipeline_microbatches: 3}}
          kept: {overrides: {remat_policy: full}}
          fit: {overrides: {num_pipeline_microbatches: 32}}
        """;
    assertThat(doubts(shapes + "plan: xla-tuning\n"))
        .containsExactly(
            "sweep.yaml:6:3: no wave of the plan tries the profile 'deployed'; expected a wave that"
                + " selects it, and settings that a job can start with and that are not deployed"
                + " already",
            "sweep.yaml:7:3: no wave of the plan tries the profile 'unfit'; expected a wave that"
                + " selects it, and settings that a job can start with and that are not deployed"
                + " already",
            "sweep.yaml:8:3: no wave of the plan tries the profile 'kept'; expected a wave that"
                + " selects it, and settings that a job can start with and that are not deployed"
                + " already");
    assertThat(
            doubts(
                """
                plan:
                  waves:
                    - {name: checked, kind: cross-check}
                    - {name: first, kind: screen, select: {from: xla}}
                    - {name: confirm, kind: confirm}
                    - {name: second, kind: screen, select: {from: rccl}}
                """))
        .containsExactly(
            "sweep.yaml:5:1: no candidate of the wave 'second' can win; expected a wave of kind"
                + " confirm behind it",
            "sweep.yaml:5:1: the wave 'checked' never runs; expected a wave of kind confirm before"
                + " it");
  }

  /** Such a winner would be held back in the morning, and the sweep could not validate it. */
  @Test
  void aProfileWhoseWinNobodyCouldDeployIsSaidBefore() throws Exception {
    String sweep =
        """
        model: m
        parallelism: ranks=1
        slot: {nodelist: "n1"}
        profiles:
          half: {overrides: {DTYPE: float32}}
          quick: {overrides: {MODE: fast}}
        metric: {name: time, unit: s, better: lower}
        plan: kernels
        workload:
          kind: command
          command: ./run
          pattern: '(?<step>\\d+) (?<value>\\S+)'
          steps: 10
        """;
    assertThat(doubtsOf(sweep))
        .containsExactly(
            "sweep.yaml:5:3: the profile 'half' changes what is trained (DTYPE), and nothing of it"
                + " can be deployed if it wins; expected workload.validation: the settings of a run"
                + " on real data, which 'nightsweep validate' makes after the sweep");
    assertThat(doubtsOf(sweep + "  validation: {DATA: real}\n")).isEmpty();
  }

  private static List<String> doubts(String rest) throws Exception {
    return doubtsOf(
        """
        model: deepseek3-671b
        parallelism: PP=8
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: /r, num_pipeline_microbatches: 16, remat_policy: full}
        """
            + rest);
  }

  private static List<String> doubtsOf(String sweep) throws Exception {
    Loaded loaded =
        SweepFile.parse("sweep.yaml", sweep, Resources.beside(Path.of("nowhere/sweep.yaml")));
    return loaded.doubts(loaded.onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"))).stream()
        .map(Problem::toString)
        .toList();
  }

  private static long screened(SweepSpec spec) {
    return spec.plan().waves().stream()
        .filter(w -> w.kind() == Wave.Kind.SCREEN)
        .mapToLong(w -> w.profiles().size())
        .sum();
  }

  @Test
  void ppTriesThePpListAndThePipelinesShape() throws Exception {
    SweepSpec spec = spec("PP=8", ", num_pipeline_microbatches: 8, pipeline_parallel_layers: 56");
    List<String> flags = names(spec, "flags");
    assertThat(values(spec, flags, "--xla_gpu_collective_permute_decomposer_threshold"))
        .containsExactlyInAnyOrder("268435456", "1073741824", "8589934592");
    assertThat(values(spec, flags, AG)).containsExactly("8589934592");
    assertThat(values(spec, flags, "--xla_gpu_experimental_parallel_collective_overlap_limit"))
        .containsExactly("2", "4", "8");
    assertThat(values(spec, flags, "NCCL_ALGO")).containsExactly("Ring", "Tree", "CollnetDirect");
    assertThat(values(spec, flags, "NCCL_NCHANNELS_PER_NET_PEER"))
        .containsExactlyInAnyOrder("2", "4", "8");
    for (String flag :
        List.of(
            "--xla_gpu_enable_pipelined_p2p",
            "--xla_gpu_enable_async_collective_permute",
            "--xla_gpu_enable_highest_priority_async_stream",
            "--xla_gpu_enable_while_loop_double_buffering",
            "--xla_gpu_enable_pipelined_all_reduce",
            "--xla_gpu_enable_pipelined_reduce_scatter",
            "--xla_gpu_enable_pipelined_all_gather",
            "NCCL_PROTO")) {
      assertThat(values(spec, flags, flag)).as(flag).isNotEmpty();
    }
    List<String> shape = names(spec, "pipeline");
    // MaxText requires whole microbatches for each of the 8 stages: half of 8 does not start.
    assertThat(values(spec, shape, "num_pipeline_microbatches")).containsExactly("16");
    // 56 layers over 8 stages are 7 rounds of the one deployed layer; the only other divisor is 7.
    assertThat(values(spec, shape, "num_layers_per_pipeline_stage")).containsExactly("7");
    // An advisor does not restore what the plan left out.
    assertThat(
            spec.catalogs().stream()
                .filter(c -> c.name().equals("maxtext-pipeline"))
                .flatMap(c -> c.entries().stream())
                .flatMap(e -> e.candidates().stream())
                .map(Profile::name))
        .containsExactly("mb-x2", "lps-7");
  }

  /** Stages 8, microbatches 8, V = 7: (8 - 1) / (8 * 7 + 8 - 1) = 11.1 %. */
  @Test
  void theBubbleIsPredictedBeforeAnythingIsSubmitted() throws Exception {
    SweepSpec spec = spec("PP=8", ", num_pipeline_microbatches: 8, pipeline_parallel_layers: 56");
    assertThat(Phrases.EN.text(wave(spec, "pipeline").why()))
        .endsWith("Predicted bubble: baseline 11.1 %, mb-x2 5.9 %, lps-7 46.7 %.");
    assertThat(Phrases.EN.text(wave(spec("PP=8", ""), "pipeline").why()))
        .endsWith("Predicted bubble: baseline 46.7 %, mb-x2 30.4 %.");
  }

  @Test
  void theShapeIsThatOfTheModelsOwnConfiguration(@TempDir Path repository) throws Exception {
    Files.createDirectories(repository.resolve("configs"));
    Files.writeString(
        repository.resolve("configs/deep.gpu.yml"),
        """
        num_pipeline_microbatches: 8   # as deployed
        pipeline_parallel_layers: 56
        num_layers_per_pipeline_stage: 1
        """);
    String text =
        """
        model: deep
        parallelism: PP=8
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: "%s"}
        """
            .formatted(repository);
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", text, Resources.beside(repository.resolve("sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    assertThat(Phrases.EN.text(wave(spec, "pipeline").why()))
        .endsWith("Predicted bubble: baseline 11.1 %, mb-x2 5.9 %, lps-7 46.7 %.");
    assertThat(values(spec, names(spec, "pipeline"), "num_pipeline_microbatches"))
        .containsExactly("16");
    assertThat(names(spec, "pipeline"))
        .as("what is deployed already is no candidate")
        .doesNotContain("lps-1");
  }

  @Test
  void tpTriesTheTpList() throws Exception {
    SweepSpec spec = spec("TP=8", "");
    List<String> flags = names(spec, "flags");
    for (String flag :
        List.of(
            "--xla_gpu_threshold_for_windowed_einsum_mib",
            "--xla_gpu_enable_async_all_gather",
            "NCCL_NCHANNELS_PER_NET_PEER")) {
      assertThat(values(spec, flags, flag)).as(flag).isNotEmpty();
    }
    assertThat(values(spec, flags, "--xla_gpu_collective_inflation_factor"))
        .as("a flag that makes the results incorrect, by XLA's own help")
        .isEmpty();
    assertThat(flags.getFirst()).startsWith("wein");
    assertThat(values(spec, flags, "--xla_gpu_enable_pipelined_all_gather")).isEmpty();
  }

  @Test
  void aHybridStartsFromItsFirstAxisAndAddsAFewOfTheOther() throws Exception {
    SweepSpec spec = spec("PP=4,FSDP=2", "");
    assertThat(names(spec, "flags")).contains("cpd-1G").doesNotContain("ag-1G");
    assertThat(names(spec, "secondary")).startsWith("ag-1G").hasSize(6);
    SweepSpec swapped = spec("FSDP=2,PP=4", "");
    assertThat(names(swapped, "flags")).contains("ag-1G").doesNotContain("cpd-1G");
    assertThat(names(swapped, "pipeline")).isNotEmpty();
  }

  @Test
  void theBaselineIsAPairAndWhatIsListedComesInTheProceduresOrder() throws Exception {
    SweepSpec spec = spec("PP=8", "");
    assertThat(wave(spec, "baseline").profiles())
        .containsExactly(Profile.BASELINE, Profile.BASELINE_NO_ENV);
    assertThat(spec.profile(Profile.BASELINE_NO_ENV).orElseThrow().base())
        .isEqualTo(Profile.Base.NO_ENV);
    assertThat(spec.plan().waves())
        .extracting(Wave::kind)
        .containsSubsequence(
            Wave.Kind.PROBE,
            Wave.Kind.BASELINE,
            Wave.Kind.EVIDENCE,
            Wave.Kind.SCREEN,
            Wave.Kind.RACE,
            Wave.Kind.STACK,
            Wave.Kind.CONFIRM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FSDP=8", "PP=8", "TP=8", "PP=4,FSDP=2", "FSDP=4,TP=2"})
  void everyPlanIsWhole(String parallelism) throws Exception {
    SweepSpec spec = spec(parallelism, "");
    assertThat(spec.plan().waves().getFirst().kind()).isEqualTo(Wave.Kind.PROBE);
    assertThat(spec.plan().waves())
        .allSatisfy(w -> assertThat(w.profiles()).hasSizeLessThanOrEqualTo(10));
    assertThat(spec.plan().waves().stream().flatMap(w -> w.profiles().stream()))
        .allMatch(p -> spec.profile(p).isPresent());
    assertThat(spec.profiles()).extracting(Profile::hash).doesNotHaveDuplicates();
    assertThat(spec.metric().better()).isEqualTo(Metric.Better.HIGHER);
  }

  private static List<Profile> profiles(SweepSpec spec, List<String> names) {
    return names.stream().map(n -> spec.profile(n).orElseThrow()).toList();
  }

  private static List<String> values(SweepSpec spec, List<String> names, String setting) {
    return profiles(spec, names).stream()
        .map(
            p -> {
              Map<String, String> all = new TreeMap<>(p.flags());
              all.putAll(p.env());
              all.putAll(p.overrides());
              return all.getOrDefault(setting, "");
            })
        .filter(v -> !v.isEmpty())
        .toList();
  }

  private static Wave wave(SweepSpec spec, String name) {
    return spec.plan().waves().stream()
        .filter(w -> w.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(SweepSpec spec, String wave) {
    return spec.plan().waves().stream()
        .filter(w -> w.name().matches(wave + "(-\\d+)?"))
        .flatMap(w -> w.profiles().stream())
        .toList();
  }

  static SweepSpec spec(String parallelism, String settings) throws Exception {
    String text =
        """
        model: deepseek3-671b
        parallelism: %s
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: /opt/tuning%s}
        """
            .formatted(parallelism, settings);
    return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("nowhere/sweep.yaml")))
        .resolve(
            FakeCluster.fourNodes(),
            Prompter.nobody(),
            ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }
}
