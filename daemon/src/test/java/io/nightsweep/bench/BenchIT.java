package io.nightsweep.bench;

import static io.nightsweep.bench.LocalStudies.STUDY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Study;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole studies by the real program on the local cluster, and the errors that each reports. */
@Tag("kernels")
class BenchIT {
  @TempDir Path folder;

  private LocalStudies studies;

  @BeforeEach
  void open() {
    studies = new LocalStudies(folder);
  }

  @Test
  void aStudyIsMeasuredPublishedAndDrawnAgain() throws Exception {
    Bench.BenchOutcome outcome = studies.run(STUDY, Optional.empty());
    assertThat(outcome.obstacles()).isEmpty();
    assertThat(outcome.dispositions()).isEqualTo(Map.of("measured", 3L, "unsupported", 1L));
    assertThat(studies.latest().toRealPath()).isEqualTo(outcome.bundle().folder().toRealPath());
    List<CaseRow> rows = LocalStudies.rows(outcome);
    assertThat(rows).extracting(CaseRow::caseId).doesNotHaveDuplicates();
    assertThat(rows)
        .filteredOn(r -> r.groups().contains("again"))
        .singleElement()
        .satisfies(r -> assertThat(r.groups()).containsExactly("sizes", "again"));
    assertThat(rows)
        .filteredOn(r -> !r.isMeasured())
        .singleElement()
        .satisfies(
            r -> {
              assertThat(r.reason().orElseThrow()).startsWith("ep-topk: ");
              assertThat(r.identity().path("topk").asInt()).isEqualTo(8);
              assertThat(r.attempt()).isZero();
            });
    assertThat(rows)
        .filteredOn(CaseRow::isMeasured)
        .allSatisfy(r -> assertThat(r.record().orElseThrow().wrong()).isZero());
    outcome.bundle().verify();
    assertThat(outcome.bundle().folder().resolve("figures")).isNotEmptyDirectory();
    assertThat(Files.readAllLines(outcome.bundle().folder().resolve("summary.csv")))
        .hasSizeGreaterThan(4);

    Bench.BenchOutcome again = Bench.reuse(studies.study(STUDY), studies.request(Optional.empty()));
    assertThat(again.bundle().folder()).isNotEqualTo(outcome.bundle().folder());
    assertThat(again.bundle().manifest().reusedFrom()).contains("run-1");
    assertThat(LocalStudies.rows(again)).isEqualTo(rows);
    assertThat(again.bundle().folder().resolve("control")).isNotEmptyDirectory();
    assertThat(again.bundle().folder().resolve("projection.csv"))
        .hasSameTextualContentAs(outcome.bundle().folder().resolve("projection.csv"));

    Path spoilt = again.bundle().folder().resolve(Bundle.CASES);
    Files.writeString(spoilt, Files.readString(spoilt).replaceFirst("measured", "failed"));
    assertThatThrownBy(() -> Bench.reuse(studies.study(STUDY), studies.request(Optional.empty())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cases.ndjson is not what was published");
  }

  @Tag("guard")
  @Test
  void aSecretOfTheEnvironmentAndTheHostAreInNoArtifact() throws Exception {
    Path wrapper = folder.resolve("kernels");
    Files.writeString(
        wrapper,
        """
        #!/bin/bash
        export CANARY_TOKEN=s3cret-canary HTTPS_PROXY=http://me:proxy-s3cret-canary@proxy:3128
        export UCX_NOTE="--password s3cret-canary"
        echo "wandb: logged in with key hf_s3cretcanary0123456789abcdef, HF_TOKEN=s3cret-canary" >&2
        echo "0: Bearer s3cret-canary" >&2
        exec %s "$@"
        """
            .formatted(LocalStudies.PROGRAM));
    assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    Bench.BenchOutcome outcome =
        studies.run(studies.cluster(), STUDY, studies.request(wrapper, Optional.empty()));
    assertThat(outcome.obstacles()).isEmpty();
    String host = InetAddress.getLocalHost().getHostName();
    try (Stream<Path> files = Files.walk(outcome.bundle().folder())) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(text).as(file.toString()).doesNotContain("s3cret-canary", "s3cretcanary");
        if (!file.toString().endsWith(".png")) {
          assertThat(text).as(file.toString()).doesNotContain("\"" + host + "\"");
        }
      }
    }
  }

