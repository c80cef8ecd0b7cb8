package io.nightsweep.report;

import io.nightsweep.conductor.AwaitedStep;
import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Resubmission;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The progress of a sweep, for people who look at it now.
 *
 * @param turn in the night that it shares with other sweeps, while it goes on
 * @param jobsLimit of the budget
 * @param nodeHours that jobs have used
 * @param nodeHoursLimit of the budget
 * @param verdicts reached so far: a profile and the word, the best guess first
 * @param fractionDone of the expected trials, 0 to 1
 * @param expectedEnd an estimate from the jobs so far; absent before the first job has ended, while
 *     the sweep waits for a person or a remedy, and where it takes turns with others
 * @param outage the cluster's error while it does not answer
 * @param remedies steps of remedies in progress
 * @param questions that wait for a person
 */
public record Progress(
    String sweep,
    Phase phase,
    Cell cell,
    Optional<Instant> startedAt,
    Optional<Turn> turn,
    Instant lastEventAt,
    List<WaveLine> waves,
    Coverage trials,
    int jobs,
    Optional<Integer> jobsLimit,
    double nodeHours,
    Optional<Double> nodeHoursLimit,
    Optional<Instant> deadline,
    List<Job> inFlight,
    Optional<Best> best,
    List<String> verdicts,
    double fractionDone,
    Optional<Instant> expectedEnd,
    Optional<String> outage,
    List<RemedyWait> remedies,
    List<Open> questions) {

  /** An open question; {@code unanswered} is the answer that applies after {@code until}. */
  public record Open(String name, String text, Instant until, boolean unanswered) {}

  /**
   * A remedy's step in progress.
   *
   * @param until when the step is over at the latest
   */
  public record RemedyWait(
      String attempt,
      String failureClass,
      List<String> nodes,
      String detail,
      String step,
      Instant since,
      Instant until) {

    public String text(Phrases t, DateTimeFormatter clock) {
      return t.text(
          "state.remedy", step, clock.format(since), clock.format(until), failure(), detail);
    }

    /** The failure with its nodes, such as "node-fail (n2)". */
    public String failure() {
      return nodes.isEmpty() ? failureClass : failureClass + " (" + String.join(", ", nodes) + ")";
    }
  }

  /** Whether it is this sweep's turn on the nodes that it shares with other sweeps of the night. */
  public record Turn(String night, boolean held) {
    public String text(Phrases t) {
      return t.text(held ? "state.has-turn" : "state.waits-for-turn", night);
    }
  }

  public enum WaveStatus {
    PENDING,
    OPEN,
    CLOSED,
    /** The budget or a stop ended the wave before all its trials had run. */
    CUT,
    SKIPPED
  }

  /**
   * @param done trials that ran to their end, without dropped ones
   * @param trials planned so far
   */
  public record WaveLine(
      String name, Wave.Kind kind, WaveStatus status, int done, int trials, String note) {}

  /**
   * @param step -1 before the first
   * @param stepsTotal 0 where unknown
   * @param stepSeenAt when the log last showed a new step, the proof that the job runs
   * @param again why it is not the first submission of its trial
   */
  public record Job(
      String attempt,
      Optional<JobId> job,
      String profile,
      String configTag,
      Trial.Purpose purpose,
      Optional<Instant> startedAt,
      int step,
      int stepsTotal,
      Optional<Instant> stepSeenAt,
      Optional<Retry> again) {

    /** What is attested, and why it is not the trial's first job. */
    public String told(Instant now) {
      return attested(now) + again.map(why -> "; again: " + Phrases.EN.text(why.said())).orElse("");
    }

    /** The last proof of the job's progress, such as "step 11 of 15, 40 s ago". */
    public String attested(Instant now) {
      if (startedAt.isEmpty()) {
        return "waits in the queue";
      }
      return stepSeenAt
          .map(
              seen ->
                  "step %d%s, %s ago"
                      .formatted(
                          step + 1, stepsTotal > 0 ? " of " + stepsTotal : "", since(seen, now)))
          .orElseGet(() -> "started " + since(startedAt.get(), now) + " ago, no step seen yet");
    }

    private static String since(Instant then, Instant now) {
      // A log's clock may be ahead of this machine's.
      Duration since = Collections.max(List.of(Duration.ZERO, Duration.between(then, now)));
      return since.toMinutes() >= 2 ? since.toMinutes() + " min" : since.toSeconds() + " s";
    }
  }

  /**
   * The leading profile.
   *
   * @param gainPercent over the baseline; from the fresh runs alone where it is confirmed
   * @param lowPercent of the verdict's interval; may be negative infinity
   */
  public record Best(
      String profile,
      String settings,
      double gainPercent,
      double lowPercent,
      double highPercent,
      int runs,
      boolean confirmed) {}

  public static Progress of(SweepState s, Instant now) {
    return of(s, Standings.board(s), now);
  }

  /**
   * @param board of {@code s}, passed in since it costs more than all else here
   */
  public static Progress of(SweepState s, Leaderboard board, Instant now) {
    int ended = (int) s.trials().values().stream().filter(t -> !t.isOpen()).count();
    int cut = (int) s.trials().values().stream().filter(Progress::isCut).count();
    List<AwaitedStep> remedies = AwaitedStep.of(s);
    int ahead = isWalked(s) ? 0 : s.trials().size() - ended + Forecast.trialsNotPlannedYet(s);
    return new Progress(
        s.sweep(),
        s.phase(),
        s.cell(),
        s.startedAt(),
        s.night().filter(n -> !s.isFinished()).map(n -> new Turn(n.name(), n.hasTurn())),
        s.lastEventAt(),
        s.waves().stream().map(w -> wave(s, w)).toList(),
        Coverage.of(s),
        s.jobsTaken(),
        s.budget().jobs(),
        Hours.of(s.nodeTime(s.isFinished() ? s.lastEventAt() : now)),
        s.budget().nodeHours(),
        s.deadline(),
        jobs(s),
        best(s, board),
        verdicts(s, board),
        ended + ahead == 0 ? 0 : (double) (ended - cut) / (ended + ahead),
        isMoving(s) && remedies.isEmpty() ? Forecast.end(s, ahead, now) : Optional.empty(),
        s.clusterOutage().map(SweepState.ClusterOutage::error),
        remedies.stream().map(Progress::wait).toList(),
        s.openQuestions().entrySet().stream()
            .map(
                q ->
                    new Open(
                        q.getKey(),
                        Sentences.of(q.getValue().about(), Phrases.EN),
                        q.getValue().until(),
                        q.getValue().unanswered()))
            .toList());
  }

  /** Whether no wave is ahead; a sweep that was stopped leaves its unopened waves behind. */
  private static boolean isWalked(SweepState s) {
    return s.phase() instanceof Phase.Finished f
        && f.outcome() != Event.SweepFinished.SweepOutcome.STOPPED;
  }

  private static RemedyWait wait(AwaitedStep step) {
    return new RemedyWait(
        step.attempt().toString(),
        step.failureClass(),
        step.nodes(),
        Phrases.EN.text(step.detail()),
        step.action(),
        step.since(),
        step.until());
  }

  /**
   * Whether the end can be estimated: nobody knows how long a person or the other sweeps of a night
   * will take.
   */
  private static boolean isMoving(SweepState s) {
    return s.phase() instanceof Phase.Running && s.openQuestions().isEmpty() && s.night().isEmpty();
  }

  private static List<String> verdicts(SweepState s, Leaderboard board) {
    return Stream.concat(
            board.standings().stream()
                .filter(st -> !(st.verdict() instanceof Verdict.Undecided))
                .map(st -> st.profile() + " " + Figures.phrase(st.verdict())),
            Conclusion.implausible(s).stream()
                .map(
                    p ->
                        p
                            + " implausible, set aside (gained more than policy.plausibleGain; why:"
                            + " nightsweep explain "
                            + p
                            + ")"))
        .toList();
  }

  private static WaveLine wave(SweepState s, WaveState w) {
    List<TrialState> trials = w.trials().stream().map(s::trial).toList();
    long unrun = trials.stream().filter(Progress::neverRan).count();
    WaveStatus status =
        w.skipped().isPresent()
            ? WaveStatus.SKIPPED
            : w.isPending()
                ? WaveStatus.PENDING
                : trials.stream().anyMatch(Progress::isCut)
                    ? WaveStatus.CUT
                    : w.isOpen() ? WaveStatus.OPEN : WaveStatus.CLOSED;
    return new WaveLine(
        w.wave().name(),
        w.wave().kind(),
        status,
        trials.size() - (int) trials.stream().filter(t -> t.isOpen() || neverRan(t)).count(),
        trials.size(),
        w.skipped()
                .map(why -> Causes.ofWave(s, why, Phrases.EN))
                .orElseGet(() -> Phrases.EN.text(w.wave().why()))
            + (unrun == 0 ? "" : " (" + unrun + " dropped)"));
  }

  /** Whether the budget or a stop ended the trial before it was measured. */
  private static boolean isCut(TrialState t) {
    return t.disposition()
        .filter(
            d ->
                d instanceof Disposition.Dropped dropped
                    && (dropped.why() instanceof Cause.BudgetSpent
                        || dropped.why() instanceof Cause.SweepStopped))
        .isPresent();
  }

  private static boolean neverRan(TrialState t) {
    return t.disposition().filter(d -> d instanceof Disposition.Dropped).isPresent();
  }

  /** The queued and running jobs, with the last proof of their progress. */
  public static List<Job> jobs(SweepState s) {
    return s.inFlight().stream().map(a -> job(s, a)).toList();
  }

  private static Job job(SweepState s, AttemptState a) {
    Trial trial = s.trialOf(a.id());
    return new Job(
        a.id().toString(),
        a.job(),
        trial.profile(),
        trial.configTag(),
        trial.purpose(),
        a.startedAt(),
        a.step(),
        a.stepsTotal(),
        a.step() < 0 ? Optional.empty() : Optional.of(a.lastProgressAt()),
        Resubmission.of(s, a));
  }

  private static Optional<Best> best(SweepState s, Leaderboard board) {
    return Standings.winner(s, board)
        .map(winner -> best(s, winner, true))
        .or(() -> Standings.leader(s, board).map(leader -> best(s, leader, false)));
  }

  private static Best best(SweepState s, Standing standing, boolean confirmed) {
    Verdict verdict = standing.verdict();
    return new Best(
        standing.profile(),
        s.profile(standing.profile()).describe(),
        Interval.percent(Standings.publishedLogGain(standing)),
        verdict.interval().lowPercent(),
        verdict.interval().highPercent(),
        confirmed ? verdict.runs() : standing.estimate().runs(),
        confirmed);
  }

  /** Whether the plan has a wave that confirms a winner. */
  public boolean confirms() {
    return waves.stream().anyMatch(w -> w.kind() == Wave.Kind.CONFIRM);
  }

  /**
   * The used node-hours, such as "1.2 of 8 node-hours"; empty where the budget has no such limit.
   */
  public Optional<String> spentNodeHours() {
    return nodeHoursLimit.map(limit -> spent(nodeHours, limit));
  }

  static String spent(double nodeHours, double limit) {
    return Figures.nodeHours(nodeHours) + " of " + Figures.nodeHours(limit) + " node-hours";
  }

  /**
   * Time since the start, up to now or to the end; zero if {@code now} is from a clock behind the
   * journal's.
   */
  public Duration elapsed(Instant now) {
    Instant end = phase instanceof Phase.Finished ? lastEventAt : now;
    return startedAt
        .filter(end::isAfter)
        .map(start -> Duration.between(start, end))
        .orElse(Duration.ZERO);
  }
}
