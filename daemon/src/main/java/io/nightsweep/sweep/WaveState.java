package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** A wave of the plan and how far it has come. */
public record WaveState(
    Wave wave,
    Optional<Instant> openedAt,
    Optional<Instant> closedAt,
    Optional<String> skipped,
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
}
