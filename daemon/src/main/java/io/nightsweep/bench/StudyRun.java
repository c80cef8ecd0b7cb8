package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.NullNode;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.KernelResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of a study: its jobs, and every row that came of them. */
final class StudyRun {
  private static final String TOLD_TO_END = "the command was told to end";

  private final Matrix matrix;
  private final BenchRequest request;
  private final JobRunner jobs;
  private final Consumer<String> words;
  private final boolean nodesAreHosts;
  private final Attempts attempts;
  private final WorkFolder work;
  private final List<String> problems = new ArrayList<>();
  private Optional<String> interrupted = Optional.empty();

  /**
   * @param nodesAreHosts as {@link io.nightsweep.cluster.Cluster#nodesAreHosts} tells
   */
  StudyRun(
      Matrix matrix,
      BenchRequest request,
      JobRunner jobs,
      boolean nodesAreHosts,
      Consumer<String> words)
      throws IOException {
    this.nodesAreHosts = nodesAreHosts;
    this.matrix = matrix;
    this.request = request;
    this.jobs = jobs;
    this.words = words;
    this.work = WorkFolder.begin(request, matrix.study().name());
    this.attempts = new Attempts(work.attempts());
  }

  /**
   * Runs every shard, then what was not measured once more, as often as the study allows; or until
   * it is interrupted, or the cluster gives no answer.
   */
  void measure() throws IOException {
    for (Shard shard : matrix.shards()) {
      attempts.append(refused(shard));
    }
    int before = takeOver();
    for (int attempt = before + 1; attempt <= before + matrix.study().attempts(); attempt++) {
      for (Shard shard : matrix.shards()) {
        List<PlannedCase> open = open(shard);
        if (Thread.interrupted()) {
          // Files are not written by a thread that is interrupted.
          interrupted = Optional.of(TOLD_TO_END);
        }
        if (!open.isEmpty() && interrupted.isEmpty()) {
          measure(
              new ShardJob(request, matrix.study(), shard, attempt, request.work()), shard, open);
        }
      }
    }
  }

  List<Row> counting() {
    return attempts.counting();
  }

  List<Row> attempts() {
    return attempts.all();
  }

  /** What stands on the disk of sources and control documents, of this run and what it goes on. */
  WorkFolder work() {
    return work;
  }

  /** What every job took, of this run and of what it goes on from. */
  List<JobTime> times() throws IOException {
    return work.times();
  }

  /** Why it ended before everything was tried; absent where it did not. */
  Optional<String> interrupted() {
    return interrupted;
  }

  CaseCoverage coverage() {
    return CaseCoverage.of(expected(), counting(), problems);
  }

  private Map<Row.Key, PlannedCase> expected() {
    Map<Row.Key, PlannedCase> expected = new LinkedHashMap<>();
    for (Shard shard : matrix.shards()) {
      for (RunKey run : runs(shard)) {
        shard
            .cases()
            .forEach(
                c ->
                    expected.put(
                        new Row.Key(shard.key().id(), run.side(), run.round(), c.caseId()), c));
      }
    }
    return expected;
  }

  /** Rows of the resumed run that are still planned; gives the last attempt of any. */
  private int takeOver() throws IOException {
    if (request.resumed().isEmpty()) {
      return 0;
    }
    WorkFolder earlier = request.resumed().get();
    Map<Row.Key, PlannedCase> expected = expected();
    List<Row> rows = earlier.rows().stream().filter(r -> r.attempt() > 0).toList();
    List<Row> planned =
        rows.stream()
            .filter(
                r ->
                    Optional.ofNullable(expected.get(r.key()))
                        .filter(c -> c.identity().equals(r.identity()))
                        .isPresent())
            .toList();
    work.takeOver(earlier);
    attempts.append(planned);
    words.accept(
        "goes on from "
            + earlier.folder().getFileName()
            + ": "
            + planned.stream().filter(Row::isMeasured).count()
            + " cases are measured"
            + (planned.size() < rows.size()
                ? "; " + (rows.size() - planned.size()) + " rows are of no case of this study"
                : ""));
    return planned.stream().mapToInt(Row::attempt).max().orElse(0);
  }

  private List<Row> refused(Shard shard) {
    return runs(shard).stream()
        .flatMap(
            run ->
                shard.cases().stream()
                    .filter(c -> !c.isRunnable())
                    .map(c -> Row.refused(shard, run.side(), run.round(), c)))
        .toList();
  }

  private List<RunKey> runs(Shard shard) {
    return new ShardJob(request, matrix.study(), shard, 1, request.work()).runs();
  }

