package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Diagnoses a job from its log alone. */
public final class LogTriage {
  /** If only a log is given, the job counts as silent for this long. */
  static final Duration FOR_EVER = Duration.ofDays(30);

  /** The factor on the confidence when only the log is known; a sure class stays sure. */
  private static final double BY_LOG_ALONE = 0.8;

  private static final Set<String> IS_MEASURED =
      Set.of(KnownClasses.SUCCESS, KnownClasses.SOFT_SUCCESS);

  private final PlaybookDiagnoser diagnoser;
  private final Function<Path, JobLog> opening;

  /** For logs that people name. */
  public LogTriage(Recognition recognition, Consumer<JobLog> steps) {
    this(recognition, steps, JobLog::new);
  }

  /**
   * @param steps adds to a log the listener that reads its steps
   * @param opening how far the file is trusted: {@link JobLog#JobLog(Path)} or {@link
   *     JobLog#ofAJob}
   */
  public LogTriage(
      Recognition recognition, Consumer<JobLog> steps, Function<Path, JobLog> opening) {
    this.diagnoser = new PlaybookDiagnoser(recognition, steps);
    this.opening = opening;
  }

  /**
   * @param state empty if not given
   * @param exitCode 128 + n for signal n; empty if not given
   * @param stepsTotal for a log that does not contain the number of steps
   */
  public Diagnosis ended(
      Path log, Optional<JobEnd.State> state, OptionalInt exitCode, int stepsTotal)
      throws IOException {
    Heard read = readAll(log);
    OptionalInt exit = exitCode.isPresent() ? exitCode : read.findings().facts().exit();
    JobEnd.State assumed =
        state.orElseGet(
            () ->
                exit.isEmpty()
                    ? JobEnd.State.VANISHED
                    : exit.getAsInt() == 0 ? JobEnd.State.COMPLETED : JobEnd.State.FAILED);
    int code = exit.orElse(assumed == JobEnd.State.COMPLETED ? 0 : 1);
    int steps = stepsTotal(read.findings(), stepsTotal);
    if (state.isEmpty() && exit.isEmpty() && read.log().bytes() == 0) {
      return saying(
          unclassified(read, JobEnd.State.VANISHED, exit), Statement.phrase("untold-empty"));
    }
    if (state.isPresent() || exit.isPresent()) {
      boolean isWell = assumed == JobEnd.State.COMPLETED && code == 0;
      return judge(read, end(assumed, code), steps)
          .orElseGet(
              () ->
                  isWell
                      ? noFailure(read, Statement.phrase("ended-well"))
                      : withWhoKills(unclassified(read, assumed, exit), exit));
    }
    // It is unknown how the job ended, so success is tried first, then other ends. Only an observer
    // of the running job can tell that it hangs.
    JobEnd best =
        read.findings().errors().isEnding()
            ? end(JobEnd.State.FAILED, 1)
            : end(JobEnd.State.COMPLETED, 0);
    return judge(read, best, steps)
        .filter(d -> IS_MEASURED.contains(d.failureClass()))
        .or(() -> judge(read, end(JobEnd.State.VANISHED, 1), steps))
        .map(d -> withConfidence(d, byLogAlone(d.confidence())))
        .orElseGet(() -> unnamed(read, end(JobEnd.State.VANISHED, 1)));
  }

  /** 0 if the log goes on behind what was assumed. */
  private static int stepsTotal(Findings read, int assumed) {
    return read.facts().stepsTotal() > 0
        ? read.facts().stepsTotal()
        : read.step() > assumed ? 0 : assumed;
  }

  /** Adds who sends the signal that no program sends itself. */
  private static Diagnosis withWhoKills(Diagnosis d, OptionalInt exit) {
    return exit.isPresent() && Signals.isKill(exit.getAsInt())
        ? saying(d, Statement.row("; ", List.of(d.detail(), Statement.phrase("who-kills"))))
        : d;
  }

  private static Diagnosis unnamed(Heard read, JobEnd untold) {
    return read.judge(new Situation.Over(untold, -1, 0)).hasSignOfFailure()
        ? saying(unclassified(read, untold.state(), OptionalInt.empty()), howItEnded(read))
        : noFailure(read, Statement.phrase("untold-well"));
  }

