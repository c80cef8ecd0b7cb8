package io.nightsweep.conductor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Set;

/** What a probe job learned of the settings that the program of this sweep has. */
final class KnownSettings {
  private KnownSettings() {}

  /**
   * Those of the profile's settings that the program does not have; none as long as no probe told
   * what it has. Of a dotted one the first part is a name.
   */
  static List<String> missing(SweepState s, Profile profile) {
    Set<String> known =
        s.findings().stream()
            .map(f -> f.knownSettings())
            .filter(names -> !names.isEmpty())
            .reduce(Set.of(), (before, after) -> after);
    return known.isEmpty()
        ? List.of()
        : profile.overrides().keySet().stream()
            .filter(setting -> !known.contains(setting.split("\\.", 2)[0]))
            .toList();
  }
}
