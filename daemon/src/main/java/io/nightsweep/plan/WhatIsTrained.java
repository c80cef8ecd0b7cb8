package io.nightsweep.plan;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Settings that change what is trained (batch, sequence, capacity factor, precision, quantisation,
 * steps). A gain from one of them may come from training something else, however well it was
 * measured and whoever wrote it.
 */
public final class WhatIsTrained {
  private static final Pattern SETTING =
      Pattern.compile(
          "(?i)(.*_)?(batch_?size|batch_?size_.*|(target|sequence|seq|context|prompt)_?len(gth)?|capacity_factor|quantization|quantisation|quant|precision|dtype|steps)");

  private WhatIsTrained() {}

  /** Settings of a profile that can change the metric without changing the speed; usually none. */
  public static SortedSet<String> moved(Profile profile) {
    TreeSet<String> moved = new TreeSet<>(profile.overrides().keySet());
    moved.removeIf(setting -> !SETTING.matcher(setting).matches());
    return Collections.unmodifiableSortedSet(moved);
  }

  /** Whether the sweep file describes a run on real data. */
  public static boolean canBeValidated(SweepSpec spec) {
    return spec.settings().keySet().stream().anyMatch(key -> key.startsWith("validation."));
  }
}