  @Test
  void twoSidesTakeTurnsUnderOneControlDocument() throws Exception {
    Bench.BenchOutcome outcome =
        studies.run(
            """
            about: two sides
            layouts: [{nodes: 2}]
            sampling: {iterations: 2, trials: 2, warmup: 1}
            timeLimit: 2m
            rounds: 3
            sides:
              first: {}
              second: {env: {OMPI_MCA_btl_tcp_eager_limit: 4096}}
            groups:
              - {name: sizes, required: true, kernel: allreduce, axes: {bytes: [8, 1024]}}
            """,
            Optional.empty());
    assertThat(outcome.obstacles()).isEmpty();
    assertThat(outcome.dispositions()).isEqualTo(Map.of("measured", 12L));
    List<Manifest.JobSource> sources = outcome.bundle().manifest().sources();
    assertThat(sources)
        .extracting(Manifest.JobSource::side)
        .containsExactly("first", "second", "second", "first", "first", "second");
    assertThat(sources)
        .extracting(Manifest.JobSource::controlSha256)
        .containsOnly(sources.getFirst().controlSha256());
    assertThat(sources)
        .allSatisfy(
            s ->
                assertThat(s.environment().getOrDefault("OMPI_MCA_btl_tcp_eager_limit", "none"))
                    .isEqualTo(s.side().equals("second") ? "4096" : "none"));
    List<SideBySide> pairs = SideBySide.of(LocalStudies.rows(outcome));
    assertThat(pairs)
        .hasSize(2)
        .allSatisfy(
            p -> {
              assertThat(p.rounds()).isEqualTo(3);
              assertThat(p.ratio()).isPositive();
              assertThat(p.low()).isLessThanOrEqualTo(p.ratio());
              assertThat(p.high()).isGreaterThanOrEqualTo(p.ratio());
              // Three rounds give no higher coverage.
              assertThat(p.coverage()).isEqualTo(0.75);
            });
    assertThat(Files.readString(outcome.bundle().page())).contains("## Side by side");
  }

  /**
   * The case that ends the program is retried in a run of its own, so that no other case fails with
   * it.
   */
  @Test
  void whatWasTimedBesideACaseThatEndsTheProgramIsMeasuredWithoutIt() throws Exception {
    Path program = folder.resolve("kernels");
    Files.writeString(
        program,
        """
        #!/bin/bash
        for ((i = 1; i < $#; i++)); do next=$((i + 1)); case ${!i} in
          --control) control=${!next} ;; --rows) rows=${!next} ;; --out) out=${!next} ;; esac; done
        [[ -n $control ]] && grep -q 1024 "$control" || exec %1$s "$@"
        %1$s "$@" && sed -i '/"bytes": *1024/d' "$rows" && rm "$out"
        exit 137
        """
            .formatted(LocalStudies.PROGRAM));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String study =
        """
        about: a case that ends the program
        layouts: [{nodes: 1}]
        sampling: {iterations: 2, trials: 2, warmup: 1}
        timeLimit: 2m
        attempts: 2
        groups:
          - {name: sizes, kernel: allreduce, axes: {bytes: [8, 1024]}}
        """;
    Bench.BenchOutcome outcome =
        studies.run(studies.cluster(), study, studies.request(program, Optional.empty()));
    List<CaseRow> attempts = LocalStudies.attempts(outcome);
    assertThat(attempts)
        .extracting(r -> r.attempt() + " " + r.identity().path("bytes").asInt())
        .containsExactly("1 8", "1 1024", "2 8", "2 1024");
    assertThat(attempts.subList(0, 2))
        .extracting(r -> r.cause().orElseThrow().kind())
        .containsExactly(CaseCause.Kind.UNATTESTED, CaseCause.Kind.ENDED_IN_CASE);
    assertThat(LocalStudies.rows(outcome))
        .extracting(CaseRow::disposition)
        .containsExactly(CaseDisposition.MEASURED, CaseDisposition.FAILED);
  }

