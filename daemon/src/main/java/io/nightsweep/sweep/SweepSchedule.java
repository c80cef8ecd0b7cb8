package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.PSortedMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * What a sweep runs: its waves, their trials and the jobs of the trials.
 *
 * @param open the trials without a disposition
 * @param attempts jobs intended so far, retries included
 * @param repinnedAfter the last trial before the nodelist was changed
 * @param setAside runs on real data, kept here when the sweep is reported without them
 */
record SweepSchedule(
    PVector<WaveState> waves,
    PSortedMap<TrialId, TrialState> trials,
    PSortedMap<TrialId, TrialState> open,
    int attempts,
    PVector<Event.ConfirmationPlanned> confirmations,
    Optional<TrialId> repinnedAfter,
    PVector<TrialState> setAside) {

  static SweepSchedule of(List<Wave> plan) {
    return new SweepSchedule(
        pending(plan),
        TreePMap.empty(),
        TreePMap.empty(),
        0,
        TreePVector.empty(),
        Optional.empty(),
        TreePVector.empty());
  }

  TrialState trial(TrialId id) {
    TrialState trial = trials.get(id);
    if (trial == null) {
      throw new IllegalStateException("no trial " + id + " in this sweep");
    }
    return trial;
  }

  SweepSchedule with(TrialState trial) {
    TrialId id = trial.trial().id();
    return of(trials.plus(id, trial), trial.isOpen() ? open.plus(id, trial) : open.minus(id));
  }

  /** Moves the trial out of the schedule; it stays known but counts for nothing. */
  SweepSchedule settingAside(TrialState trial) {
    TrialId id = trial.trial().id();
    return new SweepSchedule(
        waves,
        trials.minus(id),
        open.minus(id),
        attempts - trial.attempts().size(),
        confirmations,
        repinnedAfter,
        setAside.plus(trial));
  }

  private SweepSchedule of(
      PSortedMap<TrialId, TrialState> newTrials, PSortedMap<TrialId, TrialState> newOpen) {
    return new SweepSchedule(
        waves, newTrials, newOpen, attempts, confirmations, repinnedAfter, setAside);
  }

  SweepSchedule spending(int jobs) {
    return new SweepSchedule(
        waves, trials, open, attempts + jobs, confirmations, repinnedAfter, setAside);
  }

  SweepSchedule with(Event.ConfirmationPlanned planned) {
    return new SweepSchedule(
        waves, trials, open, attempts, confirmations.plus(planned), repinnedAfter, setAside);
  }

  private SweepSchedule with(PVector<WaveState> newWaves) {
    return new SweepSchedule(
        newWaves, trials, open, attempts, confirmations, repinnedAfter, setAside);
  }

  SweepSchedule planning(List<Trial> planned) {
    SweepSchedule next = this;
    for (Trial trial : planned) {
      if (next.trials.containsKey(trial.id())) {
        throw new IllegalStateException("trial " + trial.id() + " is planned twice");
      }
      next = next.with(TrialState.planned(trial));
    }
    return next;
  }

  SweepSchedule wave(String name, UnaryOperator<WaveState> change) {
    for (int i = 0; i < waves.size(); i++) {
      if (waves.get(i).wave().name().equals(name)) {
        return with(waves.with(i, change.apply(waves.get(i))));
      }
    }
    throw new IllegalStateException("no wave '" + name + "' in the plan");
  }

  /** Restarts all waves of the plan; what was planned before no longer counts. */
  SweepSchedule anew() {
    return new SweepSchedule(
        pending(waves.stream().map(WaveState::wave).toList()),
        trials,
        open,
        attempts,
        TreePVector.empty(),
        trials.isEmpty() ? repinnedAfter : Optional.of(trials.lastKey()),
        setAside);
  }

  /**
   * Adds a screening wave of profiles that a person added. It is the next wave to open: waves that
   * have begun go on, and the waves that choose by results also see its results.
   */
  SweepSchedule adding(List<Profile> profiles, Command.Origin origin) {
    int before = (int) waves.stream().filter(w -> w.wave().isAdded()).count();
    Wave wave = Wave.added(before + 1, profiles.stream().map(Profile::name).toList(), origin);
    int at = 0;
    while (at < waves.size() && !isAfterAnAddition(waves.get(at))) {
      at++;
    }
    return with(waves.plus(at, WaveState.of(wave)));
  }

  /** Replaces the plan's screening waves; all other waves and those that people added stay. */
  SweepSchedule led(List<Wave> plan) {
    PVector<WaveState> led = TreePVector.empty();
    boolean screening = false;
    for (Wave wave : plan) {
      boolean screen = wave.kind() == Wave.Kind.SCREEN;
      if (screen && !screening) {
        led = led.plusAll(waves.stream().filter(w -> w.wave().isAdded()).toList());
        screening = true;
      }
      led =
          led.plus(
              waves.stream()
                  .filter(w -> !screen && w.wave().name().equals(wave.name()))
                  .findFirst()
                  .orElse(WaveState.of(wave)));
    }
    return with(led);
  }

  private static boolean isAfterAnAddition(WaveState w) {
    return switch (w.wave().kind()) {
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> false;
      case SCREEN -> w.isPending() && !w.wave().isAdded();
      case STACK -> w.isPending();
      case RACE, CONFIRM, CROSS_CHECK, WINNER_EVIDENCE -> w.isUnfinished();
    };
  }

  private static PVector<WaveState> pending(List<Wave> plan) {
    return TreePVector.from(plan.stream().map(WaveState::of).toList());
  }
}
