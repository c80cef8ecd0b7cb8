package io.nightsweep.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Variables of profiles and config tags that look like misspelt ones of the command. Of a name that
 * is near to none nothing is said, since scripts read variables of their own.
 */
final class UnmentionedVariables {
  private static final int MOST_SLIPS = 2;

  /** Two shorter names may differ by a letter and have nothing to do with each other. */
  private static final int SHORTEST = 3;

  private UnmentionedVariables() {}

  /**
   * @param root of a sweep file
   * @param mentioned by the command and by the workload's settings
   */
  static List<Problem> of(Yaml.Mapping root, Set<String> mentioned) {
    Yaml.Mapping profiles = root.mapping("profiles");
    Yaml.Mapping tags = root.mapping("configTags");
    Stream<Yaml.Mapping> ofProfiles =
        profiles.entries().keySet().stream()
            .map(profiles::mapping)
            .flatMap(profile -> Stream.of(profile.mapping("env"), profile.mapping("overrides")));
    return Stream.concat(ofProfiles, tags.entries().keySet().stream().map(tags::mapping))
        .flatMap(settings -> settings.entries().values().stream())
        .flatMap(variable -> doubt(variable, mentioned).stream())
        .toList();
  }

  private static Optional<Problem> doubt(Yaml.YamlEntry variable, Set<String> mentioned) {
    String name = variable.key();
    return Optional.of(name)
        .filter(n -> n.length() >= SHORTEST && !mentioned.contains(n))
        .flatMap(n -> Nearest.to(n, mentioned))
        .filter(near -> Nearest.distance(name, near) <= MOST_SLIPS)
        .map(
            near ->
                new Problem(
                    variable.keyPlace(),
                    "the command never mentions '" + name + "'",
                    "it is set all the same, since a script may read it",
                    Optional.of(near)));
  }
}
