package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import io.nightsweep.workload.kernels.KernelsWorkload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every kernel on the real four-node Slurm, with all elements of its results checked. */
@Tag("kernels")
class LabStudyIT {
  private static final String EVERY_KERNEL =
      """
      about: every kernel at small sizes
      layouts: [{nodes: 4}]
      sampling: {iterations: 2, trials: 2, warmup: 1}
      timeLimit: 3m
      groups:
        - {name: allreduce, required: true, kernel: allreduce, axes: {bytes: [4096], dtype: [f32, bf16]}}
        - {name: allgather, required: true, kernel: allgather, axes: {bytes: [4096]}}
        - {name: reduce-scatter, required: true, kernel: reduce-scatter, axes: {bytes: [4096]}}
        - {name: all-to-all, required: true, kernel: all-to-all, axes: {bytes: [4096]}}
        - {name: all-to-allv, required: true, kernel: all-to-allv, axes: {bytes: [4096]}}
        - {name: broadcast, required: true, kernel: broadcast, axes: {bytes: [4096]}}
        - {name: send-receive, required: true, kernel: send-receive, axes: {bytes: [4096]}}
        - {name: ping-pong, required: true, kernel: ping-pong, axes: {bytes: [4096]}}
        - {name: message-rate, required: true, kernel: message-rate, axes: {bytes: [4096]}}
        - {name: pair-matrix, required: true, kernel: pair-matrix, axes: {bytes: [4096]}}
        - {name: reduce, required: true, kernel: reduce, axes: {bytes: [4096], operator: [max]}}
        - {name: gather, required: true, kernel: gather, axes: {bytes: [4096]}}
        - {name: scatter, required: true, kernel: scatter, axes: {bytes: [4096]}}
        - {name: copy, required: true, kernel: copy, axes: {bytes: [65536]}}
        - name: topologies
          required: true
          kernel: topology-allreduce
          layouts: [{nodes: 3, perNode: 2}]
          axes: {elements: [64]}
          variants:
            - {topology: ring_1d}
            - {topology: torus_2d, width: 2, height: 3}
            - {topology: mesh_2d_no_wrap, width: 2, height: 3}
        - {name: gemm, required: true, kernel: gemm, variants: [{m: 32, n: 32, k: 32}]}
        - name: experts
          required: true
          kernel: ep
          variants: [{tokens: 4, hidden: 256, experts: 8, topk: 2}]
        - name: pipeline
          required: true
          kernel: ep-pipeline
          variants: [{tokens: 4, hidden: 256, experts: 8, topk: 2, intermediate: 64}]
        - name: layer
          required: true
          kernel: tp-layer
          variants: [{tokens: 2, hidden: 128, heads: 4, intermediate: 256}]
      figures: [topologies]
      """;

  /** Exit code of a test that cannot be tried. */
  private static final int NO_HEADERS = 77;

  private final SlurmLab lab = SlurmLab.up();

  /** This build has no device code: the job gets the GPUs that a rank needs, and reports it. */
  @Test
  void aStudyOfGpusOnTheSharedPartitionAsksForThemAndItsCasesSayWhyTheyDidNotRun()
      throws Exception {
    Path shared = lab.shared("bench-gpus");
    Bench.BenchOutcome outcome =
        run(
            shared,
            Optional.of("shared"),
            """
            about: on fake GPUs
            layouts: [{nodes: 2, perNode: 2}]
            backends: [nccl]
            cpusPerTask: 1
            attempts: 1
            timeLimit: 3m
            groups:
              - {name: sizes, required: true, kernel: allreduce, axes: {bytes: [4096], buffer: [device, heap]}}
            """);
    assertThat(outcome.dispositions()).isEqualTo(Map.of("unsupported", 2L));
    List<CaseRow> rows = LocalStudies.rows(outcome);
    assertThat(rows)
        .extracting(r -> r.reason().orElseThrow().replaceFirst("(?s)[:,].*", ""))
        .containsExactlyInAnyOrder("buffer-of-the-host", "this build has no nccl");
    String job = rows.stream().flatMap(r -> r.job().stream()).findFirst().orElseThrow();
    assertThat(lab.slurm("scontrol", "--oneliner", "show", "job", job))
        .contains("Partition=shared", "TresPerTask=gres:gpu:1", "CPUs/Task=1", "NumTasks=4");
  }

  @Test
  void everyKernelIsMeasuredWithoutAWrongElement() throws Exception {
    Path shared = lab.shared("bench-study");
    Bench.BenchOutcome outcome = run(shared, Optional.empty(), EVERY_KERNEL);
    assertThat(outcome.obstacles()).isEmpty();
    List<CaseRow> rows = LocalStudies.rows(outcome);
    assertThat(outcome.dispositions()).isEqualTo(Map.of("measured", 22L));
    assertThat(rows.stream().map(r -> r.identity().path("kernel").asText()))
        .containsAll(new TreeSet<>(KernelsWorkload.measurable()));
    assertThat(rows).allSatisfy(r -> assertThat(r.record().orElseThrow().wrong()).isZero());
    Manifest manifest = outcome.bundle().manifest();
    assertThat(manifest.cluster()).contains("slurm");
    // One shard per kernel, except that the pipeline of experts shares the mode of their dispatch.
    assertThat(manifest.sources()).hasSize(18);
    // Each job ran on the nodes that it was pinned to.
    assertThat(
            manifest.sources().stream()
                .collect(
                    Collectors.toMap(
                        Manifest.JobSource::shard,
                        s -> new TreeSet<>(s.hosts()).size(),
                        Math::max)))
        .allSatisfy((shard, hosts) -> assertThat(hosts).isIn(1, shard.contains("-n3-") ? 3 : 4));
    assertThat(Bundle.latest(shared.resolve("study")).folder())
        .isEqualTo(outcome.bundle().folder().toRealPath());
  }

