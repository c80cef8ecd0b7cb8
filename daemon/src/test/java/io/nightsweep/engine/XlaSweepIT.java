package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.ReportReading;
import io.nightsweep.report.ShortBudget;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The packed plan on real XLA: JAX with two CPU devices on each virtual node, through a launcher
 * that calls sbatch itself.
 */
@Tag("xla")
@Tag("alone")
class XlaSweepIT {
  private static final String GONE = "--xla_cpu_flag_of_an_older_build";

  private static final String SWEEP =
      """
      model: tiny
      parallelism: "@PARALLELISM@"
      slot: {nodelist: "@NODES@"}
      workload:
        kind: maxtext
        repository: "@CHECKOUT@"
        ray: false
        launcher: {DEVICES_PER_NODE: "2"}
        devicesPerNode: 2
        per_device_batch_size: 4
        vocab_size: 4096
        embed_dim: 64
        mlp_dim: 128
        dcn_fsdp_parallelism: @OVER_NODES@
      configTags:
        shallow: {num_layers: 2}
        deep: {num_layers: 3}
      profiles:
        optimized:
          flags: {--xla_backend_optimization_level: 3, --xla_cpu_max_isa: AVX2}
        gone:
          flags: {--xla_cpu_flag_of_an_older_build: true}
        fast-min-max:
          flags: {--xla_cpu_enable_fast_min_max: true, --xla_cpu_flag_of_an_older_build: 2}
          env: {NCCL_PROTO: Simple}
        typo:
          overrides: {remat_polcy: full}
      plan: xla-tuning
      budget: {jobs: 36, hours: 3}
      # What is deployed switches the compiler's optimizer off.
      policy: {jobTimeLimit: 5m, plausibleGain: 9900%}
      playbook: maxtext-cuda
      """;

  /**
   * On a machine with other work, equal runs may differ as much as a compiler optimisation changes
   * them.
   */
  private static final double HIDES_IT = 0.1;

  private static final String OFF = "--xla_backend_optimization_level=0 --xla_cpu_max_isa=SSE4_2";
  private static final String ON = "--xla_backend_optimization_level=3 --xla_cpu_max_isa=AVX2";

  private static final String DEPLOYED =
      """
      # What is deployed for this model: a compiler without its optimizer, for an older machine.
      XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }@OFF@"
      export XLA_FLAGS
      export OMP_NUM_THREADS=1
      # Launchers hand such on to their jobs; nothing that Nightsweep writes may have them.
      export HF_TOKEN="hf_canaryInTheEnvFile0123456789"
      """
          .replace("@OFF@", OFF);

  /**
   * @param nodes with two devices each
   * @param nodesByFsdp how many nodes the parallelism's FSDP axis spans
   */
  record MeshCell(String parallelism, String nodes, int nodesByFsdp) {
    @Override
    public String toString() {
      return parallelism;
    }
  }

