package io.nightsweep.conductor;

import io.nightsweep.measure.LossGuard;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.SortedSet;

/**
 * Whether a profile that changes what is trained has passed its run on real data. Such a profile is
 * not deployed before it has passed, and no longer deployed after a later run that did not.
 *
 * @param moved the settings that change what is trained; empty for most profiles
 */
public record RealData(SortedSet<String> moved, RealDataRun run) {
  /** The result of the last ended run on real data. */
  public enum RealDataRun {
    /** By its settings, the profile computes what the baseline computes. */
    NOT_NEEDED,
    AWAITED,
    PASSED,
    FAILED
  }

  public static RealData of(SweepState s, Profile profile) {
    SortedSet<String> moved = WhatIsTrained.moved(profile);
    return new RealData(moved, moved.isEmpty() ? RealDataRun.NOT_NEEDED : last(s, profile.name()));
  }

  public boolean deploys() {
    return switch (run) {
      case NOT_NEEDED, PASSED -> true;
      case AWAITED, FAILED -> false;
    };
  }

  private static RealDataRun last(SweepState s, String profile) {
    return s.validations().stream()
        .filter(t -> t.trial().profile().equals(profile) && !t.isOpen())
        .reduce((first, second) -> second)
        .map(t -> passed(t) ? RealDataRun.PASSED : RealDataRun.FAILED)
        .orElse(RealDataRun.AWAITED);
  }

  /** Whether the run ended well and its losses show that the model trains. */
  public static boolean passed(TrialState validation) {
    return LossGuard.trains(validation.measurement().map(Measurement::steps).orElseGet(List::of));
  }
}
