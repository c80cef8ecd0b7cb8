package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Remedy steps that change a profile's flags before it runs again. */
final class Amendments {
  /**
   * A flag value of at least one MiB is a size. Smaller numbers are counts, for which a change by
   * one is large.
   */
  private static final long SMALLEST_SIZE = 1L << 20;

  /** A size shrinks by one part in this many, too little to change how collectives are combined. */
  private static final long PARTS = 1024;

  private Amendments() {}

  /** Drops the flags that the diagnosis names; fails if no flag would be left. */
  static List<Decision> withoutFlags(
      Profile profile, AttemptState a, Diagnosis diagnosis, int index) {
    Profile amended = profile;
    for (String flag : diagnosis.subjects()) {
      amended = amended.withoutFlag(flag);
    }
    if (amended.equals(profile) || amended.flags().isEmpty()) {
      return failed(
          a, index, Statement.phrase("because-nothing-left"), Statement.phrase("because-no-flag"));
    }
    return amended(
        amended,
        a,
        index,
        Statement.phrase("because-dropped-unknown", String.join(", ", diagnosis.subjects())),
        Statement.phrase("because-unknown-flag"));
  }

  /** Makes sizes slightly smaller, for a compilation that does not end (procedure: monitoring). */
  static List<Decision> perturbed(Profile profile, AttemptState a, int index) {
    Optional<Profile> amended = slightlyChanged(profile);
    return amended.isEmpty()
        ? failed(
            a, index, Statement.phrase("because-no-size"), Statement.phrase("because-no-slight"))
        : amended(
            amended.get(),
            a,
            index,
            Statement.phrase("because-slightly", amended.get().describe()),
            Statement.phrase("because-compiled"));
  }

  /**
   * The profile with the size in each of its flags reduced by a thousandth; empty if it has no
   * size.
   */
  static Optional<Profile> slightlyChanged(Profile profile) {
    TreeMap<String, String> flags = new TreeMap<>(profile.flags());
    for (Map.Entry<String, String> flag : flags.entrySet()) {
      String value = flag.getValue();
      if (value.matches("[0-9]{7,18}") && Long.parseLong(value) >= SMALLEST_SIZE) {
        long size = Long.parseLong(value);
        flag.setValue(Long.toString(size - size / PARTS));
      }
    }
    return flags.equals(profile.flags())
        ? Optional.empty()
        : Optional.of(
            new Profile(
                profile.name(),
                profile.base(),
                flags,
                profile.env(),
                profile.overrides(),
                profile.parts()));
  }

  private static List<Decision> amended(
      Profile profile, AttemptState a, int index, Statement change, Statement because) {
    return List.of(
        new Decision.Append(new Event.ProfileAmended(profile), because),
        new Decision.Append(
            new Event.RemedyStepDone(a.id(), index, StepEnd.succeeded(change)),
            Statement.phrase("because-amended")));
  }

  private static List<Decision> failed(
      AttemptState a, int index, Statement why, Statement because) {
    return Decision.append(new Event.RemedyStepDone(a.id(), index, StepEnd.failed(why)), because);
  }
}
