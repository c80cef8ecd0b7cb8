package io.nightsweep.plan;

import io.nightsweep.files.Unseen;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.SweepSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Profiles as a person writes them: a mapping from names to settings. */
final class ProfilesForm {
  /** Typing errors in one name that are still recognised. */
  private static final int MOST_SLIPS = 3;

  private static final Set<String> KEYS = Set.of("flags", "env", "overrides", "base");

  private final Yaml.Mapping named;
  private final Problems problems;

  ProfilesForm(Yaml.Mapping named, Problems problems) {
    this.named = named;
    this.problems = problems;
  }

  /** The profiles in their order; two with the same settings are a problem. */
  List<Profile> profiles() {
    Map<String, String> nameByHash = new HashMap<>();
    nameByHash.put(Profile.baseline().hash(), Profile.BASELINE);
    List<Profile> profiles = new ArrayList<>();
    for (Yaml.YamlEntry entry : named.entries().values()) {
      if (entry.key().equals(Profile.BASELINE) || entry.key().equals(Profile.BASELINE_NO_ENV)) {
        problems.add(
            entry.keyPlace(),
            "the name '" + entry.key() + "' is the sweep's own",
            "expected another name");
        continue;
      }
      Profile profile = profile(entry.key(), named.mapping(entry.key()));
      String same = nameByHash.putIfAbsent(profile.hash(), entry.key());
      // Content below an unknown key is reported with the key.
      if (same != null
          && entry.value() instanceof Yaml.Mapping m
          && !m.entries().isEmpty()
          && KEYS.containsAll(m.entries().keySet())) {
        problems.add(
            entry.keyPlace(),
            "the profile '" + entry.key() + "' is the same as '" + same + "'",
            "expected each profile to set something else");
      }
      profiles.add(profile);
    }
    return profiles;
  }

  private static Profile profile(String name, Yaml.Mapping profile) {
    Profile deployed =
        Profile.of(
            name,
            Values.settings(profile.mapping("flags")),
            Values.settings(profile.mapping("env")),
            Values.settings(profile.mapping("overrides")));
    return profile.text("base").orElse("deployed").equals("no-env")
        ? new Profile(
            name,
            Profile.Base.NO_ENV,
            deployed.flags(),
            deployed.env(),
            deployed.overrides(),
            List.of())
        : deployed;
  }

  /**
   * Characters that would break the list of all flags: a space ends a value, and quotes and
   * backslashes change where it ends.
   */
  private static final Pattern SPLITS = Pattern.compile("[\\s'\"\\\\]");

  /** Why a flag's value would be read as more than one value; empty if it is fine. */
  static Optional<String> split(String value) {
    return SPLITS.matcher(value).find() || Unseen.isIn(value)
        ? Optional.of("expected a value without spaces, quotes and backslashes")
        : Optional.empty();
  }

  /** Checks values by type: XLA ends a program when it cannot parse a flag's value. */
  void checkValues(Collection<Catalog> catalogs) {
    Map<String, Catalog.Type> types = new HashMap<>();
    catalogs.stream()
        .flatMap(catalog -> catalog.entries().stream())
        .filter(entry -> entry.target() == Catalog.Target.FLAG)
        .forEach(entry -> types.putIfAbsent(entry.setting(), entry.type()));
    for (String profile : named.entries().keySet()) {
      checkEnvironment(named.mapping(profile).mapping("env"), problems);
      Yaml.Mapping flags = named.mapping(profile).mapping("flags");
      for (String flag : flags.entries().keySet()) {
        Optional<Catalog.Type> type = Optional.ofNullable(types.get(flag));
        flags
            .scalar(flag)
            .ifPresent(
                value ->
                    split(value.text())
                        .or(() -> type.flatMap(t -> CatalogFile.misfit(t, value.text())))
                        .ifPresent(
                            expected ->
                                problems.add(
                                    value.place(), flag + " is '" + value.text() + "'", expected)));
      }
    }
  }

  /**
   * Refuses values that cannot be compared later: a job prints its environment with one line for
   * each variable.
   */
  static void checkEnvironment(Yaml.Mapping env, Problems problems) {
    for (String name : env.entries().keySet()) {
      env.scalar(name)
          .filter(value -> Unseen.isIn(value.text()))
          .ifPresent(
              value ->
                  problems.add(
                      value.place(),
                      name + " is '" + Unseen.onOneLine(value.text()) + "'",
                      "expected a value of one line without control characters"));
    }
  }

  /** Flags that look like misspelt ones of the catalogs, although they may be right. */
  List<Problem> doubtfulFlags(Collection<Catalog> catalogs, String expected) {
    List<String> known =
        catalogs.stream()
            .flatMap(catalog -> catalog.entries().stream())
            .flatMap(entry -> entry.candidates().stream())
            .flatMap(profile -> profile.flags().keySet().stream())
            .distinct()
            .toList();
    List<Problem> doubtful = new ArrayList<>();
    for (String name : named.entries().keySet()) {
      for (Yaml.YamlEntry flag : named.mapping(name).mapping("flags").entries().values()) {
        Nearest.to(flag.key(), known)
            .filter(near -> !known.contains(flag.key()))
            .filter(near -> Nearest.distance(flag.key(), near) <= MOST_SLIPS)
            .ifPresent(
                near ->
                    doubtful.add(
                        new Problem(
                            flag.keyPlace(),
                            "no catalog has the flag '" + flag.key() + "'",
                            expected,
                            Optional.of(near))));
      }
    }
    return doubtful;
  }

  /** The workload's settings in each profile, with their paths from a sweep file's root. */
  List<SweepSettings.Section> overrides() {
    return named.entries().keySet().stream()
        .map(
            name ->
                section(
                    List.of("profiles", name, "overrides"),
                    named.mapping(name).mapping("overrides")))
        .toList();
  }

  static SweepSettings.Section section(List<String> path, Yaml.Mapping mapping) {
    LinkedHashMap<String, Optional<String>> values = new LinkedHashMap<>();
    mapping.entries().keySet().forEach(key -> values.put(key, mapping.text(key)));
    return new SweepSettings.Section(path, values);
  }
}
