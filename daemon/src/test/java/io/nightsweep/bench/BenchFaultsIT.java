package io.nightsweep.bench;

import static io.nightsweep.bench.LocalStudies.STUDY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a study of the real program reports when a fault is injected. */
@Tag("kernels")
class BenchFaultsIT {
  @TempDir Path folder;

  private LocalStudies studies;

  @BeforeEach
  void open() {
    studies = new LocalStudies(folder);
  }

  @Test
  void wrongElementsFailTheirCasesAndTheBundleIsNotTheLatest() throws Exception {
    Bench.BenchOutcome outcome = studies.run(STUDY, Optional.of("wrong"));
    assertThat(outcome.dispositions()).isEqualTo(Map.of("failed", 3L, "unsupported", 1L));
    assertThat(LocalStudies.rows(outcome))
        .filteredOn(r -> r.disposition() == CaseDisposition.FAILED)
        .allSatisfy(r -> assertThat(r.reason().orElseThrow()).contains("elements are wrong"));
    assertThat(outcome.obstacles()).anyMatch(o -> o.startsWith("required: "));
    assertThat(studies.latest()).doesNotExist();
  }

  @Test
  void aStragglingRankIsTheTimeOfItsCase() throws Exception {
    Bench.BenchOutcome outcome = studies.run(STUDY, Optional.of("straggler"));
    assertThat(LocalStudies.rows(outcome))
        .filteredOn(CaseRow::isMeasured)
        .hasSize(3)
        .allSatisfy(
            r ->
                assertThat(r.record().orElseThrow().components().getFirst().p50Seconds())
                    .isGreaterThan(0.002));
    assertThat(outcome.obstacles()).containsExactly("a test injected the fault 'straggler'");
    assertThat(studies.latest()).doesNotExist();
  }

  @Test
  void aCrashingRankFailsWhatRanAndWhatDidNotAndEveryAttemptStays() throws Exception {
    Bench.BenchOutcome outcome =
        studies.run(STUDY.replace("attempts: 1", "attempts: 2"), Optional.of("crash"));
    assertThat(outcome.dispositions()).isEqualTo(Map.of("failed", 3L, "unsupported", 1L));
    assertThat(outcome.bundle().manifest().complete()).isTrue();
    List<CaseRow> attempts = LocalStudies.attempts(outcome);
    assertThat(attempts).filteredOn(r -> r.attempt() == 1).hasSize(3);
    assertThat(attempts).filteredOn(r -> r.attempt() == 2).hasSize(3);
    assertThat(attempts)
        .filteredOn(r -> r.attempt() == 1 && r.shard().mode().equals("allreduce"))
        .extracting(r -> r.reason().orElseThrow())
        .satisfiesExactly(
            ran -> assertThat(ran).startsWith("the program ended while the case ran (exit "),
            not -> assertThat(not).startsWith("the case was not begun (exit "));
    // The second attempt begins with the cases that did not run.
    assertThat(attempts)
        .filteredOn(r -> r.attempt() == 2 && r.shard().mode().equals("allreduce"))
        .extracting(r -> r.identity().path("bytes").asInt())
        .containsExactly(1024, 8);
    assertThat(Files.readString(outcome.bundle().page())).contains("## Failed attempts");
  }

  /**
   * No rank can leave a collective call in which another rank never arrives: the job itself ends
   * the case, long before the job's limit, and then measures the cases that had not begun.
   */
  @Test
  void aRankThatHangsFailsItsCaseAndTheStudyGoesOn() throws Exception {
    Path program = folder.resolve("kernels");
    Files.writeString(
        program,
        """
        #!/bin/bash
        [[ $* != *-allreduce/attempt-1/* ]] || set -- "$@" --inject hang --case-grace 3
        exec %s "$@"
        """
            .formatted(LocalStudies.PROGRAM));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Bench.BenchOutcome outcome =
        studies.run(
            studies.cluster(),
            STUDY.replace("attempts: 1", "attempts: 2\ncaseLimit: 2s").replace("2m", "20m"),
            studies.request(program, Optional.empty()));
    assertThat(outcome.dispositions()).isEqualTo(Map.of("measured", 3L, "unsupported", 1L));
    assertThat(LocalStudies.attempts(outcome))
        .filteredOn(r -> r.shard().mode().equals("allreduce"))
        .extracting(
            r ->
                r.attempt()
                    + " "
                    + r.identity().path("bytes").asInt()
                    + " "
                    + r.disposition().word()
                    + " "
                    + r.reason().orElse(""))
        .satisfiesExactly(
            hung ->
                assertThat(hung)
                    .matches("1 8 failed rank [01]: it hangs, far beyond its limit of 2\\.0 s.*"),
            not -> assertThat(not).startsWith("1 1024 failed the case was not begun (exit 4; "),
            next -> assertThat(next).isEqualTo("2 1024 measured "),
            again -> assertThat(again).isEqualTo("2 8 measured "));
    assertThat(Files.readString(outcome.bundle().page()))
        .contains("## Failed attempts", "it hangs, far beyond its limit of 2.0 s");
  }

  @Test
  void aTruncatedResultIsNoResult() throws Exception {
    Bench.BenchOutcome outcome = studies.run(STUDY, Optional.of("truncated"));
    assertThat(outcome.dispositions()).isEqualTo(Map.of("failed", 3L, "unsupported", 1L));
    assertThat(LocalStudies.rows(outcome))
        .filteredOn(r -> r.disposition() == CaseDisposition.FAILED)
        .allSatisfy(
            r -> assertThat(r.reason().orElseThrow()).startsWith("its result cannot be read"));
  }

  @Test
  void aPointAboveTheRooflineIsAnError() throws Exception {
    Bench.BenchOutcome outcome =
        studies.run(STUDY.replace("[8, 1024]", "[8, 1048576]"), Optional.of("impossible"));
    assertThat(LocalStudies.rows(outcome))
        .filteredOn(r -> r.identity().path("bytes").asInt() == 1048576)
        .singleElement()
        .satisfies(r -> assertThat(r.reason().orElseThrow()).contains("where a copy reaches"));
  }

  @Test
  void aControlDocumentThatIsMissingOrDifferentMeasuresNothing() throws Exception {
    for (String change : List.of("", "{\"schema\": 1, \"cases\": [{\"kernel\": \"gemm\"}]}")) {
      Bench.BenchOutcome outcome =
          studies.run(
              new ChangedControl(studies.cluster(), change),
              STUDY,
              studies.request(Optional.empty()));
      assertThat(outcome.dispositions()).isEqualTo(Map.of("failed", 3L, "unsupported", 1L));
      assertThat(LocalStudies.rows(outcome))
          .filteredOn(r -> r.disposition() == CaseDisposition.FAILED)
          .allSatisfy(
              r ->
                  assertThat(r.reason().orElseThrow())
                      .startsWith("the job refused its control document: ")
                      .contains(change.isEmpty() ? "no control document" : "SHA-256"));
    }
  }
}