  /**
   * Cases that have failed or never ran; those that were on when a program ended come last, so that
   * they take no other down again.
   */
  private List<PlannedCase> open(Shard shard) {
    Set<Row.Key> seen = counting().stream().map(Row::key).collect(Collectors.toSet());
    Map<String, Boolean> failed = new LinkedHashMap<>();
    counting().stream()
        .filter(r -> r.shard().equals(shard.key()) && r.disposition() == CaseDisposition.FAILED)
        // Wrong elements count for good: another attempt could change nothing.
        .filter(r -> !r.hasWrongElements())
        .forEach(
            r ->
                failed.merge(
                    r.caseId(),
                    r.reason().orElse("").startsWith("the case was not begun"),
                    Boolean::logicalAnd));
    List<PlannedCase> runnable = shard.runnable();
    Stream<PlannedCase> fresh =
        runnable.stream().filter(c -> seen.stream().noneMatch(k -> isOf(k, shard, c)));
    Stream<PlannedCase> notBegun =
        runnable.stream().filter(c -> failed.getOrDefault(c.caseId(), false));
    Stream<PlannedCase> ended =
        runnable.stream()
            .filter(c -> failed.containsKey(c.caseId()) && !failed.getOrDefault(c.caseId(), false));
    return Stream.of(fresh, notBegun, ended).flatMap(s -> s).toList();
  }

  private static boolean isOf(Row.Key key, Shard shard, PlannedCase planned) {
    return key.shard().equals(shard.key().id()) && key.caseId().equals(planned.caseId());
  }

  private void measure(ShardJob job, Shard shard, List<PlannedCase> cases) throws IOException {
    ControlDocument control =
        ControlDocument.of(shard, cases, matrix.study().sampling(), matrix.study().caseLimit());
    int attempt = job.runs().getFirst().attempt();
    work.addControl(shard.id() + "-attempt-" + attempt + ".json", control.text());
    double projected = shard.holding(shard.part(), cases).seconds(matrix.study());
    words.accept(
        shard.id()
            + ", attempt "
            + attempt
            + ": "
            + cases.size()
            + " cases, projected "
            + MatrixText.time(projected));
    JobRunner.Ended end;
    try {
      end = jobs.run(job.prepare(control), progress(job, cases)::look);
    } catch (SubmissionRefusedException e) {
      end = JobRunner.Ended.unseen("nothing was queued: " + e.getMessage());
    } catch (InterruptedException e) {
      end = JobRunner.Ended.unseen(TOLD_TO_END);
      interrupted = Optional.of(end.words());
    } catch (ClusterUnreachableException e) {
      end = JobRunner.Ended.unseen("the cluster gives no answer: " + e.getMessage());
      interrupted = Optional.of(end.words());
    }
    List<Row> rows = new ArrayList<>();
    for (RunKey run : job.runs()) {
      rows.addAll(read(job, shard, cases, end, run, control));
    }
    work.add(
        JobTime.of(
            shard,
            attempt,
            projected,
            job.took().orElse(end.ran().toMillis() / 1e3),
            Shard.starts(matrix.study()),
            rows));
    words.accept("  " + end.words());
    rows.forEach(r -> words.accept("  " + CaseWords.withFigures(r)));
  }

  private CaseProgress progress(ShardJob job, List<PlannedCase> cases) {
    return new CaseProgress(
        job.runs().stream().map(run -> job.files(run).log()).toList(),
        (long) cases.size() * job.runs().size(),
        words);
  }

  private List<Row> read(
      ShardJob job,
      Shard shard,
      List<PlannedCase> cases,
      JobRunner.Ended end,
      RunKey run,
      ControlDocument control)
      throws IOException {
    Map<String, String> env =
        Optional.ofNullable(matrix.study().sides().get(run.side()))
            .<Map<String, String>>map(Study.Side::env)
            .orElse(Map.of());
    RunReader.Ordered ordered =
        new RunReader.Ordered(
            matrix.study().sampling(), nodesAreHosts, env, request.inject().orElse("none"));
    RunReader.Read read = new RunReader(shard, ordered).read(job.files(run), cases, end);
    attempts.append(read.rows());
    read.problems().forEach(p -> problems.add(p + " in " + shard.id()));
    if (read.result().isPresent()) {
      work.add(source(shard, run, end, control, read.result().get()));
    }
    return read.rows();
  }

  private static Manifest.JobSource source(
      Shard shard, RunKey run, JobRunner.Ended end, ControlDocument control, KernelResult result) {
    return new Manifest.JobSource(
        shard.id(),
        run.side(),
        run.round(),
        run.attempt(),
        end.job().value(),
        control.sha256(),
        BenchJson.MAPPER.valueToTree(result.probes()),
        result.ranks(),
        result.hosts(),
        result.hostsHashed(),
        result.environment(),
        Optional.ofNullable(result.limits()).orElse(NullNode.getInstance()),
        result.fits());
  }
}
