package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real XLA sweep: JAX on two virtual nodes, through a launcher that calls sbatch itself. */
@Tag("xla")
class XlaSweepIT {
  private static final String GONE = "--xla_cpu_flag_of_an_older_build";

  private static final String SWEEP =
      """
      model: tiny
      parallelism: FSDP=2
      slot: {nodelist: "n[1-2]"}
      workload: {kind: maxtext, repository: "@CHECKOUT@", ray: false}
      profiles:
        isa-avx2:
          flags: {--xla_cpu_max_isa: AVX2}
        gone:
          flags: {--xla_cpu_flag_of_an_older_build: true}
        fast-min-max:
          flags: {--xla_cpu_enable_fast_min_max: true, --xla_cpu_flag_of_an_older_build: 2}
          env: {NCCL_PROTO: Simple}
      plan:
        waves:
          - {name: flag-probe, kind: probe}
          - {name: baseline, kind: baseline, profiles: [baseline-deployed, baseline-no-env]}
          - {name: evidence, kind: evidence}
          - {name: flags, kind: screen, select: {from: profiles}}
          - {name: race, kind: race, when: if-contender, repetitions: 2}
          - {name: confirm, kind: confirm, when: if-contender}
      budget: {jobs: 32, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 3, jobTimeLimit: 3m}
      playbook: common
      """;

  @Test
  void aSweepOfRealFlagsEndsInAVerdictWithItsEvidence() throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path checkout = MaxTextLab.checkout(lab, "maxtext");
    SweepDirectory directory = sweep(lab, SWEEP.replace("@CHECKOUT@", checkout.toString()));
    SweepState end = JournalReader.fold(directory.journal());

    assertThat(end.phase()).isInstanceOf(Phase.Finished.class);
    // Whether 32 jobs suffice for a verdict is the machine's noise to say.
    assertThat(((Phase.Finished) end.phase()).outcome())
        .isNotEqualTo(Event.SweepFinished.SweepOutcome.STOPPED);
    assertThat(end.trials().values()).noneMatch(TrialState::isOpen);

    // The probe: all unknown flags at once, before any candidate ran.
    assertThat(end.findings().stream().flatMap(f -> f.unknownFlags().stream())).containsOnly(GONE);
    assertThat(end.dropped().values())
        .extracting(Event.ProfileDropped::profile, Event.ProfileDropped::cause)
        .contains(tuple("gone", Event.ProfileDropped.DropCause.UNSUPPORTED));
    assertThat(end.profile("fast-min-max").flags())
        .containsOnlyKeys("--xla_cpu_enable_fast_min_max");

    Path outputs = checkout.resolve("outputs");
    List<AttemptState> measured = end.attempts().filter(a -> a.measurement().isPresent()).toList();
    assertThat(measured).hasSizeGreaterThanOrEqualTo(6);
    for (AttemptState a : measured) {
      assertThat(a.nodes()).containsExactly("n1", "n2");
      assertThat(a.end().orElseThrow().source()).isEqualTo(JobEnd.Source.EXIT_RECORD);
      assertThat(a.measurement().orElseThrow().steps()).hasSize(15);
      assertThat(a.measurement().orElseThrow().extras()).containsKey("totalMemoryBytes");
      Trial trial = end.trial(a.id().trial()).trial();
      String flags = effectiveFlags(outputs, a);
      switch (trial.profile()) {
        case "baseline-deployed" -> assertThat(flags).endsWith("--xla_cpu_max_isa=SSE4_2");
        case "baseline-no-env" -> assertThat(flags).doesNotContain("max_isa");
        // Both are there, and only the order decides.
        case "isa-avx2" ->
            assertThat(flags).endsWith("--xla_cpu_max_isa=SSE4_2 --xla_cpu_max_isa=AVX2");
        default -> assertThat(flags).contains("SSE4_2");
      }
    }

