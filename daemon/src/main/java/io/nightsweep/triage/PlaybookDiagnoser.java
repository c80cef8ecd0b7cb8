package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Diagnoses attempts by the classes of a playbook. */
public final class PlaybookDiagnoser implements Diagnoser {
  private final Rules rules;
  private final Consumer<JobLog> steps;

  /** For jobs with a workload that already listens to their logs and reports their steps. */
  public PlaybookDiagnoser(Recognition recognition) {
    this(recognition, log -> {});
  }

  /**
   * @param steps adds to a log the listener that reads its steps
   */
  public PlaybookDiagnoser(Recognition recognition, Consumer<JobLog> steps) {
    this.rules = new Rules(recognition);
    this.steps = steps;
  }

  @Override
  public void attend(JobLog log) {
    findings(log);
  }

  @Override
  public Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch) {
    Findings findings = findings(log);
    boolean isAllRead = log.lookOrWait();
    Judge judge = new Judge(log, rules, findings, new Situation.Running(watch));
    Predicate<Signature> ofARunningJob = s -> isOfARunningJob(s) && (isAllRead || !isOfSilence(s));
    Optional<Diagnosis> hopeless = judge.judge(ofARunningJob);
    // The job may survive a failure in its log, so the failure counts only once the job is given
    // up.
    return hopeless.isEmpty()
        ? hopeless
        : judge.judge(s -> isOfALine(s) && !isOfSilence(s)).or(() -> hopeless);
  }

  @Override
  public Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      JobLog log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp) {
    Findings findings = findings(log);
    log.finishOrWarn();
    Judge judge = new Judge(log, rules, findings, new Situation.Over(end, step, stepsTotal));
    if (givenUp.isPresent()) {
      return judge
          .cause(PlaybookDiagnoser::isOfALine, c -> isBeyondCauses(c, givenUp.get()))
          .orElse(givenUp.get());
    }
    return judge
        .judge(s -> !isOfSilence(s))
        .orElseGet(() -> judge.unclassified(end.state(), OptionalInt.of(end.exitCode())));
  }

  /**
   * Whether the search for causes ends at this class: the class for which the job was given up, or
   * a cancellation. Later classes only match what the cancelled ranks report about each other.
   */
  private static boolean isBeyondCauses(FailureClass c, Diagnosis givenUp) {
    return c.id().equals(KnownClasses.CANCELLED)
        || (c.id().equals(givenUp.failureClass())
            && c.signatures().stream().anyMatch(PlaybookDiagnoser::isOfARunningJob));
  }

  Rules rules() {
    return rules;
  }

  Findings findings(JobLog log) {
    return log.listener(
        Findings.class,
        () -> {
          steps.accept(log);
          return new Findings(rules);
        });
  }

  static boolean isOfARunningJob(Signature signature) {
    return isOfSilence(signature)
        || signature.clues().stream().anyMatch(Clue.Grown.class::isInstance);
  }

  private static boolean isOfSilence(Signature signature) {
    return signature.clues().stream().anyMatch(Clue.Silence.class::isInstance);
  }

  private static boolean isOfALine(Signature signature) {
    return signature.clues().stream().anyMatch(Clue.Line.class::isInstance);
  }
}
