package io.nightsweep.conductor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Set;

/** What a probe job found out about the settings of this sweep's program. */
final class KnownSettings {
  private KnownSettings() {}

  /**
   * The profile's settings that the program does not have; empty until a probe has listed the
   * program's settings. For a dotted setting, only the first part is checked.
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
