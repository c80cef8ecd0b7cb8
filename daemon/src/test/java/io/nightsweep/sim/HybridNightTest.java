package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.evidence.Evidence;
import io.nightsweep.evidence.Samples;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nights of the packed plan with profiled runs that leave real dumps and profiles. */
@Tag("xla")
@Tag("slow")
class HybridNightTest {
  @TempDir private Path folder;

  /**
   * In the sampled profile gathers, scatters and reductions together cost more than permutes. FSDP
   * therefore comes before PP, whatever their order in the cell, and PP before EP, which has no
   * collective there.
   */
  @ParameterizedTest
  @CsvSource({
    "'FSDP=2,PP=4', FSDP, false",
    "'PP=4,FSDP=2', FSDP, true",
    "'PP=4,EP=2', PP, false",
    "'EP=2,PP=4', PP, true"
  })
  void theAxisWhoseCollectivesCostMostLeads(String parallelism, String leader, boolean swapped)
      throws Exception {
    ShippedNights nights = new ShippedNights(folder, parallelism, 1);
    Night.Result night =
        night(nights.spec(), Map.of(), reader(sample(folder.resolve("job"), "cpu")));
    SweepState s = night.state();
    assertThat(night.entries().stream().filter(e -> e.event() instanceof Event.AxisChosen))
        .hasSize(swapped ? 1 : 0);
    assertThat(s.findings().stream().filter(f -> f.is(Finding.DOMINANT_AXIS)))
        .singleElement()
        .satisfies(
            f -> {
              assertThat(Phrases.EN.text(f.statement()))
                  .endsWith("the flags of " + leader + " come first");
              assertThat(f.figures()).hasSize(2);
              assertThat(f.figures().get(leader))
                  .isEqualTo(Collections.max(f.figures().values()))
                  .isPositive();
            });
    List<String> ofLeader =
        new ShippedNights(folder, leader + "=8", 1)
            .spec().plan().waves().stream()
                .filter(w -> w.name().startsWith("flags"))
                .flatMap(w -> w.profiles().stream())
                .toList();
    List<String> first = planned(s, "flags-1");
    assertThat(first).isNotEmpty().isSubsetOf(ofLeader);
    assertThat(planned(s, "secondary")).hasSizeLessThanOrEqualTo(6);
    assertThat(s.profiles().keySet())
        .as("every profile of the roster is of a wave, or was made in the night")
        .allMatch(
            p ->
                s.waves().stream().anyMatch(w -> w.wave().profiles().contains(p))
                    || s.spec().profile(p).isEmpty()
                    || p.equals(Profile.BASELINE));
    assertThat(s.isFinished()).isTrue();
    assertThat(SweepState.fold(night.entries())).isEqualTo(s);
    assertThat(ReportTexts.chinese(s)).contains("先测试 " + leader + " 的 flag");
  }

  /** The probe queries the build for the flags of everything that may run, before anything runs. */
  @Test
  void theProbeAsksForTheFlagsOfEveryAxis() throws Exception {
    SweepSpec spec = new ShippedNights(folder, "PP=4,FSDP=2", 1).spec();
    assertThat(spec.profile("async-cp")).isPresent();
    assertThat(spec.profile("lhs")).isEmpty();
    assertThat(spec.everyProfile()).extracting(Profile::name).contains("async-cp", "lhs");
    // The probe also detects a flag of the axis that finally comes first.
    SweepState s =
        new Night(
                spec,
                new DrawnSurface(Map.of(), 1000, Weather.usual(0.008), 1),
                Faults.none(),
                ShippedNights.JOB,
                1)
            .reading(reader(sample(folder.resolve("job"), "cpu")))
            .after(
                List.of(
                    new Event.FindingMade(
                        Finding.ofUnknownFlags(
                            AttemptId.parse("t0001a1"),
                            List.of("--xla_gpu_enable_latency_hiding_scheduler"),
                            "log"))))
            .run()
            .state();
    assertThat(s.dropped().get("lhs"))
        .extracting(Event.ProfileDropped::cause)
        .isEqualTo(Event.ProfileDropped.DropCause.UNSUPPORTED);
  }

