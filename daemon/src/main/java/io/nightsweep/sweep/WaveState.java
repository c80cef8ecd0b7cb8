package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** A wave of the plan and its progress. */
public record WaveState(
    Wave wave,
    Optional<Instant> openedAt,
    Optional<Instant> closedAt,
    Optional<Cause> skipped,
    PVector<TrialId> trials) {

  static WaveState of(Wave wave) {
    return new WaveState(
        wave, Optional.empty(), Optional.empty(), Optional.empty(), TreePVector.empty());
  }

  public boolean isOpen() {
    return openedAt.isPresent() && closedAt.isEmpty();
  }

  public boolean isPending() {
    return openedAt.isEmpty() && skipped.isEmpty();
  }

  /** Whether it may still take runs. */
  public boolean isUnfinished() {
    return isPending() || isOpen();
  }

  public boolean is(Wave.Kind kind) {
    return wave.kind() == kind;
  }

  WaveState extended(List<Trial> more) {
    return new WaveState(
        wave, openedAt, closedAt, skipped, trials.plusAll(more.stream().map(Trial::id).toList()));
  }

  WaveState opened(Instant at) {
    return new WaveState(wave, Optional.of(at), closedAt, skipped, trials);
  }

  WaveState closed(Instant at) {
    return new WaveState(wave, openedAt, Optional.of(at), skipped, trials);
  }

  WaveState skipped(Cause why) {
    return new WaveState(wave, openedAt, closedAt, Optional.of(why), trials);
  }
}
