package io.nightsweep.bench;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Studies of the real program, by jobs on this machine. */
final class LocalStudies {
  static final Path PROGRAM = Path.of("../native/build/nightsweep-kernels").toAbsolutePath();
  static final List<String> NODES = List.of("n1", "n2", "n3", "n4");
  static final String STUDY =
      """
      about: small
      layouts: [{nodes: 2}]
      sampling: {iterations: 2, trials: 2, warmup: 1}
      timeLimit: 2m
      attempts: 1
      groups:
        - name: sizes
          kernel: allreduce
          required: true
          axes: {bytes: [8, 1024]}
        - name: again
          kernel: allreduce
          axes: {bytes: [1024]}
        - name: experts
          kernel: ep
          variants:
            - {tokens: 4, hidden: 256, experts: 4, topk: 2}
            - {tokens: 4, hidden: 256, experts: 4, topk: 8}
      figures: [latency, percentiles]
      """;

  private static final Duration POLL = Duration.ofMillis(200);

  private final Path folder;
  private int runs;

  LocalStudies(Path folder) {
    this.folder = folder;
  }

  Cluster cluster() {
    return new LocalCluster(folder.resolve("queue"), NODES);
  }

  Study study(String text) throws Exception {
    Path file = folder.resolve("study.yaml");
    Files.writeString(file, text);
    return StudyFile.load("study.yaml", Resources.below(folder));
  }

  BenchRequest request(Optional<String> inject) {
    return request(PROGRAM, inject);
  }

  BenchRequest request(Path program, Optional<String> inject) {
    return request(program, StudyRehearsal.NONE, Optional.empty(), inject);
  }

  BenchRequest resuming(WorkFolder earlier) {
    return request(PROGRAM, StudyRehearsal.NONE, Optional.of(earlier), Optional.empty());
  }

  BenchRequest rehearsing(StudyRehearsal rehearsal) {
    return request(PROGRAM, rehearsal, Optional.empty(), Optional.empty());
  }

  private BenchRequest request(
      Path program,
      StudyRehearsal rehearsal,
      Optional<WorkFolder> resumed,
      Optional<String> inject) {
    return new BenchRequest(
        "run-" + ++runs,
        folder,
        program,
        NODES,
        Optional.empty(),
        folder.resolve("bench"),
        Instant.now(),
        Optional.of("salt"),
        rehearsal,
        resumed,
        inject);
  }

  Bench.BenchOutcome run(String text, Optional<String> inject) throws Exception {
    return run(cluster(), text, request(inject));
  }

  Bench.BenchOutcome run(Cluster cluster, String text, BenchRequest request) throws Exception {
    return new Bench(cluster, POLL, line -> {}).run(study(text), request);
  }

  Path latest() {
    return folder.resolve("bench").resolve("study").resolve(Bundle.LATEST);
  }

  static List<CaseRow> rows(Bench.BenchOutcome outcome) throws IOException {
    return Attempts.read(outcome.bundle().folder().resolve(Bundle.CASES));
  }

  static List<CaseRow> attempts(Bench.BenchOutcome outcome) throws IOException {
    return Attempts.read(outcome.bundle().folder().resolve(Bundle.ATTEMPTS));
  }
}
