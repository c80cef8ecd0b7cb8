package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The part of the budget that a language model's profiles may use and have used, in jobs of the
 * usual length. Every attempt counts, including failed ones and controls that only these profiles
 * need.
 */
public final class LlmShare {
  /** Reserved for the first look at fresh runs of both arms, so that a gain can be confirmed. */
  private static final int CONFIRMATION = 2 * Allowance.FIRST_LOOK;

  private static final int ONE_PAIR = 2;

  /**
   * How far, in jobs, a running job may overrun the share before it is found too long and
   * cancelled.
   */
  private static final double MARGIN = 0.1;

  private final SweepState s;
  private final Duration job;
  private final Optional<Instant> now;

  private LlmShare(SweepState s, Optional<Duration> typicalJob, Optional<Instant> now) {
    this.s = s;
    job = typicalJob.orElseGet(() -> s.spec().policy().jobBeforeAnyWasTimed());
    this.now = now;
  }

  static LlmShare of(View view) {
    return new LlmShare(view.state(), view.typicalJob(), Optional.of(view.now()));
  }

  /**
   * Computes the share from a state without a clock: a running job counts as one of the usual
   * length.
   */
  public static LlmShare of(SweepState s) {
    return new LlmShare(s, Allowance.typicalJob(s), Optional.empty());
  }

  /** The whole share, in jobs. */
  public double jobs() {
    double byTime =
        Stream.concat(
                s.deadline().map(d -> Duration.between(s.startedAt().orElseThrow(), d)).stream(),
                s.budget().runningTime(s.cell().nodes().size()).stream())
            .mapToDouble(time -> (double) time.toMillis() / Math.max(1, job.toMillis()))
            .min()
            .orElse(Double.MAX_VALUE);
    double all = Math.min(byTime, s.budget().jobs().orElse(Integer.MAX_VALUE));
    return s.llm().terms().map(LlmTerms::share).orElse(0.0) * all;
  }

  /**
   * The jobs used and planned, with their controls. Costs of a confirmed winner, such as its runs
   * on other config tags, are paid by the sweep.
   */
  public double spent() {
    Set<String> own = new HashSet<>();
    for (Profile p : s.profiles().values()) {
      if (s.llm().isOf(p)) {
        own.add(p.name());
      }
    }
    if (own.isEmpty()) {
      return 0;
    }
    Set<Integer> ownBlocks = new HashSet<>();
    Set<Integer> shared = new HashSet<>();
    for (TrialState t : s.trials().values()) {
      Trial trial = t.trial();
      if (!trial.purpose().isControl()) {
        (own.contains(trial.profile()) ? ownBlocks : shared).add(trial.block());
      }
    }
    double spent = 0;
    for (TrialState t : s.trials().values()) {
      Trial trial = t.trial();
      boolean control =
          trial.purpose().isControl()
              && ownBlocks.contains(trial.block())
              && (!shared.contains(trial.block()) || isOwnWave(trial.wave(), own));
      if ((own.contains(trial.profile()) || control) && !isOfTheWinner(trial)) {
        spent += Math.max(cost(t), t.isOpen() ? 1 : 0);
      }
    }
    return spent;
  }

  private boolean isOfTheWinner(Trial trial) {
    return s.wave(trial.wave())
        .map(w -> w.wave().kind())
        .filter(kind -> kind == Wave.Kind.CROSS_CHECK || kind == Wave.Kind.WINNER_EVIDENCE)
        .isPresent();
  }

  private double left() {
    return jobs() - MARGIN - spent();
  }

  /** How many further profiles fit into the share, each with its first run. */
  int room() {
    int block = s.spec().policy().blockSize();
    // Each block of profiles has one control.
    return (int) Math.max(0, Math.floor((left() - CONFIRMATION - 1) * block / (block + 1)));
  }

  /**
   * How many of these jobs a confirmation of the profile may use: all of them if the profile is not
   * the language model's.
   */
  int of(int jobs, String profile) {
    return s.llm().isOf(s.profile(profile)) ? Math.min(jobs, (int) Math.max(0, left())) : jobs;
  }

  /** Whether a further run and its control leave enough of the share to confirm the profile. */
  boolean hasRoomForAnotherRunOf(String profile) {
    return !s.llm().isOf(s.profile(profile)) || left() >= ONE_PAIR + CONFIRMATION;
  }

  /** Whether the rest of the share can no longer confirm the profile. */
  boolean isTooLittleFor(String profile) {
    boolean isBeingConfirmed =
        s.confirmations().stream().anyMatch(c -> c.profile().equals(profile));
    boolean isUnderWay =
        s.open().values().stream().anyMatch(t -> t.trial().profile().equals(profile));
    double needed = !isBeingConfirmed ? Allowance.FEWEST_FRESH : isUnderWay ? 0 : ONE_PAIR;
    return left() < needed;
  }

  private boolean isOwnWave(String wave, Set<String> own) {
    List<String> named = s.wave(wave).map(w -> w.wave().profiles()).orElse(List.of());
    return !named.isEmpty() && own.containsAll(named);
  }

  private double cost(TrialState t) {
    return t.attempts().stream().mapToDouble(this::cost).sum();
  }

  private double cost(AttemptState a) {
    double ran =
        a.startedAt()
            .flatMap(start -> until(a).map(end -> Duration.between(start, end)))
            .map(d -> (double) d.toMillis() / Math.max(1, job.toMillis()))
            .orElse(0.0);
    return Math.max(1, ran);
  }

  private Optional<Instant> until(AttemptState a) {
    return a.end().map(JobEnd::endedAt).or(() -> a.isRunning() ? now : Optional.empty());
  }
}
