package io.nightsweep.sweep;

import java.util.Optional;

/**
 * A sweep's part in a night that it shares with others on the same nodes: one sweep has the turn,
 * and the others wait.
 *
 * @param name the same for all sweeps of the night
 * @param workBefore what the sweep had planned and submitted when it took its last turn
 * @param share what it may spend in all, as of that turn; empty before its first turn
 */
public record SharedNight(String name, boolean hasTurn, long workBefore, Optional<Budget> share) {
  static SharedNight joined(String name) {
    return new SharedNight(name, false, 0, Optional.empty());
  }

  SharedNight taken(Budget share, long work) {
    return new SharedNight(name, true, work, Optional.of(share));
  }

  SharedNight passed() {
    return new SharedNight(name, false, workBefore, share);
  }
}
