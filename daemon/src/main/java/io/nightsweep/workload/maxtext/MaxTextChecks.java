package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SettingProblem.Unfit;
import io.nightsweep.workload.SettingProblem.Unknown;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.SweepSettings.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Holds a sweep file's MaxText settings against those that exist. */
final class MaxTextChecks {
  private final List<SettingProblem> problems = new ArrayList<>();

  private MaxTextChecks() {}

  static List<SettingProblem> of(SweepSettings settings) {
    MaxTextChecks checks = new MaxTextChecks();
    Section own = settings.own();
    if (own.text(MaxTextSettings.REPOSITORY).isEmpty()) {
      checks.problems.add(
          new Unfit(
              own.path(),
              true,
              "'repository' is missing in 'workload'",
              "expected the maxtext-slurm repository, which holds submit.sh"));
    }
    checks.section(own, true);
    settings.variants().forEach(variant -> checks.section(variant, false));
    return checks.problems;
  }

  /** A misspelt setting of Nightsweep's must not go to the training as one of MaxText's. */
  private void section(Section section, boolean own) {
    for (String key : section.values().keySet()) {
      boolean ours = own && (MaxTextSettings.OWN.contains(key) || key.equals("kind"));
      if (!ours && !MaxTextSettings.isMaxTexts(key)) {
        TreeSet<String> known = new TreeSet<>(MaxTextSettings.WORDS);
        if (own) {
          known.addAll(MaxTextSettings.OWN);
        }
        problems.add(new Unknown(section.path(key), true, "setting of maxtext", key, known));
      } else if (!ours) {
        section
            .text(key)
            .flatMap(value -> MaxTextSettings.breaksRule(key, value))
            .ifPresent(
                broken ->
                    problems.add(
                        new Unfit(
                            section.path(key),
                            false,
                            broken,
                            "a run on real data is 'nightsweep validate' after the sweep")));
      }
    }
  }
}
