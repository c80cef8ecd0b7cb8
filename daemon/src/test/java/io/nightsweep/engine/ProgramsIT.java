package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real flags of a real XLA, on one node, since on CPUs JAX gives each rank but the first its own
 * cache keys, under which nothing is ever written.
 */
@Tag("hours")
class ProgramsIT {
  private static final String SWEEP =
      """
      model: tiny
      parallelism: FSDP=1
      slot: {nodelist: n1}
      workload:
        kind: maxtext
        repository: "@CHECKOUT@"
        ray: false
        num_layers: 4
        env: {JAX_LOG_COMPILES: "1", JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS: "0"}
      catalogs: [xla, passes]
      profiles:
        inert:
          flags: {--xla_gpu_all_gather_combine_threshold_bytes: 1073741824}
        unfused:
          flags: {--xla_disable_hlo_passes: fusion}
        unfused-too:
          flags: {--xla_disable_hlo_passes: "fusion,no-such-pass"}
        isa:
          flags: {--xla_cpu_max_isa: AVX2}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed]}
          - {name: flags, kind: screen, select: {from: profiles}}
          - {name: race, kind: race, when: if-contender, repetitions: 1}
      budget: {jobs: 12, hours: 1}
      policy: {baselineRuns: 2, plausibleGain: 900%, jobTimeLimit: 3m}
      playbook: common
      """;

  /** A site's catalog of its own build's flags. */
  private static final String CATALOG =
      """
      about: Flags of this build.
      entries:
        - id: passes
          flag: --xla_disable_hlo_passes
          type: text
          values: [fusion]
          parallelisms: {any: {sign: unknown, why: A pass may cost more than it brings.}}
          passesOnly: true
          about: Passes that are left out.
      """;

  @Test
  void anInertFlagCostsOneJobTwoFlagsOfOneProgramAreOneArmAndABaselineCompilesOnce()
      throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path checkout = MaxTextLab.checkout(lab, "programs");
    Path folder = lab.shared("programs-file");
    Files.createDirectories(folder.resolve("flags"));
    Files.writeString(folder.resolve("flags/passes.yaml"), CATALOG);
    SweepDirectory directory =
        new LabSweep(
                lab,
                "tiny",
                SWEEP.replace("@CHECKOUT@", checkout.toString()),
                folder.resolve("sweep.yaml"))
            .walk(
                new StateDirectory(lab.shared("state-programs")),
                new RealParts(lab.shared("home")),
                Duration.ofMinutes(15));
    SweepState end = JournalReader.fold(directory.journal());
    assertThat(end.phase()).isInstanceOf(Phase.Finished.class);

    Map<String, Event.ProfileDropped> same = new TreeMap<>(end.dropped());
    same.values().removeIf(d -> d.cause() != DropCause.SAME_PROGRAM);
    // If the budget has room, advised thresholds turn out to be inert too.
    same.keySet().retainAll(Set.of("inert", "unfused", "unfused-too", "isa"));
    assertThat(same).hasSize(2).containsKey("inert").doesNotContainKey("isa");
    Cause.SameProgram inert = why(same, "inert");
    assertThat(inert.as()).isEqualTo("baseline-deployed");
    assertThat(inert.sources())
        .hasSize(2)
        .allMatch(s -> s.matches("job \\d+: .*xla_dump/module_.*jit_train_step.*txt"));
    String twin = same.keySet().stream().filter(p -> !p.equals("inert")).findFirst().orElseThrow();
    assertThat(List.of(twin, why(same, twin).as()))
        .containsExactlyInAnyOrder("unfused", "unfused-too");
    assertThat(jobs(end, "inert")).hasSize(1);
    assertThat(jobs(end, twin)).hasSize(1);
    Path page = ReportWriter.page(directory.reports(), end);
    assertThat(Files.readString(page)).contains("its flags change nothing");
    assertThat(
            Files.readString(
                page.resolveSibling(
                    page.getFileName().toString().replace("-tuning.md", "-tuning.zh.md"))))
        .contains("其标志不起任何作用");

    Path outputs = checkout.resolve("outputs");
    List<AttemptState> baseline = jobs(end, "baseline-deployed");
    assertThat(baseline).hasSizeGreaterThanOrEqualTo(3);
    assertThat(log(outputs, baseline.getFirst()))
        .contains("Finished XLA compilation of jit(train_step)")
        .doesNotContain("cache hit for 'jit_train_step'");
    assertThat(baseline.subList(1, baseline.size()))
        .allSatisfy(
            a -> {
              assertThat(a.measurement()).isPresent();
              assertThat(log(outputs, a)).contains("cache hit for 'jit_train_step'");
            });
    try (var entries = Files.list(outputs)) {
      assertThat(entries.map(p -> p.getFileName().toString()))
          .filteredOn(name -> name.startsWith(".nightsweep-cache-"))
          .hasSize(1);
    }
  }

  private static Cause.SameProgram why(Map<String, Event.ProfileDropped> dropped, String profile) {
    return (Cause.SameProgram) Objects.requireNonNull(dropped.get(profile)).why();
  }

  private static List<AttemptState> jobs(SweepState s, String profile) {
    return s.attempts()
        .filter(a -> trial(s, a).profile().equals(profile))
        .collect(Collectors.toList());
  }

  private static Trial trial(SweepState s, AttemptState a) {
    return s.trialOf(a.id());
  }

  private static String log(Path outputs, AttemptState a) throws Exception {
    String id = a.job().orElseThrow().value() + "-";
    try (var entries = Files.list(outputs)) {
      Optional<Path> log =
          entries
              .filter(p -> p.getFileName().toString().startsWith(id) && Files.isRegularFile(p))
              .findFirst();
      return Files.readString(log.orElseThrow());
    }
  }
}
