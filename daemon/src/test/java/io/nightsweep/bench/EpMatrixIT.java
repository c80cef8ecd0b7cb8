package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The matrix of expert-parallel cases: those that can run are counted, and none is lost. */
@Tag("kernels")
class EpMatrixIT {
  /** The same axes at sizes that a test can run; a shard of each mode, and one case too large. */
  private static final String SMALL =
      """
      about: small
      layouts: [{nodes: 2}]
      sampling: {iterations: 1, trials: 2, warmup: 1}
      timeLimit: 3m
      groups:
        - name: ladder
          kernel: ep
          axes:
            tokens: [1, 8, 1024]
            routing: [uniform, balanced, balanced-rank-local, zipf, hotspot-single]
            dtype: [bf16, fp8]
            mode: [normal, low-latency]
          variants: [{hidden: 128, experts: 8, topk: 2}]
        - name: resources
          kernel: ep
          axes: {mode: [normal, low-latency], tokens: 8}
          variants:
            - {resource: tuned, hidden: 128, experts: 8, topk: 2}
            - {resource: fixed, budget: 1, hidden: 128, experts: 8, topk: 2}
      """;

  @TempDir Path folder;

  @Test
  void theDefaultMatrixIsCountedByRule() throws Exception {
    Study study = StudyFile.load("ep", Resources.below(folder));
    Matrix matrix =
        Matrix.of(
            study,
            new Capabilities(LocalStudies.PROGRAM, 1),
            EarlierTimes.of(folder.resolve("none")));
    assertThat(matrix.size()).isEqualTo(784);
    assertThat(matrix.runnable()).isEqualTo(629);
    assertThat(matrix.refused()).isEqualTo(Map.of(CaseDisposition.UNSUPPORTED, 155L));
    Map<String, Long> byRule =
        matrix.shards().stream()
            .flatMap(s -> s.cases().stream())
            .flatMap(c -> c.refusal().stream())
            .collect(Collectors.groupingBy(PlannedCase.CaseRefusal::rule, Collectors.counting()));
    // On 2 and on 8 ranks: 7 sizes x 5 routings x 2 formats of prefill; 3 paths; 2 placements x 2
    // routings that load balancing would change; a budget of 4 peers if there is one.
    assertThat(byRule)
        .isEqualTo(
            Map.of(
                "ep-low-latency-prefill", 140L,
                "ep-low-latency-path", 6L,
                "ep-balancing-places", 8L,
                "ep-budget", 1L));
    assertThat(
            matrix.shards().stream().flatMap(s -> s.cases().stream().map(c -> s.id() + c.caseId())))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyCaseHasOneDispositionAfterARunInWhichAShardCrashes() throws Exception {
    LocalStudies studies = new LocalStudies(folder);
    Path program = folder.resolve("kernels");
    Files.writeString(
        program,
        """
        #!/bin/bash
        control=
        for ((i = 1; i < $#; i++)); do [[ ${!i} != --control ]] || { next=$((i + 1)); control=${!next}; }; done
        [[ -z $control ]] || ! grep -q low-latency "$control" || set -- "$@" --inject crash
        exec %s "$@"
        """
            .formatted(LocalStudies.PROGRAM));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Bench.BenchOutcome outcome =
        studies.run(studies.cluster(), SMALL, studies.request(program, Optional.empty()));
    // 3 sizes x 5 routings x 2 formats x 2 modes, and 2 paths in each mode: the largest size
    // exceeds decoding's cap, and low-latency mode has one path.
    assertThat(outcome.dispositions())
        .isEqualTo(Map.of("measured", 22L, "failed", 20L, "dropped", 20L, "unsupported", 2L));
    Manifest manifest = outcome.bundle().manifest();
    assertThat(manifest.complete()).isTrue();
    assertThat(manifest.problems()).isEmpty();
    List<CaseRow> rows = LocalStudies.rows(outcome);
    assertThat(rows).hasSize(64).extracting(CaseRow::key).doesNotHaveDuplicates();
    assertThat(rows)
        .filteredOn(r -> r.disposition() == CaseDisposition.FAILED)
        .allSatisfy(
            r -> {
              assertThat(r.shard().mode()).isEqualTo("low-latency");
              assertThat(r.attempt()).isEqualTo(2);
              assertThat(r.identity().path("routing").asText()).isNotEmpty();
            });
    assertThat(rows)
        .filteredOn(r -> r.disposition() == CaseDisposition.DROPPED)
        .allSatisfy(r -> assertThat(r.reason().orElseThrow()).contains("512 tokens a rank"));
  }
}
