package io.nightsweep.workload.maxtext;

import io.nightsweep.measure.Window;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SettingProblem.Unfit;
import io.nightsweep.workload.SettingProblem.Unknown;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.SweepSettings.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Checks a sweep file's MaxText settings. */
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
    checks.screeningSteps(own);
    checks.switches(own);
    settings.variants().forEach(variant -> checks.section(variant, false));
    return checks.problems;
  }

  /** A short job must leave steps to measure and be shorter than a whole one. */
  private void screeningSteps(Section own) {
    int fewest = Window.FIRST_WARM_STEP + SweepSpec.FEWEST_IN_WINDOW;
    own.text(SweepSpec.SCREENING_STEPS)
        .filter(
            text ->
                !text.matches("[0-9]{1,2}")
                    || Integer.parseInt(text) < fewest
                    || Integer.parseInt(text) >= MaxTextSettings.WHOLE_STEPS)
        .ifPresent(
            text ->
                problems.add(
                    new Unfit(
                        own.path(SweepSpec.SCREENING_STEPS),
                        false,
                        "'" + SweepSpec.SCREENING_STEPS + "' is '" + text + "'",
                        "expected "
                            + fewest
                            + " to "
                            + (MaxTextSettings.WHOLE_STEPS - 1)
                            + " steps: the first "
                            + Window.FIRST_WARM_STEP
                            + " warm up, and a whole job has "
                            + MaxTextSettings.WHOLE_STEPS)));
  }

  private void switches(Section own) {
    for (String key : MaxTextSettings.SWITCHES) {
      own.text(key)
          .filter(text -> !text.equals("true") && !text.equals("false"))
          .ifPresent(
              text ->
                  problems.add(
                      new Unfit(
                          own.path(key),
                          false,
                          "'" + key + "' is '" + text + "'",
                          "expected true or false")));
    }
  }

  /**
   * Rejects misspelt Nightsweep settings, which would otherwise be passed to the training as
   * MaxText's.
   */
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
