package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** What is known about one attempt. */
public record AttemptState(
    AttemptId id,
    SubmissionIntent submission,
    RunState run,
    Ending ending,
    Optional<RemedyState> remedy) {

  /**
   * @param intendedAt when the submission was journaled
   * @param job absent until the cluster's answer is journaled
   * @param unqueued whether the answer was lost and the submission is known to have queued no job
   * @param repeats how often it was submitted again after that
   */
  public record SubmissionIntent(
      String jobName, Instant intendedAt, Optional<JobId> job, boolean unqueued, int repeats) {}

  /**
   * @param sofar the steps so far, once enough of them are in steady state
   * @param doubt why the job may never run or end, while the cluster reports so
   */
  public record RunState(
      Optional<Instant> startedAt,
      List<String> nodes,
      StepProgress progress,
      Optional<Measurement> sofar,
      Optional<Doubt> doubt) {

    RunState started(Instant at, List<String> on) {
      return new RunState(Optional.of(at), List.copyOf(on), progress.at(at), sofar, doubt);
    }

    RunState progressed(StepProgress newProgress) {
      return new RunState(startedAt, nodes, newProgress, sofar, doubt);
    }

    RunState shown(Measurement steps) {
      return new RunState(startedAt, nodes, progress, Optional.of(steps), doubt);
    }

    RunState doubted(Optional<Doubt> newDoubt) {
      return new RunState(startedAt, nodes, progress, sofar, newDoubt);
    }

    RunState ended(JobEnd end) {
      return new RunState(end.startedAt().or(() -> startedAt), nodes, progress, sofar, doubt);
    }
  }

  /**
   * @param since the first query of the cluster that reported it; every later one did so too
   */
  public record Doubt(Kind kind, Instant since) {
    public enum Kind {
      /** No source knows the job. */
      UNKNOWN,
      /** The job waits for nodes that cannot be had now. */
      WITHOUT_NODES
    }
  }

  /**
   * @param step the last step seen; -1 before the first
   * @param stepsTotal 0 if unknown
   * @param at when the last step was seen, or when the job started
   */
  public record StepProgress(int step, int stepsTotal, Instant at) {
    StepProgress at(Instant newAt) {
      return new StepProgress(step, stepsTotal, newAt);
    }
  }

  /**
   * @param cancelCause present once its cancellation was requested
   * @param givenUp why its job cannot succeed, if this was found while the cluster still had the
   *     job
   */
  public record Ending(
      Optional<CancelCause> cancelCause,
      Optional<Diagnosis> givenUp,
      Optional<JobEnd> end,
      Optional<Judgement> judgement) {

    Ending cancelled(CancelCause cause) {
      return new Ending(Optional.of(cause), givenUp, end, judgement);
    }

    Ending givenUp(Diagnosis diagnosis) {
      return new Ending(cancelCause, Optional.of(diagnosis), end, judgement);
    }

    Ending ended(JobEnd newEnd) {
      return new Ending(cancelCause, givenUp, Optional.of(newEnd), judgement);
    }

    Ending judged(Judgement newJudgement) {
      return new Ending(cancelCause, givenUp, end, Optional.of(newJudgement));
    }
  }

  /**
   * A remedy in progress or completed.
   *
   * @param stepsDone outcome of each try so far, in order
   * @param running the step with an outcome still to come
   * @param ended what followed
   */
  public record RemedyState(
      String failureClass,
      Remedy remedy,
      Instant begunAt,
      PVector<StepDone> stepsDone,
      Optional<StepUnderWay> running,
      Optional<Remedy.Then> ended) {

    /** The step of the remedy with this index. */
    public Remedy.RemedyStep step(int index) {
      return remedy.steps().get(index);
    }

    static RemedyState begun(String failureClass, Remedy remedy, Instant at) {
      return new RemedyState(
          failureClass, remedy, at, TreePVector.empty(), Optional.empty(), Optional.empty());
    }

    RemedyState stepBegun(int index, Instant at) {
      return new RemedyState(
          failureClass,
          remedy,
          begunAt,
          stepsDone,
          Optional.of(new StepUnderWay(index, at)),
          ended);
    }

    RemedyState stepDone(StepDone done) {
      return new RemedyState(
          failureClass, remedy, begunAt, stepsDone.plus(done), Optional.empty(), ended);
    }

    RemedyState ended(Remedy.Then then) {
      return new RemedyState(
          failureClass, remedy, begunAt, stepsDone, Optional.empty(), Optional.of(then));
    }
  }

  /**
   * @param since when it first began; a later daemon that begins it again does not change this
   */
  public record StepUnderWay(int index, Instant since) {}

  public record StepDone(int index, StepEnd end, Instant at) {}

  static AttemptState intended(AttemptId id, String jobName, Instant at) {
    return new AttemptState(
        id,
        new SubmissionIntent(jobName, at, Optional.empty(), false, 0),
        new RunState(
            Optional.empty(),
            List.of(),
            new StepProgress(-1, 0, at),
            Optional.empty(),
            Optional.empty()),
        new Ending(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
        Optional.empty());
  }

  AttemptState submitted(JobId job) {
    return submission(Optional.of(job), false, submission.repeats());
  }

  AttemptState unqueued() {
    return submission(job(), true, submission.repeats());
  }

  AttemptState repeated() {
    return submission(job(), false, submission.repeats() + 1);
  }

  private AttemptState submission(Optional<JobId> job, boolean unqueued, int repeats) {
    return new AttemptState(
        id,
        new SubmissionIntent(jobName(), intendedAt(), job, unqueued, repeats),
        run,
        ending,
        remedy);
  }

  AttemptState run(UnaryOperator<RunState> change) {
    return new AttemptState(id, submission, change.apply(run), ending, remedy);
  }

  AttemptState ending(UnaryOperator<Ending> change) {
    return new AttemptState(id, submission, run, change.apply(ending), remedy);
  }

  AttemptState remedy(UnaryOperator<RemedyState> change) {
    return with(change.apply(remedy.orElseThrow()));
  }

  AttemptState with(RemedyState newRemedy) {
    return new AttemptState(id, submission, run, ending, Optional.of(newRemedy));
  }

  /** Whether the cluster has, or may have, a job of this attempt that has not ended. */
  public boolean isInFlight() {
    return end().isEmpty() && judgement().isEmpty();
  }

  public boolean isRunning() {
    return isInFlight() && startedAt().isPresent();
  }

  /** The time from the start to the end of the job, if both are known. */
  public Optional<Duration> elapsed() {
    return end().flatMap(e -> startedAt().map(start -> Duration.between(start, e.endedAt())));
  }

  public Optional<Measurement> measurement() {
    return judgement()
        .flatMap(
            j ->
                j instanceof Judgement.Measured m
                    ? Optional.of(m.measurement())
                    : Optional.empty());
  }

  public String jobName() {
    return submission.jobName();
  }

  public Instant intendedAt() {
    return submission.intendedAt();
  }

  public Optional<JobId> job() {
    return submission.job();
  }

  /** Whether the submission is known to have queued no job. */
  public boolean isUnqueued() {
    return submission.unqueued();
  }

  public Optional<Instant> startedAt() {
    return run.startedAt();
  }

  /**
   * What the job has used so far: nodes times running time.
   *
   * @param pinned number of nodes to assume if the cluster does not report the job's nodes
   */
  Duration nodeTime(int pinned, Instant now) {
    int held = nodes().isEmpty() ? pinned : nodes().size();
    return startedAt()
        .map(start -> Duration.between(start, end().map(JobEnd::endedAt).orElse(now)))
        .filter(ran -> !ran.isNegative())
        .map(ran -> ran.multipliedBy(held))
        .orElse(Duration.ZERO);
  }

  public List<String> nodes() {
    return run.nodes();
  }

  public int step() {
    return run.progress().step();
  }

  public int stepsTotal() {
    return run.progress().stepsTotal();
  }

  public Instant lastProgressAt() {
    return run.progress().at();
  }

  public Optional<Measurement> sofar() {
    return run.sofar();
  }

  public Optional<Doubt> doubt() {
    return run.doubt();
  }

  public Optional<CancelCause> cancelCause() {
    return ending.cancelCause();
  }

  public Optional<Diagnosis> givenUp() {
    return ending.givenUp();
  }

  public Optional<JobEnd> end() {
    return ending.end();
  }

  public Optional<Judgement> judgement() {
    return ending.judgement();
  }

  /**
   * Whether the sweep itself ended the job for a reason other than a failure, so that no repair is
   * needed.
   */
  public boolean isCancelled() {
    return cancelCause()
            .filter(why -> why != CancelCause.GIVEN_UP && why != CancelCause.NEVER_QUEUED)
            .isPresent()
        && end()
            .filter(
                e -> e.state() == JobEnd.State.CANCELLED || e.state() == JobEnd.State.NEVER_STARTED)
            .isPresent()
        && measurement().isEmpty();
  }

  /** Why the attempt was judged a failure; empty if it was not. */
  public Optional<Diagnosis> failure() {
    return judgement()
        .flatMap(
            j -> j instanceof Judgement.Failed f ? Optional.of(f.diagnosis()) : Optional.empty());
  }

  /** Whether the job did what it was for. */
  public boolean hasSucceeded() {
    return judgement()
        .filter(j -> j instanceof Judgement.Done || j instanceof Judgement.Measured)
        .isPresent();
  }

  /** Whether the attempt was judged a failure of this class. */
  public boolean isFailedAs(String failureClass) {
    return failure().filter(d -> d.failureClass().equals(failureClass)).isPresent();
  }
}
