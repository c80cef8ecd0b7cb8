package io.nightsweep.plan;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workloads;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Variables of profiles and config tags that look like misspelt ones of the command. Of a name that
 * is near to none nothing is said, since scripts read variables of their own.
 */
public final class UnmentionedVariables {
  private static final int MOST_SLIPS = 2;

  /** Two shorter names may differ by a letter and have nothing to do with each other. */
  private static final int SHORTEST = 3;

  private UnmentionedVariables() {}

  /**
   * Such variables, each with the one that is probably meant.
   *
   * @param profiles that the sweep has
   */
  public static SortedMap<String, String> of(SweepSpec spec, Collection<Profile> profiles) {
    Set<String> mentioned =
        Workloads.find(spec.workload())
            .map(kind -> kind.mentioned(spec.settings()))
            .orElse(Set.of());
    SortedMap<String, String> meant = new TreeMap<>();
    Stream.concat(
            profiles.stream().flatMap(p -> Stream.of(p.env(), p.overrides())),
            spec.configTags().stream().map(tag -> tag.overrides()))
        .flatMap(settings -> settings.keySet().stream())
        .filter(name -> name.length() >= SHORTEST && !mentioned.contains(name))
        .forEach(name -> near(name, mentioned).ifPresent(near -> meant.put(name, near)));
    return meant;
  }

  private static Optional<String> near(String name, Set<String> mentioned) {
    return Nearest.to(name, mentioned).filter(near -> Nearest.distance(name, near) <= MOST_SLIPS);
  }

  /**
   * @param root of the sweep file
   */
  static List<Problem> of(Yaml.Mapping root, SweepSpec spec) {
    SortedMap<String, String> meant = of(spec, spec.everyProfile());
    Yaml.Mapping profiles = root.mapping("profiles");
    Yaml.Mapping tags = root.mapping("configTags");
    Stream<Yaml.Mapping> ofProfiles =
        profiles.entries().keySet().stream()
            .map(profiles::mapping)
            .flatMap(profile -> Stream.of(profile.mapping("env"), profile.mapping("overrides")));
    return Stream.concat(ofProfiles, tags.entries().keySet().stream().map(tags::mapping))
        .flatMap(settings -> settings.entries().values().stream())
        .filter(variable -> meant.containsKey(variable.key()))
        .map(
            variable ->
                new Problem(
                    variable.keyPlace(),
                    "the command never mentions '" + variable.key() + "'",
                    "it is set all the same, since a script may read it",
                    Optional.ofNullable(meant.get(variable.key()))))
        .toList();
  }
}
