package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.SetupProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares a sweep's MaxText settings with those that its MaxText has. */
final class UnknownSettings {
  private final Set<String> known;
  private final String whose;
  private final String remedy;
  private final List<SetupProblem> problems = new ArrayList<>();

  /**
   * @param known the settings of that MaxText
   * @param always further names that it accepts
   * @param whose description of that MaxText for people
   * @param remedy what to do where another MaxText is meant
   */
  UnknownSettings(Set<String> known, Collection<String> always, String whose, String remedy) {
    this.known = new TreeSet<>(known);
    this.known.addAll(always);
    this.whose = whose;
    this.remedy = remedy;
  }

  /**
   * The problems. A setting that only a catalog uses gives a warning, since its profiles drop out
   * by themselves; all others must be corrected.
   */
  List<SetupProblem> of(SweepSpec spec, MaxTextSettings settings) {
    settings
        .overrides()
        .keySet()
        .forEach(
            key ->
                check(
                    key.startsWith(Workload.VALIDATION)
                        ? key.substring(Workload.VALIDATION.length())
                        : key,
                    "workload/" + key.replace(Workload.VALIDATION, "validation/"),
                    true));
    for (ConfigTag tag : spec.configTags()) {
      tag.overrides()
          .keySet()
          .forEach(key -> check(key, "configTags/" + tag.name() + "/" + key, true));
    }
    for (Profile profile : spec.everyProfile()) {
      profile
          .overrides()
          .keySet()
          .forEach(
              key ->
                  check(
                      key,
                      "profiles/" + profile.name() + "/overrides/" + key,
                      !isOfACatalog(spec, profile)));
    }
    return problems;
  }

  private void check(String key, String setting, boolean fatal) {
    if (!known.contains(key.split("\\.", 2)[0])) {
      problems.add(
          new SetupProblem(
              Statement.words(whose + " has no setting '" + key + "'"),
              fatal ? remedy : "the candidate that sets it is left out",
              fatal,
              setting,
              List.copyOf(known),
              true));
    }
  }

  private static boolean isOfACatalog(SweepSpec spec, Profile profile) {
    return spec.catalogs().stream()
        .flatMap(catalog -> catalog.entries().stream())
        .flatMap(entry -> entry.candidates().stream())
        .anyMatch(candidate -> candidate.hash().equals(profile.hash()));
  }
}
