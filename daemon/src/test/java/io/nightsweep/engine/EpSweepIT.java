package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A sweep that tunes Open MPI's all-to-allv under expert-parallel dispatch and combine, through the
 * daemon on the real four-node Slurm.
 */
@Tag("kernels")
class EpSweepIT {
  private static final String SWEEP =
      """
      model: ep
      parallelism: ranks=4
      slot: {nodelist: "n[1-4]"}
      workload:
        {kind: kernels, kernel: ep, tokens: 16, hidden: 1024, experts: 32, topk: 4, routing: zipf,
         resource: library, iterations: 4, trials: 4, warmup: 1}
      profiles:
        linear:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_alltoallv_algorithm: 1
        pairwise:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_alltoallv_algorithm: 2
        large-eager:
          env:
            OMPI_MCA_btl_tcp_eager_limit: 1048576
      plan: kernels
      budget: {jobs: 19, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 4, plausibleGain: 900%, jobTimeLimit: 2m}
      playbook: kernels
      """;

  @Test
  void everyAlgorithmIsMeasuredOnRightResultsAndTheSweepEndsWithAReport() throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path shared = lab.shared("ep-state");
    SweepDirectory directory =
        new LabSweep(lab, "ep", SWEEP)
            .walk(new StateDirectory(shared), new RealParts(lab.home()), Duration.ofMinutes(9));
    SweepState end = fold(directory);
    assertThat(end.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(end.trials().values()).noneMatch(TrialState::isOpen);
    List<AttemptState> measured = end.attempts().filter(a -> a.measurement().isPresent()).toList();
    // Two baselines, and each profile at least once.
    assertThat(measured).hasSizeGreaterThanOrEqualTo(5);
    assertThat(measured).allSatisfy(a -> assertThat(a.nodes()).hasSize(4));
    assertThat(Files.readString(ReportWriter.page(directory.reports(), end)))
        .contains("linear", "pairwise", "large-eager")
        .doesNotContain("Preliminary");
    List<JsonNode> documents = documents(shared);
    assertThat(documents).hasSizeGreaterThanOrEqualTo(measured.size());
    for (JsonNode document : documents) {
      JsonNode only = document.path("cases").path(0);
      assertThat(only.path("disposition").asText()).isEqualTo("measured");
      assertThat(only.path("wrong").asLong(-1)).isZero();
      assertThat(only.path("identity").path("hidden").asInt()).isEqualTo(1024);
      assertThat(only.path("facts").path("path").asText()).isEqualTo("library");
      assertThat(document.path("ranks").asInt()).isEqualTo(4);
    }
    assertThat(documents)
        .anySatisfy(d -> assertThat(algorithm(d)).isEqualTo("1"))
        .anySatisfy(d -> assertThat(algorithm(d)).isEqualTo("2"))
        .anySatisfy(d -> assertThat(algorithm(d)).isEmpty());
  }

  private static String algorithm(JsonNode document) {
    return document.path("environment").path("OMPI_MCA_coll_tuned_alltoallv_algorithm").asText();
  }

  private static List<JsonNode> documents(Path state) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    try (Stream<Path> files = Files.walk(state)) {
      return files
          .filter(file -> file.endsWith("result.json"))
          .map(
              file -> {
                try {
                  return mapper.readTree(file.toFile());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    }
  }

  private static SweepState fold(SweepDirectory directory) throws Exception {
    return JournalReader.fold(directory.journal());
  }
}