  private static Statement howItEnded(Heard read) {
    return read.findings()
        .facts()
        .lastSummary()
        .filter(summary -> read.findings().errors().isEnding())
        .map(summary -> Statement.phrase("told-end", summary.text().strip()))
        .orElseGet(() -> Statement.phrase("untold-end"));
  }

  /** The diagnosis quotes the last lines and the last step. */
  private static Diagnosis noFailure(Heard read, Statement why) {
    return new Diagnosis(
        KnownClasses.NO_FAILURE_FOUND,
        0,
        Stream.concat(read.findings().lastStep().stream(), read.log().tail().stream())
            .distinct()
            .toList(),
        why,
        List.of());
  }

  private static Diagnosis saying(Diagnosis d, Statement found) {
    return new Diagnosis(d.failureClass(), d.confidence(), d.quotes(), found, d.subjects());
  }

  /** Whether a line, without its rank, only reports that something failed elsewhere. */
  public boolean isEcho(String line) {
    return diagnoser.rules().isEcho(line);
  }

  /** The patterns that logs are searched for, each once, without those of benign lines. */
  public List<String> patterns() {
    return diagnoser.rules().expressions();
  }

  /**
   * For a job that waits in the queue, so that whatever is in its log is of an earlier run.
   *
   * @param stepsTotal for a log that does not contain the number of steps
   */
  public Diagnosis waiting(Path log, int stepsTotal) throws IOException {
    Diagnosis earlier = ended(log, Optional.empty(), OptionalInt.empty(), stepsTotal);
    return earlier.quotes().isEmpty()
        ? new Diagnosis(
            KnownClasses.NO_FAILURE_FOUND, 0, List.of(), Statement.phrase("waits"), List.of())
        : earlier;
  }

  /**
   * For a job that is assumed to run and to have been silent for longer than any limit.
   *
   * @param stepsTotal 0 if only the log has it
   */
  public Optional<Diagnosis> running(Path log, int stepsTotal) throws IOException {
    Heard read = readAll(log);
    int steps = stepsTotal > 0 ? stepsTotal : read.findings().facts().stepsTotal();
    return steps > 0 && read.findings().step() >= steps - 1
        ? Optional.of(noFailure(read, Statement.phrase("all-steps-made", steps)))
        : running(read, steps);
  }

  /** A log read to its end. */
  private record Heard(JobLog log, Rules rules, Findings findings) {
    Judge judge(Situation situation) {
      return new Judge(log, rules, findings, situation);
    }
  }

  private Heard readAll(Path path) throws IOException {
    JobLog log = opening.apply(path);
    Findings findings = diagnoser.findings(log);
    log.finish();
    return new Heard(log, diagnoser.rules(), findings);
  }

  private static Optional<Diagnosis> running(Heard read, int stepsTotal) {
    Watch watch =
        new Watch(
            Instant.EPOCH.plus(FOR_EVER),
            Instant.EPOCH,
            Optional.empty(),
            read.findings().anyStep(),
            stepsTotal,
            false,
            false,
            OptionalDouble.empty());
    return read.judge(new Situation.Running(watch))
        .judge(PlaybookDiagnoser::isOfARunningJob)
        .map(d -> withConfidence(d, Math.min(d.confidence(), 0.6)));
  }

  private static Optional<Diagnosis> judge(Heard read, JobEnd end, int stepsTotal) {
    return read.judge(new Situation.Over(end, -1, stepsTotal)).judge(s -> true);
  }

  private static Diagnosis unclassified(Heard read, JobEnd.State state, OptionalInt exit) {
    return read.judge(new Situation.Over(end(state, exit.orElse(1)), -1, 0))
        .unclassified(state, exit);
  }

  private static JobEnd end(JobEnd.State state, int code) {
    return new JobEnd(state, code, Optional.empty(), Instant.EPOCH, JobEnd.Source.QUEUE);
  }

  private static double byLogAlone(double confidence) {
    double less = confidence * BY_LOG_ALONE;
    return confidence < Playbook.SURE ? less : Math.max(less, Playbook.SURE);
  }

  private static Diagnosis withConfidence(Diagnosis d, double confidence) {
    return new Diagnosis(d.failureClass(), confidence, d.quotes(), d.detail(), d.subjects());
  }
}
