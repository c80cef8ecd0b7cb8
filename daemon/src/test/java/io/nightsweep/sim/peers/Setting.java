package io.nightsweep.sim.peers;

import java.util.Comparator;

/**
 * A setting that trades cost for power.
 *
 * @param effort such as the number of trials
 * @param unit what the effort counts, and which profile is picked in the end
 */
record Setting(int effort, String unit) implements Comparable<Setting> {
  private static final Comparator<Setting> ORDER =
      Comparator.comparingInt(Setting::effort).thenComparing(Setting::unit);

  @Override
  public int compareTo(Setting other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return effort + " " + unit;
  }
}
