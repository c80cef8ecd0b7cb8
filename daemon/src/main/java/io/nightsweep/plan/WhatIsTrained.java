package io.nightsweep.plan;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Settings that say what is trained (batch, sequence, capacity factor, precision, quantisation,
 * steps): a gain by one of them can be another program's, however well it was measured. Who wrote
 * them, and in which file, makes no difference.
 */
public final class WhatIsTrained {
  private static final Pattern SETTING =
      Pattern.compile(
          "(?i)(.*_)?(batch_?size|batch_?size_.*|(target|sequence|seq|context|prompt)_?len(gth)?|capacity_factor|quantization|quantisation|quant|precision|dtype|steps)");

  private WhatIsTrained() {}

  /** The settings of a profile that can move the metric in place of the speed; none is the rule. */
  public static SortedSet<String> moved(Profile profile) {
    TreeSet<String> moved = new TreeSet<>(profile.overrides().keySet());
    moved.removeIf(setting -> !SETTING.matcher(setting).matches());
    return Collections.unmodifiableSortedSet(moved);
  }

  /** Whether the sweep file says what a run on real data is. */
  public static boolean canBeValidated(SweepSpec spec) {
    return spec.settings().keySet().stream().anyMatch(key -> key.startsWith("validation."));
  }
}
