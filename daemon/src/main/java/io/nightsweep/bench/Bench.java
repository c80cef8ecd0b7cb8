package io.nightsweep.bench;

import io.nightsweep.bench.figure.Figure;
import io.nightsweep.bench.figure.StudyFigures;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.plan.Study;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs a study one shard at a time, so that jobs do not disturb each other, and publishes its
 * bundle.
 */
public final class Bench {
  private final Cluster cluster;
  private final Duration poll;
  private final Consumer<String> words;

  /**
   * @param poll time between two checks of a job
   * @param words receives progress messages for people
   */
  public Bench(Cluster cluster, Duration poll, Consumer<String> words) {
    this.cluster = cluster;
    this.poll = poll;
    this.words = words;
  }

  /**
   * The result of a run.
   *
   * @param obstacles why the bundle did not become the latest; empty where it did
   * @param isInterrupted whether the run ended before everything was tried; another run can
   *     continue it
   */
  public record BenchOutcome(
      Bundle bundle,
      Map<String, Long> dispositions,
      List<String> obstacles,
      boolean isInterrupted) {
    public boolean isAnyMeasured() {
      return dispositions.getOrDefault(CaseDisposition.MEASURED.word(), 0L) > 0;
    }

    private BenchOutcome interrupted(boolean isInterrupted) {
      return new BenchOutcome(bundle, dispositions, obstacles, isInterrupted);
    }

    public boolean isAnyFailed() {
      return dispositions.getOrDefault(CaseDisposition.FAILED.word(), 0L) > 0;
    }
  }

  /**
   * Lists the cases that would run and their expected time, as lines for people; nothing is queued.
   */
  public static List<String> expand(Study study, BenchRequest request)
      throws IOException, InterruptedException {
    return new MatrixText(matrix(study, request)).whole();
  }

  /**
   * Measures and publishes. If the thread is interrupted, or the cluster does not answer for too
   * long, it publishes what was measured; such a bundle does not become the latest.
   *
   * @throws IOException where the study has an unknown parameter, or a file cannot be written
   */
  public BenchOutcome run(Study study, BenchRequest request)
      throws IOException, InterruptedException, ClusterUnreachableException {
    Matrix matrix = matrix(study, request);
    new MatrixText(matrix).brief().forEach(words);
    String describedCluster = cluster.describe();
    if (request.resumed().isPresent()) {
      request.resumed().get().hold(request, matrix.study());
    }
    StudyRun run = new StudyRun(matrix, request, job(), Machines.of(cluster), words);
    run.measure();
    CaseCoverage coverage = run.coverage();
    List<String> problems = new ArrayList<>(coverage.problems());
    run.interrupted().ifPresent(why -> problems.addFirst("interrupted: " + why));
    request.rehearsal().words().ifPresent(problems::addFirst);
    Manifest manifest =
        new Manifest(
            Manifest.SCHEMA,
            study.name(),
            study.about(),
            request.id(),
            request.startedAt().toString(),
            describedCluster,
            matrix.study().sampling(),
            study.sides(),
            study.rounds(),
            study.reference(),
            Attempts.RULE,
            coverage.planned(),
            matrix.refused(),
            coverage.dispositions(),
            coverage.isComplete(),
            problems,
            coverage.unmeasuredRequired(),
            run.work().sources(),
            request.inject(),
            Optional.empty());
    SequencedMap<String, byte[]> content = run.work().controls();
    content.put(Bundle.PROJECTION, utf8(JobTime.csv(run.times())));
    words.accept(
        "projected "
            + MatrixText.time(JobTime.projected(run.times()))
            + ", took "
            + MatrixText.time(JobTime.took(run.times())));
    return publish(study, request, manifest, run.counting(), run.attempts(), content)
        .interrupted(run.interrupted().isPresent());
  }

  private static Matrix matrix(Study study, BenchRequest request)
      throws IOException, InterruptedException {
    StudyRehearsal rehearsal = request.rehearsal();
    return Matrix.of(
        rehearsal.of(study),
        new Capabilities(request.program(), rehearsal.divisor()),
        EarlierTimes.of(request.bundles(study.name())));
  }

  /** Redraws the figures from the rows of the latest bundle; nothing runs. */
  public static BenchOutcome reuse(Study study, BenchRequest request) throws IOException {
    Bundle before = Bundle.latest(request.bundles(study.name()));
    before.verify();
    Manifest manifest =
        before.manifest().reused(String.valueOf(before.folder().getFileName()), request.id());
    return publish(
        study,
        request,
        manifest,
        Attempts.read(before.folder().resolve(Bundle.CASES)),
        Attempts.read(before.folder().resolve(Bundle.ATTEMPTS)),
        before.origins());
  }

  private JobRunner job() {
    return new JobRunner(cluster, poll, InstantSource.system());
  }

  private static BenchOutcome publish(
      Study study,
      BenchRequest request,
      Manifest told,
      List<CaseRow> counting,
      List<CaseRow> all,
      SequencedMap<String, byte[]> controls)
      throws IOException {
    Disclosure disclosure =
        Disclosure.of(System.getenv(), request.hostSalt().map(salt -> request.nodes()));
    Manifest manifest = disclosure.masked(told, Manifest.class);
    List<CaseRow> rows = masked(disclosure, counting);
    List<CaseRow> attempts = masked(disclosure, all);
    List<Figure> figures = StudyFigures.of(study.figures(), Points.of(rows, manifest));
    SequencedMap<String, byte[]> content = new LinkedHashMap<>(controls);
    content.put(Bundle.MANIFEST, BenchJson.MAPPER.writeValueAsBytes(manifest));
    content.put(Bundle.CASES, lines(rows));
    content.put(Bundle.ATTEMPTS, lines(attempts));
    content.put("summary.csv", utf8(SummaryCsv.of(rows, manifest)));
    content.put("summary.md", utf8(new SummaryPage(manifest, rows, attempts).text(figures)));
    figures.forEach(f -> content.put(f.path(), f.content().array()));
    disclosure.hold(content);
    Bundle bundle = Bundle.publish(request.bundles(study.name()), request.id(), content);
    if (manifest.isPublishable()) {
      bundle.makeLatest();
    }
    Map<String, Long> dispositions = new TreeMap<>();
    manifest.dispositions().forEach((d, n) -> dispositions.put(d.word(), n));
    return new BenchOutcome(bundle, dispositions, manifest.obstacles(), false);
  }

  private static List<CaseRow> masked(Disclosure disclosure, List<CaseRow> rows)
      throws IOException {
    List<CaseRow> masked = new ArrayList<>();
    for (CaseRow row : rows) {
      masked.add(disclosure.masked(row, CaseRow.class));
    }
    return masked;
  }

  private static byte[] lines(List<CaseRow> rows) throws IOException {
    StringBuilder text = new StringBuilder();
    for (CaseRow row : rows) {
      text.append(BenchJson.MAPPER.writeValueAsString(row)).append('\n');
    }
    return utf8(text.toString());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
