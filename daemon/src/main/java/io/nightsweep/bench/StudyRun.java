package io.nightsweep.bench;

import static java.util.Comparator.naturalOrder;

import com.fasterxml.jackson.databind.node.NullNode;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.KernelResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of a study: its jobs and all rows from them. */
final class StudyRun {
  private static final String TOLD_TO_END = "the command was told to end";

  private final Matrix matrix;
  private final BenchRequest request;
  private final JobRunner jobs;
  private final Consumer<String> words;
  private final Machines machines;
  private final Attempts attempts;
  private final WorkFolder work;
  private final List<String> problems = new ArrayList<>();
  private Optional<String> interrupted = Optional.empty();

  StudyRun(
      Matrix matrix,
      BenchRequest request,
      JobRunner jobs,
      Machines machines,
      Consumer<String> words)
      throws IOException {
    this.machines = machines;
    this.matrix = matrix;
    this.request = request;
    this.jobs = jobs;
    this.words = words;
    this.work = WorkFolder.create(request);
    this.attempts = new Attempts(work.attempts());
  }

  /**
   * Runs every shard, then repeats what was not measured as often as the study allows. Stops early
   * if it is interrupted or the cluster does not answer.
   */
  void measure() throws IOException {
    for (Shard shard : matrix.shards()) {
      attempts.append(refused(shard));
    }
    int before = request.resumed().isPresent() ? takeOver(request.resumed().get()) : 0;
    work.begin(request, matrix.study());
    for (int attempt = before + 1; attempt <= before + matrix.study().attempts(); attempt++) {
      for (Shard shard : matrix.shards()) {
        int part = 0;
        for (List<PlannedCase> open : open(shard)) {
          part++;
          if (Thread.interrupted()) {
            // Clears the interrupt: an interrupted thread could not write the files.
            interrupted = Optional.of(TOLD_TO_END);
          }
          if (interrupted.isEmpty()) {
            measure(job(shard, attempt, part, request.work()), shard, open);
          }
        }
      }
    }
  }

  List<CaseRow> counting() {
    return attempts.counting();
  }

  List<CaseRow> attempts() {
    return attempts.all();
  }

  /** The sources and control documents on disk, of this run and of the run that it continues. */
  WorkFolder work() {
    return work;
  }

  /** The times of all jobs of this run and of the run that it continues. */
  List<JobTime> times() throws IOException {
    return work.times();
  }

  /** Why it ended before everything was tried; empty where it did not. */
  Optional<String> interrupted() {
    return interrupted;
  }

  CaseCoverage coverage() {
    return CaseCoverage.of(expected(), counting(), problems);
  }

  private Map<CaseRow.Key, PlannedCase> expected() {
    Map<CaseRow.Key, PlannedCase> expected = new LinkedHashMap<>();
    for (Shard shard : matrix.shards()) {
      for (RunKey run : runs(shard)) {
        shard.cases().forEach(c -> expected.put(key(shard, run, c), c));
      }
    }
    return expected;
  }

  /** Takes over rows of the resumed run that are still planned; returns the last attempt of any. */
  private int takeOver(WorkFolder earlier) throws IOException {
    Map<CaseRow.Key, PlannedCase> expected = expected();
    List<CaseRow> rows = earlier.rows().stream().filter(r -> r.attempt() > 0).toList();
    List<CaseRow> planned =
        rows.stream()
            .filter(
                r ->
                    Optional.ofNullable(expected.get(r.key()))
                        .filter(c -> c.identity().equals(r.identity()))
                        .isPresent())
            .toList();
    work.takeOver(earlier);
    attempts.append(planned);
    for (Shard shard : matrix.shards()) {
      takeOverUnread(earlier, shard, rows);
    }
    words.accept(
        "goes on from "
            + earlier.folder().getFileName()
            + ": "
            + attempts.all().stream().filter(CaseRow::isMeasured).count()
            + " cases are measured"
            + (planned.size() < rows.size()
                ? "; " + (rows.size() - planned.size()) + " rows are of no case of this study"
                : ""));
    return Math.max(
        work.lastAttempt(), attempts.all().stream().mapToInt(CaseRow::attempt).max().orElse(0));
  }

  /** Takes over rows of a job that was queued but not read, since its command was killed. */
  private void takeOverUnread(WorkFolder earlier, Shard shard, List<CaseRow> rows)
      throws IOException {
    SequencedMap<String, byte[]> controls = earlier.controls();
    // A shard may have no job in some attempt, so all attempts up to the run's last one are
    // searched.
    for (int attempt = 1; attempt <= earlier.lastAttempt(); attempt++) {
      for (int part = 1; ; part++) {
        ShardJob job = job(shard, attempt, part, earlier.folder());
        byte[] text = controls.get(Bundle.CONTROLS + "/" + job.controlName());
        if (text == null) {
          break;
        }
        ControlDocument control = ControlDocument.of(new String(text, StandardCharsets.UTF_8));
        List<PlannedCase> sent = control.sent(shard.runnable());
        if (Files.exists(job.control()) && !isRead(job, shard, sent, rows)) {
          finish(job, shard, sent, control, () -> jobs.rejoin(job.handle(), now -> {}));
        }
      }
    }
  }

  private static boolean isRead(
      ShardJob job, Shard shard, List<PlannedCase> sent, List<CaseRow> rows) {
    Set<CaseRow.Key> told =
        rows.stream()
            .filter(r -> r.attempt() == job.turn().attempt())
            .map(CaseRow::key)
            .collect(Collectors.toSet());
    return job.runs().stream()
        .allMatch(run -> sent.stream().allMatch(c -> told.contains(key(shard, run, c))));
  }

