package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * What is known of one attempt.
 *
 * @param intendedAt when its submission was journaled
 * @param job absent until the cluster's answer is journaled
 * @param step the last step seen
 * @param stepsTotal 0 where unknown
 * @param sofar the steps so far, once enough of them are steady-state ones
 * @param cancelReason present once its cancellation was asked for
 * @param givenUp why its job cannot succeed, found while the cluster still had it
 */
public record AttemptState(
    AttemptId id,
    String jobName,
    Instant intendedAt,
    Optional<JobId> job,
    Optional<Instant> startedAt,
    List<String> nodes,
    int step,
    int stepsTotal,
    Instant lastProgressAt,
    Optional<Measurement> sofar,
    Optional<String> cancelReason,
    Optional<Diagnosis> givenUp,
    Optional<JobEnd> end,
    Optional<Judgement> judgement,
    Optional<RemedyState> remedy) {

  /**
   * A remedy under way or done.
   *
   * @param stepsDone outcome of each try so far, in order
   * @param running the step whose outcome is awaited
   * @param ended what followed
   */
  public record RemedyState(
      String failureClass,
      Remedy remedy,
      Instant begunAt,
      PVector<StepDone> stepsDone,
      Optional<Integer> running,
      Optional<Remedy.Then> ended) {}

  public record StepDone(int index, boolean succeeded, String output, Instant at) {}

  static AttemptState intended(AttemptId id, String jobName, Instant at) {
    return new AttemptState(
        id,
        jobName,
        at,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        -1,
        0,
        at,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether the cluster has, or may have, a job of this attempt that has not ended. */
  public boolean isInFlight() {
    return end.isEmpty() && judgement.isEmpty();
  }

  public boolean isRunning() {
    return isInFlight() && startedAt.isPresent();
  }

  public Optional<Measurement> measurement() {
    return judgement.flatMap(
        j -> j instanceof Judgement.Measured m ? Optional.of(m.measurement()) : Optional.empty());
  }

  AttemptState withJob(JobId newJob) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        Optional.of(newJob),
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        cancelReason,
        givenUp,
        end,
        judgement,
        remedy);
  }

  AttemptState withStart(Instant at, List<String> on) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        Optional.of(at),
        List.copyOf(on),
        step,
        stepsTotal,
        at,
        sofar,
        cancelReason,
        givenUp,
        end,
        judgement,
        remedy);
  }

  AttemptState withProgress(int newStep, int total, Instant at) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        newStep,
        total,
        at,
        sofar,
        cancelReason,
        givenUp,
        end,
        judgement,
        remedy);
  }

  AttemptState withSofar(Measurement steps) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        Optional.of(steps),
        cancelReason,
        givenUp,
        end,
        judgement,
        remedy);
  }

  AttemptState withCancel(String reason) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        Optional.of(reason),
        givenUp,
        end,
        judgement,
        remedy);
  }

  AttemptState withGivenUp(Diagnosis diagnosis) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        cancelReason,
        Optional.of(diagnosis),
        end,
        judgement,
        remedy);
  }

  AttemptState withEnd(JobEnd newEnd) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        newEnd.startedAt().or(() -> startedAt),
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        cancelReason,
        givenUp,
        Optional.of(newEnd),
        judgement,
        remedy);
  }

  AttemptState withJudgement(Judgement newJudgement) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        cancelReason,
        givenUp,
        end,
        Optional.of(newJudgement),
        remedy);
  }

  AttemptState withRemedyBegun(String failureClass, Remedy newRemedy, Instant at) {
    return withRemedy(
        new RemedyState(
            failureClass, newRemedy, at, TreePVector.empty(), Optional.empty(), Optional.empty()));
  }

  AttemptState withRemedyStepBegun(int index) {
    RemedyState r = remedy.orElseThrow();
    return withRemedy(
        new RemedyState(
            r.failureClass, r.remedy, r.begunAt, r.stepsDone, Optional.of(index), r.ended));
  }

  AttemptState withRemedyStep(StepDone done) {
    RemedyState r = remedy.orElseThrow();
    return withRemedy(
        new RemedyState(
            r.failureClass,
            r.remedy,
            r.begunAt,
            r.stepsDone.plus(done),
            Optional.empty(),
            r.ended));
  }

  AttemptState withRemedyEnded(Remedy.Then then) {
    RemedyState r = remedy.orElseThrow();
    return withRemedy(
        new RemedyState(
            r.failureClass, r.remedy, r.begunAt, r.stepsDone, Optional.empty(), Optional.of(then)));
  }

  private AttemptState withRemedy(RemedyState newRemedy) {
    return new AttemptState(
        id,
        jobName,
        intendedAt,
        job,
        startedAt,
        nodes,
        step,
        stepsTotal,
        lastProgressAt,
        sofar,
        cancelReason,
        givenUp,
        end,
        judgement,
        Optional.of(newRemedy));
  }
}
