package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a language model's profiles may take of the budget, and what they took, in jobs of the usual
 * length. Each attempt counts, a failed one too, and so does a control that only they need.
 */
public final class LlmShare {
  /** Kept for the first look at fresh runs of both arms, so that what gains can be confirmed. */
  private static final int CONFIRMATION = 8;

  private final SweepState s;
  private final Duration job;

  private LlmShare(SweepState s, Duration job) {
    this.s = s;
    this.job = job;
  }

  static LlmShare of(View view) {
    return of(view.state(), view.typicalJob());
  }

  /** Of a state on its own. */
  public static LlmShare of(SweepState s) {
    return of(s, Allowance.typicalJob(s));
  }

  private static LlmShare of(SweepState s, Optional<Duration> typicalJob) {
    return new LlmShare(s, typicalJob.orElseGet(() -> s.spec().policy().jobBeforeAnyWasTimed()));
  }

  /** All of the share. */
  public double jobs() {
    double byTime =
        Stream.concat(
                s.deadline().map(d -> Duration.between(s.startedAt().orElseThrow(), d)).stream(),
                s.spec().budget().runningTime(s.cell().nodes().size()).stream())
            .mapToDouble(time -> (double) time.toMillis() / Math.max(1, job.toMillis()))
            .min()
            .orElse(Double.MAX_VALUE);
    double all = Math.min(byTime, s.spec().budget().jobs().orElse(Integer.MAX_VALUE));
    return s.llm().terms().map(LlmTerms::share).orElse(0.0) * all;
  }

  /** What was spent, with the controls that are planned. */
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
      if (own.contains(trial.profile()) || control) {
        spent += Math.max(cost(t), control && t.isOpen() ? 1 : 0);
      }
    }
    return spent;
  }

  /** How many further profiles fit, each with a first run. */
  int room() {
    int block = s.spec().policy().blockSize();
    double left = jobs() - spent() - CONFIRMATION;
    // A control stands beside each block of them.
    return (int) Math.max(0, Math.floor((left - 1) * block / (block + 1)));
  }

  boolean isSpent() {
    return spent() >= jobs();
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
        a.end()
            .flatMap(end -> a.startedAt().map(start -> Duration.between(start, end.endedAt())))
            .map(d -> (double) d.toMillis() / Math.max(1, job.toMillis()))
            .orElse(0.0);
    return Math.max(1, ran);
  }
}