  private static CaseRow.Key key(Shard shard, RunKey run, PlannedCase planned) {
    return new CaseRow.Key(shard.key().id(), run.side(), run.round(), planned.caseId());
  }

  private List<CaseRow> refused(Shard shard) {
    return runs(shard).stream()
        .flatMap(
            run ->
                shard.cases().stream()
                    .filter(c -> !c.isRunnable())
                    .map(c -> CaseRow.refused(shard, run.side(), run.round(), c)))
        .toList();
  }

  private List<RunKey> runs(Shard shard) {
    return job(shard, 1, 1, request.work()).runs();
  }

  private ShardJob job(Shard shard, int attempt, int part, Path folder) {
    return new ShardJob(
        request, matrix.study(), shard, new ShardJob.JobTurn(attempt, part), folder);
  }

  /**
   * Cases that failed or never ran, grouped into jobs. Cases that were measured before a program
   * died get a job of their own, and so do those during which a program died, so that they cannot
   * take others down again.
   */
  private List<List<PlannedCase>> open(Shard shard) {
    Set<CaseRow.Key> seen = counting().stream().map(CaseRow::key).collect(Collectors.toSet());
    Map<String, CaseCause.Kind> failed = new HashMap<>();
    counting().stream()
        .filter(r -> r.shard().equals(shard.key()) && r.disposition() == CaseDisposition.FAILED)
        // Wrong elements count permanently, so another attempt could not change the result.
        .filter(r -> !r.hasWrongElements())
        .forEach(
            r ->
                failed.merge(
                    r.caseId(),
                    r.cause().map(CaseCause::kind).orElse(CaseCause.Kind.TOLD),
                    BinaryOperator.maxBy(naturalOrder())));
    List<PlannedCase> runnable = shard.runnable();
    Stream<PlannedCase> fresh =
        runnable.stream().filter(c -> seen.stream().noneMatch(k -> isOf(k, shard, c)));
    return Stream.of(
            Stream.concat(fresh, failedBy(CaseCause.Kind.NOT_BEGUN::equals, failed, runnable)),
            failedBy(CaseCause.Kind.UNATTESTED::equals, failed, runnable),
            failedBy(k -> k.compareTo(CaseCause.Kind.UNATTESTED) > 0, failed, runnable))
        .map(Stream::toList)
        .filter(cases -> !cases.isEmpty())
        .toList();
  }

  private static Stream<PlannedCase> failedBy(
      Predicate<CaseCause.Kind> cause,
      Map<String, CaseCause.Kind> failed,
      List<PlannedCase> runnable) {
    return runnable.stream()
        .filter(c -> Optional.ofNullable(failed.get(c.caseId())).filter(cause).isPresent());
  }

  private static boolean isOf(CaseRow.Key key, Shard shard, PlannedCase planned) {
    return key.shard().equals(shard.key().id()) && key.caseId().equals(planned.caseId());
  }

  private void measure(ShardJob job, Shard shard, List<PlannedCase> cases) throws IOException {
    ControlDocument control =
        ControlDocument.of(shard, cases, matrix.study().sampling(), matrix.study().caseLimit());
    work.addControl(job.controlName(), control.text());
    words.accept(
        shard.id()
            + ", attempt "
            + job.turn().attempt()
            + ": "
            + cases.size()
            + " cases, projected "
            + MatrixText.time(projected(shard, cases)));
    finish(
        job,
        shard,
        cases,
        control,
        () -> jobs.run(job.prepare(control), progress(job, cases)::look));
  }

  private double projected(Shard shard, List<PlannedCase> cases) {
    return shard.holding(shard.part(), cases).seconds(matrix.study());
  }

  /** Waits for a job's end. */
  private interface EndOfJob {
    JobRunner.Ended end()
        throws IOException,
            ClusterUnreachableException,
            SubmissionRefusedException,
            InterruptedException;
  }

  /** Reads a job's files, however it ended. */
  private void finish(
      ShardJob job, Shard shard, List<PlannedCase> cases, ControlDocument control, EndOfJob wait)
      throws IOException {
    JobRunner.Ended end;
    try {
      end = wait.end();
    } catch (SubmissionRefusedException e) {
      end = JobRunner.Ended.unseen("nothing was queued: " + e.getMessage());
    } catch (InterruptedException e) {
      end = JobRunner.Ended.unseen(TOLD_TO_END);
      interrupted = Optional.of(end.words());
    } catch (ClusterUnreachableException e) {
      end = JobRunner.Ended.unseen("the cluster gives no answer: " + e.getMessage());
      interrupted = Optional.of(end.words());
    }
    List<CaseRow> rows = new ArrayList<>();
    for (RunKey run : job.runs()) {
      rows.addAll(read(job, shard, cases, end, run, control));
    }
    work.add(
        JobTime.of(
            shard,
            job.turn().attempt(),
            projected(shard, cases),
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

  private List<CaseRow> read(
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
            matrix.study().sampling(),
            machines.nodesAreHosts(),
            env,
            request.inject().orElse("none"));
    RunReader.Read read =
        new RunReader(shard, ordered).read(job.files(run), cases, end, job.took());
    if (read.result().isPresent()) {
      work.addOnce(source(shard, run, end, control, read.result().get()));
    }
    // The rows are written last, since they mark the job as read.
    attempts.appendNew(read.rows());
    read.problems().forEach(p -> problems.add(p + " in " + shard.id()));
    return read.rows();
  }

  private Manifest.JobSource source(
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
        machines.lackCpus(result.ranks(), matrix.study().cpusPerTask()),
        result.environment(),
        Optional.ofNullable(result.limits()).orElse(NullNode.getInstance()),
        result.fits());
  }
}