  /**
   * The program's own stand-in for a GPU runtime does immediately what a GPU does later; Slurm
   * itself chooses the GPU that each rank sees.
   */
  @Test
  void aStudyOnFakeGpusRunsOnThoseThatItAskedForOrIsRefused() throws Exception {
    Path shared = lab.shared("bench-fake-gpus");
    Path program = onStubs(shared);
    Bench.BenchOutcome outcome =
        run(
            shared,
            Optional.of("shared"),
            program,
            """
            about: on fake GPUs
            layouts: [{nodes: 2, perNode: 2}]
            backends: [rccl]
            cpusPerTask: 1
            attempts: 1
            sampling: {iterations: 2, trials: 2, warmup: 1}
            timeLimit: 3m
            groups:
              - {name: sizes, required: true, kernel: allreduce, axes: {bytes: [4096], buffer: [device, heap]}}
              - {name: experts, required: true, kernel: ep, variants: [{tokens: 4, hidden: 256, experts: 8, topk: 2}]}
              - {name: crowd, kernel: allgather, layouts: [{nodes: 2, perNode: 3}], axes: {bytes: [4096]}}
            """);
    assertThat(outcome.dispositions())
        .isEqualTo(Map.of("measured", 2L, "unsupported", 1L, "failed", 1L));
    List<CaseRow> rows = LocalStudies.rows(outcome);
    assertThat(rows)
        .filteredOn(r -> !r.isMeasured())
        .extracting(r -> r.groups().getFirst() + ": " + r.reason().orElseThrow())
        .satisfiesExactlyInAnyOrder(
            heap -> assertThat(heap).startsWith("sizes: buffer-of-the-host: "),
            crowd ->
                assertThat(crowd)
                    .startsWith("crowd: the case was not begun (")
                    .contains("nothing was queued: sbatch: error: CPU count per node"));
    Manifest manifest = outcome.bundle().manifest();
    assertThat(rows)
        .filteredOn(CaseRow::isMeasured)
        .allSatisfy(
            r -> {
              List<String> hosts = manifest.source(r).orElseThrow().hosts();
              JsonNode facts = r.record().orElseThrow().facts();
              List<String> gpus = new ArrayList<>();
              for (JsonNode device : facts.path("devices")) {
                gpus.add(hosts.get(gpus.size()) + " " + device.asText());
              }
              assertThat(gpus)
                  .containsExactlyInAnyOrder(
                      "n1 stub 0000:00:00.0",
                      "n1 stub 0000:01:00.0",
                      "n2 stub 0000:00:00.0",
                      "n2 stub 0000:01:00.0");
              assertThat(facts.path("wallClock")).isNotEmpty();
              assertThat(lab.slurm("scontrol", "--oneliner", "show", "job", r.job().orElseThrow()))
                  .contains("Partition=shared", "TresPerTask=gres:gpu:1", "NumTasks=4");
            });
  }

  /** If a rank sees anything but a GPU of its own, its case is not measured. */
  @Test
  void aRankThatIsShownAnotherRanksGpuMeasuresNothing() throws Exception {
    Path shared = lab.shared("bench-one-gpu");
    Path program = shared.resolve("shows-one");
    Files.writeString(
        program,
        "#!/bin/bash\nexport ROCR_VISIBLE_DEVICES=0\nexec %s \"$@\"\n".formatted(onStubs(shared)));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Bench.BenchOutcome outcome =
        run(
            shared,
            Optional.of("shared"),
            program,
            """
            about: on one fake GPU
            layouts: [{nodes: 2, perNode: 2}]
            backends: [rccl]
            attempts: 1
            timeLimit: 3m
            groups:
              - {name: sizes, required: true, kernel: allreduce, axes: {bytes: [4096]}}
            """);
    assertThat(outcome.dispositions()).isEqualTo(Map.of("unsupported", 1L));
    assertThat(LocalStudies.rows(outcome).getFirst().reason().orElseThrow())
        .contains("two ranks on one host share a GPU");
  }

  /**
   * The whole GPU program over stubs of HIP, RCCL and hipBLASLt, if their headers are available.
   */
  private static Path onStubs(Path shared) throws Exception {
    Path sources = Path.of("../native").toAbsolutePath().normalize();
    Path build = sources.resolve("build/gpu-fake");
    Process making =
        new ProcessBuilder(
                sources.resolve("tests/gpu-test").toString(),
                "fake",
                sources.toString(),
                build.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(making.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = making.waitFor();
    assumeThat(code).as(said).isNotEqualTo(NO_HEADERS);
    assertThat(code).as(said).isZero();
    return Files.copy(build.resolve("stub-kernels"), shared.resolve("stub-kernels"));
  }

  private Bench.BenchOutcome run(Path shared, Optional<String> partition, String text)
      throws Exception {
    return run(shared, partition, lab.home().resolve("native/build/nightsweep-kernels"), text);
  }

  private Bench.BenchOutcome run(Path shared, Optional<String> partition, Path program, String text)
      throws Exception {
    Files.writeString(shared.resolve("study.yaml"), text);
    Study study = StudyFile.load("study.yaml", Resources.below(shared));
    SlurmCluster slurm = lab.cluster();
    BenchRequest request =
        new BenchRequest(
            "lab",
            lab.home(),
            program,
            List.of("n1", "n2", "n3", "n4"),
            partition,
            shared,
            Instant.now(),
            Optional.empty(),
            StudyRehearsal.NONE,
            Optional.empty(),
            Optional.empty());
    return new Bench(slurm, Duration.ofMillis(300), line -> {}).run(study, request);
  }
}