  /**
   * The probe found out the program's settings: a profile that sets any other leaves before its
   * job.
   */
  @Test
  void aSettingThatTheProgramDoesNotHaveCostsNoJob() throws Exception {
    ShippedNights nights = new ShippedNights(folder, "PP=8", 1);
    Set<String> settings =
        nights.spec().everyProfile().stream()
            .flatMap(p -> p.overrides().keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(settings).contains("num_pipeline_microbatches");
    settings.remove("num_pipeline_microbatches");
    List<String> candidates =
        nights.spec().profiles().stream()
            .filter(p -> p.overrides().containsKey("num_pipeline_microbatches"))
            .map(Profile::name)
            .toList();
    assertThat(candidates).isNotEmpty();
    Event told =
        new Event.FindingMade(Finding.ofKnownSettings(AttemptId.parse("t0001a1"), settings, "log"));
    SweepState s =
        new Night(
                nights.spec(),
                new DrawnSurface(Map.of(), 1000, Weather.usual(0.008), 1),
                Faults.none(),
                ShippedNights.JOB,
                1)
            .after(List.of(told))
            .run()
            .state();
    assertThat(s.dropped().values())
        .filteredOn(d -> d.cause() == Event.ProfileDropped.DropCause.UNSUPPORTED)
        .extracting(Event.ProfileDropped::profile)
        .containsExactlyInAnyOrderElementsOf(candidates);
    assertThat(s.trials().values()).noneMatch(t -> candidates.contains(t.trial().profile()));
    assertThat(ReportTexts.english(s))
        .contains("the program has no setting num_pipeline_microbatches")
        .doesNotContain("The program has " + settings.size() + " settings");
    assertThat(ReportTexts.chinese(s)).contains("该程序没有设置 num_pipeline_microbatches");
  }

  /** The report compares the winner's own dump with the deployed one, figure by figure. */
  @Test
  void theWinnerIsProfiledOnceAndSetBesideTheBaseline() throws Exception {
    ShippedNights nights = new ShippedNights(folder, "FSDP=8", 1);
    EvidenceReader deployed = reader(sample(folder.resolve("deployed"), "cpu"));
    EvidenceReader changed = reader(sample(folder.resolve("changed"), "gpu"));
    EvidenceReader reader =
        (workload, request, job) ->
            (request.profile().isBaseline() ? deployed : changed).begin(workload, request, job);
    SweepState s =
        night(nights.spec(), Published.responses("FSDP=8", nights.spec()), reader).state();
    assertThat(s.wave("winner-evidence").orElseThrow().trials())
        .singleElement()
        .satisfies(
            t -> {
              assertThat(s.trial(t).trial().purpose()).isEqualTo(Trial.Purpose.EVIDENCE);
              assertThat(s.trial(t).trial().profile()).startsWith("ag");
            });
    String page = ReportTexts.english(s);
    // The dumps in test resources: 4 and 8 all-gathers, 8 and 22 permutes, one reduce-scatter
    // fewer.
    assertThat(page)
        .contains("### What the winner changes in the step")
        .containsPattern(
            "what the step is made of \\| `collective-permute` \\| 8 \\| \\d+ \\| \\+\\d")
        .containsPattern("what the step is made of \\| `async-collective` \\| 0 \\| \\d+ \\| new");
    // The reason for the win comes from the deployed step, in which it could still be found.
    assertThat(page).contains("`collective-permute`");
    assertThat(s.findings().stream().filter(f -> f.is(Finding.MECHANISMS))).hasSize(2);
  }

  @Test
  void withoutAWinnerNothingMoreIsProfiled() throws Exception {
    SweepState s =
        night(
                new ShippedNights(folder, "TP=8", 1).spec(),
                Map.of(),
                reader(sample(folder.resolve("job"), "cpu")))
            .state();
    assertThat(s.wave("winner-evidence").orElseThrow().skipped()).isPresent();
    assertThat(ReportTexts.english(s)).doesNotContain("What the winner changes");
  }

  private static Night.Result night(
      SweepSpec spec, Map<String, Response> responses, EvidenceReader reader) {
    return new Night(
            spec,
            new DrawnSurface(responses, 1000, Weather.usual(0.008), 1),
            Faults.none(),
            ShippedNights.JOB,
            1)
        .reading(reader)
        .run();
  }

  /** The files of a job on four devices; of the GPU's sample only the dump. */
  private static Path sample(Path job, String device) throws Exception {
    Files.createDirectories(job);
    boolean cpu = device.equals("cpu");
    String dump =
        "module.jit_train_step." + device + "_after_optimizations.txt" + (cpu ? ".gz" : "");
    Files.copy(Samples.file(dump), job.resolve(dump.replace("module.", "module_0016.")));
    if (cpu) {
      Files.copy(Samples.file("sample.xplane.pb.gz"), job.resolve("n1.xplane.pb.gz"));
    }
    return job;
  }

  private static EvidenceReader reader(Path job) {
    return (workload, request, id) ->
        CompletableFuture.completedFuture(
            Evidence.of(
                request.attempt(), id.value(), List.of(job), request.spec().everyProfile(), 4));
  }

  private static List<String> planned(SweepState s, String wave) {
    return s.wave(wave).orElseThrow().trials().stream()
        .map(t -> s.trial(t).trial())
        .filter(t -> t.purpose() == Trial.Purpose.SCREEN)
        .map(Trial::profile)
        .distinct()
        .toList();
  }
}