    AttemptState evidence =
        end.attempts()
            .filter(a -> end.trial(a.id().trial()).trial().purpose() == Trial.Purpose.EVIDENCE)
            .findFirst()
            .orElseThrow();
    assertThat(evidence.measurement().orElseThrow().windowFrom()).isEqualTo(5);
    assertThat(evidence.measurement().orElseThrow().windowTo()).isEqualTo(9);
    List<Path> files = MaxTextLab.files(folder(outputs, evidence));
    Path hlo =
        files.stream()
            .filter(f -> f.toString().contains("xla_dump/module_"))
            .filter(f -> f.toString().endsWith("after_optimizations.txt"))
            .findFirst()
            .orElseThrow();
    assertThat(Files.readString(hlo)).contains("all-gather", "jit_train_step");
    assertThat(files)
        .anyMatch(f -> f.toString().endsWith(".xplane.pb") && f.toFile().length() > 1000);
    read(end, evidence);
    concluded(end);
    reported(directory, end, evidence);
  }

  /** Both languages, with the same conclusion and the evidence's job and files. */
  private static void reported(SweepDirectory directory, SweepState end, AttemptState evidence)
      throws Exception {
    Path page = ReportWriter.page(directory.reports(), end);
    String chinese = page.getFileName().toString().replace("-tuning.md", "-tuning.zh.md");
    Phase.Finished finished = (Phase.Finished) end.phase();
    for (String report :
        List.of(Files.readString(page), Files.readString(page.resolveSibling(chinese)))) {
      assertThat(report)
          .contains("isa-avx2", "fast-min-max", GONE, "xla_dump/module_", ".xplane.pb")
          .contains(evidence.job().orElseThrow().value())
          .doesNotContain("Preliminary");
    }
    assertThat(Files.readString(page))
        .contains(
            finished.outcome() == Event.SweepFinished.SweepOutcome.WINNER
                ? ((SweepEnding.Won) finished.ending()).profile()
                : "No profile is confirmed better than");
    assertThat(Files.readString(page.resolveSibling(chinese))).contains("## 排行榜");
    assertThat(page.resolveSibling("tuning.json")).isNotEmptyFile();
  }

  /** The daemon itself read both files, and says which. */
  private static void read(SweepState end, AttemptState evidence) {
    assertThat(end.findings()).noneMatch(f -> f.is(Finding.UNREADABLE));
    assertThat(end.findings())
        .anySatisfy(
            f -> {
              assertThat(f.attempt()).isEqualTo(evidence.id());
              assertThat(f.kind()).isEqualTo(Finding.COLLECTIVES);
              assertThat(f.statement()).contains("all-gather");
              assertThat(f.sources()).anyMatch(s -> s.contains("xla_dump/module_"));
            })
        .anySatisfy(
            f -> {
              assertThat(f.attempt()).isEqualTo(evidence.id());
              assertThat(f.kind()).isEqualTo(Finding.BREAKDOWN);
              assertThat(f.figures().values()).anyMatch(seconds -> seconds > 0);
              assertThat(f.sources()).anyMatch(s -> s.contains(".xplane.pb"));
            });
  }

  /**
   * A winner has fresh runs and an interval above zero; a negative finding judged every candidate.
   */
  private static void concluded(SweepState end) {
    Phase.Finished finished = (Phase.Finished) end.phase();
    Leaderboard board = Standings.board(end);
    System.out.println("xla sweep: " + finished.ending());
    for (Standing s : board.standings()) {
      System.out.println("xla sweep: " + s.profile() + " " + s.verdict());
    }
    Optional<Standing> winner = Standings.winner(end);
    assertThat(winner.isPresent())
        .isEqualTo(finished.outcome() == Event.SweepFinished.SweepOutcome.WINNER);
    winner.ifPresent(
        w -> {
          assertThat(w.verdict().runs()).isGreaterThanOrEqualTo(3);
          assertThat(w.verdict().interval().low()).isPositive();
          assertThat(((SweepEnding.Won) finished.ending()).profile()).isEqualTo(w.profile());
        });
    for (String profile : List.of("isa-avx2", "fast-min-max")) {
      Standing s = board.of(profile).orElseThrow();
      assertThat(s.estimate().runs()).isPositive();
      assertThat(s.verdict()).isNotInstanceOf(Verdict.Unsafe.class);
      if (winner.isEmpty()) {
        assertThat(s.verdict()).isNotInstanceOf(Verdict.Win.class);
      }
    }
  }

  private static SweepDirectory sweep(SlurmLab lab, String text) throws Exception {
    LabSweep sweep = new LabSweep(lab, "tiny", text);
    RealParts parts = new RealParts(lab.shared("home"));
    assertThat(parts.workload("maxtext").preflight(sweep.spec())).isEmpty();
    return sweep.walk(new StateDirectory(lab.shared("state-xla")), parts, Duration.ofMinutes(15));
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