  static Stream<MeshCell> cells() {
    return Stream.of(new MeshCell("TP=2", "n1", 1), new MeshCell("FSDP=2,TP=2", "n[1-2]", 2));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void thePackedPlanWalksFromProbeToCrossCheckAndBothReportsTellWhatTheJournalHolds(MeshCell cell)
      throws Exception {
    SlurmLab lab = SlurmLab.up();
    String name = cell.parallelism().replaceAll("\\W", "");
    Path checkout = MaxTextLab.checkout(lab, name, Map.of("configs/tiny.env.sh", DEPLOYED));
    SweepDirectory directory = sweep(lab, name, checkout, cell);
    SweepState end = JournalReader.fold(directory.journal());

    assertThat(end.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(end.trials().values()).noneMatch(TrialState::isOpen);
    probed(end);
    List<AttemptState> measured = end.attempts().filter(a -> a.measurement().isPresent()).toList();
    for (AttemptState a : measured) {
      assertThat(a.nodes()).hasSize(cell.nodesByFsdp());
      assertThat(a.end().orElseThrow().source()).isEqualTo(JobEnd.Source.EXIT_RECORD);
      assertThat(a.measurement().orElseThrow().steps()).hasSize(15);
      assertThat(a.measurement().orElseThrow().extras()).containsKey("totalMemoryBytes");
      String flags = effectiveFlags(checkout.resolve("outputs"), a);
      // Both the deployed value and the profile's are present; the order alone decides.
      switch (end.trialOf(a.id()).profile()) {
        case "baseline-deployed" -> assertThat(flags).endsWith(OFF);
        case "baseline-no-env" -> assertThat(flags).doesNotContain("max_isa");
        case "optimized" -> assertThat(flags).endsWith(OFF + " " + ON);
        default -> assertThat(flags).contains(OFF);
      }
    }
    evident(end, checkout, cell);
    concluded(end);
    new ReportReading(directory.reports(), directory.journal(), end).holds("shallow");
    assertThat(Leaks.of("canaryInTheEnv", directory.root())).isEmpty();
    assertThat(Leaks.of("canaryInTheEnv", directory.reports())).isEmpty();
  }

  /** All unknown flags and settings are found at once, before any candidate ran. */
  private static void probed(SweepState end) {
    assertThat(end.findings().stream().flatMap(f -> f.unknownFlags().stream())).contains(GONE);
    assertThat(end.dropped().values())
        .extracting(Event.ProfileDropped::profile, Event.ProfileDropped::cause)
        .contains(tuple("gone", Event.ProfileDropped.DropCause.UNSUPPORTED));
    assertThat(end.profile("fast-min-max").flags())
        .containsOnlyKeys("--xla_cpu_enable_fast_min_max");
    assertThat(end.findings().stream().flatMap(f -> f.knownSettings().stream()))
        .contains("remat_policy", "num_layers", "base_config")
        .doesNotContain("remat_polcy");
    assertThat(end.dropped().get("typo"))
        .extracting(Event.ProfileDropped::cause)
        .isEqualTo(Event.ProfileDropped.DropCause.UNSUPPORTED);
    assertThat(end.attempts().map(a -> end.trialOf(a.id()).profile())).doesNotContain("typo");
  }

  /**
   * The step was partitioned along the tensor axis, and the daemon learned this from XLA's own
   * files.
   */
  private static void evident(SweepState end, Path checkout, MeshCell cell) throws Exception {
    AttemptState evidence =
        end.attempts()
            .filter(a -> end.trialOf(a.id()).purpose() == Trial.Purpose.EVIDENCE)
            .findFirst()
            .orElseThrow();
    assertThat(evidence.measurement().orElseThrow().windowFrom()).isEqualTo(5);
    assertThat(evidence.measurement().orElseThrow().windowTo()).isEqualTo(9);
    List<Path> files = MaxTextLab.files(folder(checkout.resolve("outputs"), evidence));
    Path hlo =
        files.stream()
            .filter(f -> f.toString().contains("xla_dump/module_"))
            .filter(f -> f.toString().endsWith("after_optimizations.txt"))
            .findFirst()
            .orElseThrow();
    assertThat(files)
        .anyMatch(f -> f.toString().endsWith(".xplane.pb") && f.toFile().length() > 1000);
    Map<String, Double> counted =
        Pattern.compile("= .*? (all-reduce|all-gather|all-to-all|collective-permute)\\(")
            .matcher(Files.readString(hlo))
            .results()
            .collect(Collectors.groupingBy(m -> m.group(1), Collectors.summingDouble(m -> 1)));
    assertThat(counted.get("all-reduce")).isGreaterThanOrEqualTo(2);
    assertThat(counted.containsKey("all-gather")).isEqualTo(cell.nodesByFsdp() > 1);
    assertThat(end.findings()).noneMatch(f -> f.is(Finding.UNREADABLE));
    assertThat(of(end, evidence, Finding.MECHANISMS).figures()).containsAllEntriesOf(counted);
    Map<String, Double> shares = of(end, evidence, Finding.COMMUNICATION).figures();
    assertThat(shares.values()).anyMatch(share -> share > 0);
    if (cell.nodesByFsdp() == 1) {
      assertThat(shares.keySet()).noneMatch(route -> route.endsWith("between nodes"));
      return;
    }
    assertThat(shares).containsKeys("all-reduce inside nodes");
    Map<String, Double> axes = of(end, evidence, Finding.DOMINANT_AXIS).figures();
    assertThat(axes.get("FSDP")).isCloseTo(share(shares, "between nodes"), within(1e-9));
    assertThat(axes.get("TP")).isCloseTo(share(shares, "inside nodes"), within(1e-9));
  }

  /**
   * The share of gathers and reductions on one part of the fabric; half of those that are on both.
   */
  private static double share(Map<String, Double> shares, String reach) {
    return shares.entrySet().stream()
        .filter(e -> e.getKey().matches("(all-gather|all-reduce|reduce-scatter).*"))
        .mapToDouble(
            e ->
                e.getKey().endsWith(reach)
                    ? e.getValue()
                    : e.getKey().contains(" ") ? 0 : e.getValue() / 2)
        .sum();
  }

  private static Finding of(SweepState end, AttemptState attempt, String kind) {
    return end.findings().stream()
        .filter(f -> f.attempt().equals(attempt.id()) && f.is(kind))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The compiler's optimizer gives three times the speed or more, whether a profile enables it or
   * omits the deployed environment that disables it; this is confirmed and cross-checked.
   */
  private static void concluded(SweepState end) {
    String ending = ((Phase.Finished) end.phase()).ending().toString();
    System.out.println("xla sweep: " + ending);
    assertThat(walked(end))
        .contains(Wave.Kind.PROBE, Wave.Kind.BASELINE, Wave.Kind.EVIDENCE, Wave.Kind.SCREEN);
    Optional<Standing> won = Standings.winner(end);
    if (won.isEmpty()) {
      assertThat(Standings.board(end).noise().total())
          .as("noise of one run, which alone hides so much; %s", ending)
          .isGreaterThan(HIDES_IT);
      return;
    }
    Standing winner = won.get();
    assertThat(winner.profile()).matches("baseline-no-env|.*optimized.*");
    assertThat(winner.verdict().runs()).isGreaterThanOrEqualTo(3);
    assertThat(winner.verdict().interval().low()).isPositive();
    assertThat(walked(end)).contains(Wave.Kind.CONFIRM);
    // Cut only if the machine's noise made the confirmation long, and then reported as cut.
    for (Wave.Kind last : List.of(Wave.Kind.CROSS_CHECK, Wave.Kind.WINNER_EVIDENCE)) {
      assertThat(walked(end).contains(last) || isSaidToBeCut(end, last)).as("%s", last).isTrue();
    }
  }

  private static List<Wave.Kind> walked(SweepState end) {
    return end.waves().stream()
        .filter(w -> !w.trials().isEmpty())
        .map(w -> w.wave().kind())
        .toList();
  }

  private static boolean isSaidToBeCut(SweepState end, Wave.Kind kind) {
    List<String> said = ShortBudget.of(end).map(ShortBudget::waves).orElse(List.of());
    return end.waves().stream()
        .filter(w -> w.wave().kind() == kind)
        .allMatch(
            w ->
                w.skipped().filter(Cause.BudgetSpent.class::isInstance).isPresent()
                    && said.contains(w.wave().name()));
  }

  private static SweepDirectory sweep(SlurmLab lab, String name, Path checkout, MeshCell cell)
      throws Exception {
    String text =
        SWEEP
            .replace("@CHECKOUT@", checkout.toString())
            .replace("@PARALLELISM@", cell.parallelism())
            .replace("@NODES@", cell.nodes())
            .replace("@OVER_NODES@", "" + cell.nodesByFsdp());
    LabSweep sweep = new LabSweep(lab, "tiny", text);
    RealParts parts = new RealParts(lab.shared("home"));
    assertThat(parts.workload("maxtext").preflight(sweep.spec())).isEmpty();
    return sweep.walk(
        new StateDirectory(lab.shared("state-" + name)), parts, Duration.ofMinutes(20));
  }

  private static String effectiveFlags(Path outputs, AttemptState a) throws Exception {
    Path log = folder(outputs, a).resolve("log").toRealPath();
    return Files.readAllLines(log).stream()
        .filter(line -> line.matches("^0: XLA_FLAGS=.*"))
        .findFirst()
        .orElseThrow();
  }

  private static Path folder(Path outputs, AttemptState a) throws Exception {
    String id = a.job().orElseThrow().value() + "-";
    try (var entries = Files.list(outputs)) {
      return entries
          .filter(p -> p.getFileName().toString().startsWith(id) && Files.isDirectory(p))
          .findFirst()
          .orElseThrow();
    }
  }
}
