package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.TrialId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a job's directory to findings. */
@Tag("xla")
class EvidenceTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(4), 1);
  private static final String AG = "--xla_gpu_all_gather_combine_threshold_bytes";
  private static final String CP = "--xla_gpu_collective_permute_decomposer_threshold";

  @Test
  void aRealJobsDirectoryShowsWhatTheStepIsMadeOf(@TempDir Path job) throws Exception {
    Path dump = Files.createDirectories(job.resolve("xla_dump"));
    Files.copy(
        Samples.file("module.jit_train_step.cpu_after_optimizations.txt.gz"),
        dump.resolve("module_0016.jit_train_step.cpu_after_optimizations.txt.gz"));
    Files.writeString(
        dump.resolve("module_0002.jit_small.cpu_after_optimizations.txt"), "HloModule jit_small\n");
    Files.writeString(
        dump.resolve("module_0016.jit_train_step.debug_options"),
        """
        xla_dump_to: "dump"
        xla_gpu_enable_pipelined_p2p: true
        xla_gpu_per_fusion_autotune_cache_dir: "/image/jax_cache/xla_gpu_per_fusion_autotune_cache_dir"
        """);
    Path profile = Files.createDirectories(job.resolve("run/tensorboard/plugins/profile/t"));
    Files.copy(Samples.file("sample.xplane.pb.gz"), profile.resolve("n1.xplane.pb.gz"));

    List<Finding> findings = Evidence.of(ATTEMPT, "17", List.of(job), List.of(), 2);
    assertThat(findings)
        .extracting(Finding::kind)
        .contains(
            Finding.MECHANISMS,
            Finding.COLLECTIVES,
            Finding.SYNCHRONOUS,
            Finding.BREAKDOWN,
            Finding.DOMINANT,
            Finding.EXPOSED,
            Finding.KERNELS,
            Finding.FLAGS)
        .doesNotContain(Finding.UNREADABLE);
    Finding seen = one(findings, Finding.MECHANISMS);
    assertThat(seen.figures())
        .containsEntry("all-gather", 4.0)
        .containsEntry("collective-permute", 8.0)
        .containsEntry("reduce-scatter", 4.0)
        .containsEntry("all-reduce", 1.0)
        .containsEntry("while-loop", 2.0)
        .doesNotContainKey("async-collective");
    assertThat(seen.sources())
        .containsExactly(
            "job 17: xla_dump/module_0016.jit_train_step.cpu_after_optimizations.txt.gz");
    Map<String, Double> window = one(findings, Finding.BREAKDOWN).figures();
    double parts =
        List.of("compute", "exposed communication", "copies", "idle").stream()
            .mapToDouble(part -> window.getOrDefault(part, Double.NaN))
            .sum();
    assertThat(window.getOrDefault("window", Double.NaN)).isPositive();
    assertThat(parts).isCloseTo(window.getOrDefault("window", 0.0), Assertions.within(1e-9));
    assertThat(one(findings, Finding.DOMINANT).figures()).containsOnlyKeys("collective-permute");
    // Four devices on two nodes: each of the sample's groups contains devices of both.
    Map<String, Double> kinds = one(findings, Finding.COMMUNICATION).figures();
    assertThat(kinds)
        .containsOnlyKeys(
            "all-gather between nodes",
            "all-reduce between nodes",
            "collective-permute between nodes",
            "reduce-scatter between nodes");
    assertThat(kinds.values().stream().mapToDouble(share -> share).sum())
        .isCloseTo(
            window.getOrDefault("exposed communication", 0.0) / window.getOrDefault("window", 1.0),
            Assertions.within(1e-9));
    assertThat(Phrases.EN.text(one(findings, Finding.FLAGS).statement()))
        .isEqualTo("the module was compiled with xla_gpu_enable_pipelined_p2p=true");
    assertThat(findings)
        .allSatisfy(f -> assertThat(f.sources()).allMatch(s -> s.startsWith("job 17: ")));
  }

  @Test
  void thresholdsAreHeldAgainstTheSizesThatAreThere(@TempDir Path job) throws Exception {
    Files.copy(
        Samples.file("module.jit_train_step.gpu_after_optimizations.txt"),
        job.resolve("module_0001.jit_train_step.gpu_after_optimizations.txt"));
    List<Finding> findings =
        Evidence.of(
            ATTEMPT,
            "9",
            List.of(job),
            List.of(
                Profile.of("ag-16M", Map.of(AG, "16777216"), Map.of(), Map.of()),
                Profile.of("ag-1G", Map.of(AG, "1073741824"), Map.of(), Map.of()),
                Profile.of("cpd-1G", Map.of(CP, "1073741824"), Map.of(), Map.of())),
            2);
    assertThat(
            findings.stream()
                .filter(f -> f.is(Finding.THRESHOLD))
                .map(f -> Phrases.EN.text(f.statement())))
        .satisfiesExactly(
            gather ->
                assertThat(gather)
                    .contains("32.0 MiB", "of 2 tensors", "ag-16M split it", "ag-1G lie above it"),
            permute -> assertThat(permute).contains("no candidate would decompose it"));
    assertThat(Phrases.EN.text(one(findings, Finding.SYNCHRONOUS).statement()))
        .contains("collective-permute is marked is_sync", "21 times a step");
    assertThat(one(findings, Finding.PIPELINED).figures())
        .containsOnlyKeys("collective-permute", "reduce-scatter");
    assertThat(one(findings, Finding.MECHANISMS).figures()).containsKey("async-collective");
  }

  /** A broken file loses only its own findings. */
  @Test
  void aDumpCutInHalfAndAnXplaneThatIsNoneAreFindings(@TempDir Path job) throws Exception {
    byte[] whole =
        Files.readAllBytes(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"));
    Files.write(
        job.resolve("module_0001.jit_train_step.gpu_after_optimizations.txt"),
        Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(job.resolve("n1.xplane.pb"), "no xplane at all");
    try (GZIPInputStream in =
        new GZIPInputStream(Files.newInputStream(Samples.file("sample.trace.json.gz")))) {
      Files.write(job.resolve("n1.trace.json"), in.readAllBytes());
    }
    List<Finding> findings = Evidence.of(ATTEMPT, "5", List.of(job), List.of(), 2);
    assertThat(
            findings.stream()
                .filter(f -> f.is(Finding.UNREADABLE))
                .map(f -> Phrases.EN.text(f.statement())))
        .satisfiesExactly(
            dump -> assertThat(dump).contains("cut off at byte", "expected"),
            xplane -> assertThat(xplane).contains("it is not an xplane file", "expected"));
    assertThat(one(findings, Finding.BREAKDOWN).sources()).containsExactly("job 5: n1.trace.json");
  }

  @Test
  void nothingThereIsAFindingToo(@TempDir Path job) {
    assertThat(Evidence.of(ATTEMPT, "5", List.of(job, job.resolve("none")), List.of(), 2))
        .singleElement()
        .satisfies(f -> assertThat(f.is(Finding.UNREADABLE)).isTrue());
  }

  private static Finding one(List<Finding> findings, String kind) {
    return findings.stream().filter(f -> f.is(kind)).findFirst().orElseThrow();
  }
}
