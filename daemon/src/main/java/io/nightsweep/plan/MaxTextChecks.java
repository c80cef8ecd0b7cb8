package io.nightsweep.plan;

import io.nightsweep.workload.maxtext.MaxTextWorkload;
import java.util.TreeSet;

/** Holds a sweep file's MaxText settings against those that exist. */
final class MaxTextChecks {
  private static final String REPOSITORY = "repository";

  private final Problems problems;

  private MaxTextChecks(Problems problems) {
    this.problems = problems;
  }

  static void check(Yaml.Mapping root, Problems problems) {
    MaxTextChecks checks = new MaxTextChecks(problems);
    Yaml.Mapping workload = root.mapping("workload");
    if (workload.scalar(REPOSITORY).isEmpty()) {
      problems.add(
          root.placeOf("workload"),
          "'repository' is missing in 'workload'",
          "expected the maxtext-slurm repository, which holds submit.sh");
    }
    checks.mapping(workload, true);
    Yaml.Mapping tags = root.mapping("configTags");
    tags.entries().keySet().forEach(tag -> checks.mapping(tags.mapping(tag), false));
    Yaml.Mapping profiles = root.mapping("profiles");
    profiles
        .entries()
        .keySet()
        .forEach(name -> checks.mapping(profiles.mapping(name).mapping("overrides"), false));
  }

  /** A misspelt setting of ours would else go to the training as one of MaxText's. */
  private void mapping(Yaml.Mapping settings, boolean own) {
    for (Yaml.Entry entry : settings.entries().values()) {
      String key = entry.key();
      boolean ours = own && (MaxTextWorkload.settings().contains(key) || key.equals("kind"));
      if (!ours && !MaxTextWorkload.isMaxTexts(key)) {
        TreeSet<String> known = new TreeSet<>(MaxTextWorkload.trainingWords());
        if (own) {
          known.addAll(MaxTextWorkload.settings());
        }
        problems.add(Problem.unknown(entry.keyPlace(), "setting of maxtext", key, known));
      } else if (!ours && entry.value() instanceof Yaml.Scalar value) {
        MaxTextWorkload.breaksRule(key, value.text())
            .ifPresent(
                broken ->
                    problems.add(
                        value.place(),
                        broken,
                        "a run on real data is 'nightsweep validate' after the sweep"));
      }
    }
  }
}