  @Test
  void ranksThatShareCpusMakeNoTable() throws Exception {
    int cpus = Runtime.getRuntime().availableProcessors();
    for (int ranks : List.of(cpus, cpus + 1)) {
      Bench.BenchOutcome outcome =
          studies.run(
              """
              about: a CPU for each rank, or not
              layouts: [{nodes: 1, perNode: %d}]
              sampling: {iterations: 1, trials: 64, warmup: 1}
              timeLimit: 2m
              groups:
                - {name: sizes, kernel: allreduce, axes: {bytes: [8]}}
              """
                  .formatted(ranks),
              Optional.empty());
      Manifest manifest = outcome.bundle().manifest();
      assertThat(LocalStudies.rows(outcome))
          .singleElement()
          .satisfies(
              r ->
                  assertThat(Tier.of(r, manifest))
                      .hasValue(ranks == cpus ? Tier.COMPARABLE : Tier.DIAGNOSTIC));
    }
  }

  @Test
  void whatWasMeasuredIsWhatTheNextProjectionSays() throws Exception {
    Study study = studies.study(STUDY);
    BenchRequest request = studies.request(Optional.empty());
    assertThat(Bench.expand(study, request))
        .anyMatch(l -> l.contains("3 by the model of a reference machine"));
    Bench.BenchOutcome outcome = studies.run(STUDY, Optional.empty());
    assertThat(Files.readAllLines(outcome.bundle().folder().resolve("projection.csv")))
        .hasSize(3)
        .first()
        .isEqualTo("shard,attempt,cases,projectedSeconds,tookSeconds,startSeconds");
    // Ten times the samples take ten times as long; the rest does not change.
    Study longer = study.sampledAs(new Study.Sampling(2, 20, 1));
    List<String> lines = Bench.expand(longer, request);
    assertThat(lines).anyMatch(l -> l.contains("3 by their own earlier times"));
    assertThat(lines).anyMatch(l -> l.matches(" {4}unsupported by ep-topk  [0-9a-f]{16} ep .*"));
    CaseRow experts =
        LocalStudies.rows(outcome).stream()
            .filter(r -> r.isMeasured() && r.identity().path("kernel").asText().equals("ep"))
            .findFirst()
            .orElseThrow();
    double timed = experts.record().orElseThrow().facts().path("timedSeconds").asDouble();
    double elapsed = experts.record().orElseThrow().facts().path("elapsedSeconds").asDouble();
    assertThat(elapsed).isGreaterThanOrEqualTo(timed);
    assertThat(lines)
        .anyMatch(
            l ->
                l.startsWith("    " + MatrixText.time(elapsed - timed + 10 * timed) + "  ")
                    && l.contains(" ep "));
  }

  @Test
  void aRehearsalRunsTheSameCasesAtAFractionOfTheirSizesAndIsNotTheLatest() throws Exception {
    Bench.BenchOutcome outcome =
        new Bench(studies.cluster(), Duration.ofMillis(200), line -> {})
            .run(
                studies.study(STUDY.replace("1024]", "65536]")),
                studies.rehearsing(
                    new StudyRehearsal(8, Optional.of(new Study.Sampling(1, 2, 0)))));
    assertThat(outcome.obstacles())
        .containsExactly("a rehearsal, sizes divided by 8, sampled 1x2 after 0");
    assertThat(LocalStudies.rows(outcome))
        .filteredOn(CaseRow::isMeasured)
        .extracting(r -> r.identity().path("bytes").asInt())
        .contains(8192);
    assertThat(studies.latest()).doesNotExist();
  }

  @Test
  void aStudysMistakesAreToldWithPlaceAndNearestName() {
    assertThatThrownBy(() -> studies.study(STUDY.replace("bytes: [8", "byte: [8")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("study.yaml:10:12: unknown parameter of allreduce 'byte'")
        .hasMessageContaining("did you mean 'bytes'?");
    assertThatThrownBy(() -> studies.study(STUDY.replace("kernel: ep", "kernel: eb")))
        .hasMessageContaining("unknown kernel 'eb'")
        .hasMessageContaining("did you mean 'ep'?");
    assertThatThrownBy(() -> studies.study(STUDY.replace("latency", "latensy")))
        .hasMessageContaining("did you mean 'latency'?");
    assertThatThrownBy(() -> studies.study(STUDY.replace("attempts: 1", "backends: [../cuda]")))
        .hasMessageContaining("backends");
    assertThatThrownBy(
            () ->
                Bench.expand(
                    studies.study(STUDY.replace("topk: 8", "topk: many")),
                    studies.request(Optional.empty())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'topk' is \"many\"; expected an integer");
  }
}
