package io.nightsweep.plan;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workloads;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds variables of profiles and config tags that look like misspelt ones of the command, or,
 * where the command's program reads variables itself, of several other profiles. A name that
 * resembles none is not reported, since scripts read variables of their own.
 */
public final class UnmentionedVariables {
  private static final int MOST_SLIPS = 2;

  /** Shorter names are not compared, since two of them may differ by one letter by chance. */
  private static final int SHORTEST = 3;

  /** The minimum length for a comparison with other profiles only, which is weaker evidence. */
  private static final int LONG_ENOUGH = 5;

  private UnmentionedVariables() {}

  /**
   * Such variables, each with the name that was probably meant.
   *
   * @param profiles that the sweep has
   */
  public static SortedMap<String, String> of(SweepSpec spec, Collection<Profile> profiles) {
    Set<String> mentioned =
        Workloads.find(spec.workload())
            .map(kind -> kind.mentioned(spec.settings()))
            .orElse(Set.of());
    Map<String, Long> times =
        Stream.concat(
                profiles.stream().flatMap(p -> Stream.of(p.env(), p.overrides())),
                spec.configTags().stream().map(tag -> tag.overrides()))
            .flatMap(settings -> settings.keySet().stream())
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    Set<String> often =
        times.entrySet().stream()
            .filter(e -> e.getValue() > 1)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    SortedMap<String, String> meant = new TreeMap<>();
    times.forEach(
        (name, count) -> {
          if (name.length() >= SHORTEST && !mentioned.contains(name)) {
            near(name, mentioned, MOST_SLIPS)
                .or(() -> count == 1 ? slipOf(name, often) : Optional.empty())
                .ifPresent(near -> meant.put(name, near));
          }
        });
    return meant;
  }

  private static Optional<String> near(String name, Set<String> names, int mostSlips) {
    return Nearest.to(name, names).filter(near -> Nearest.distance(name, near) <= mostSlips);
  }

  /**
   * The frequent name of which this one is a slip; names that differ only in a number belong to a
   * family and do not count.
   */
  private static Optional<String> slipOf(String name, Set<String> often) {
    return name.length() < LONG_ENOUGH
        ? Optional.empty()
        : near(name, often, 1).filter(near -> !digitless(near).equals(digitless(name)));
  }

  private static String digitless(String name) {
    return name.replaceAll("[0-9]", "");
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
                    "it is still set, since a script may read it",
                    Optional.ofNullable(meant.get(variable.key()))))
        .toList();
  }
}
