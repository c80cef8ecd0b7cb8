package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.NullNode;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.plan.Study;
import io.nightsweep.sweep.JobId;
import io.nightsweep.workload.kernels.KernelResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of a study: its jobs, and every row that came of them. */
final class StudyRun {
  private final Matrix matrix;
  private final BenchRequest request;
  private final JobRunner jobs;
  private final Consumer<String> words;
  private final boolean nodesAreHosts;
  private final Attempts attempts;
  private final List<String> problems = new ArrayList<>();
  private final List<Manifest.Source> sources = new ArrayList<>();
  private final SequencedMap<String, byte[]> controls = new LinkedHashMap<>();

  /**
   * @param nodesAreHosts as {@link io.nightsweep.cluster.Cluster#nodesAreHosts} tells
   */
  StudyRun(
      Matrix matrix,
      BenchRequest request,
      JobRunner jobs,
      boolean nodesAreHosts,
      Consumer<String> words) {
    this.nodesAreHosts = nodesAreHosts;
    this.matrix = matrix;
    this.request = request;
    this.jobs = jobs;
    this.words = words;
    this.attempts = new Attempts(request.work().resolve(Bundle.ATTEMPTS));
  }

  /** Runs every shard, then what was not measured once more, as often as the study allows. */
  void measure() throws IOException, InterruptedException, ClusterUnreachableException {
    for (Shard shard : matrix.shards()) {
      attempts.append(refused(shard));
    }
    for (int attempt = 1; attempt <= matrix.study().attempts(); attempt++) {
      for (Shard shard : matrix.shards()) {
        List<PlannedCase> open = open(shard);
        if (!open.isEmpty()) {
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

  List<Manifest.Source> sources() {
    return List.copyOf(sources);
  }

  /** The control documents, by their place in the bundle. */
  SequencedMap<String, byte[]> controls() {
    return controls;
  }

  Coverage coverage() {
    Map<Row.Key, PlannedCase> expected = new LinkedHashMap<>();
    for (Shard shard : matrix.shards()) {
      for (RunKey run : runs(shard)) {
        shard
            .cases()
            .forEach(
                c -> expected.put(new Row.Key(shard.id(), run.side(), run.round(), c.caseId()), c));
      }
    }
    return Coverage.of(expected, counting(), problems);
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
        .filter(r -> r.shard().equals(shard.key()) && r.disposition() == Disposition.FAILED)
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
    return key.shard().equals(shard.id()) && key.caseId().equals(planned.caseId());
  }

  private void measure(ShardJob job, Shard shard, List<PlannedCase> cases)
      throws IOException, InterruptedException, ClusterUnreachableException {
    ControlDocument control =
        ControlDocument.of(shard, cases, matrix.study().sampling(), matrix.study().caseLimit());
    int attempt = job.runs().getFirst().attempt();
    controls.put(
        "control/" + shard.id() + "-attempt-" + attempt + ".json",
        control.text().getBytes(StandardCharsets.UTF_8));
    words.accept(shard.id() + ", attempt " + attempt + ": " + cases.size() + " cases");
    JobRunner.Ended end;
    try {
      end = jobs.run(job.prepare(control), progress(job, cases)::look);
    } catch (SubmissionRefusedException e) {
      end = new JobRunner.Ended(new JobId("none"), "nothing was queued: " + e.getMessage());
    }
    for (RunKey run : job.runs()) {
      read(job, shard, cases, end, run, control);
    }
    words.accept("  " + end.words());
  }

  private CaseProgress progress(ShardJob job, List<PlannedCase> cases) {
    return new CaseProgress(
        job.runs().stream().map(run -> job.files(run).log()).toList(),
        (long) cases.size() * job.runs().size(),
        words);
  }

  private void read(
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
        new RunReader.Ordered(matrix.study().sampling(), nodesAreHosts, env);
    RunReader.Read read = new RunReader(shard, ordered).read(job.files(run), cases, end);
    attempts.append(read.rows());
    read.problems().forEach(p -> problems.add(p + " in " + shard.id()));
    read.result().ifPresent(r -> sources.add(source(shard, run, end, control, r)));
  }

  private static Manifest.Source source(
      Shard shard, RunKey run, JobRunner.Ended end, ControlDocument control, KernelResult result) {
    return new Manifest.Source(
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
