package io.nightsweep.conductor;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds which settings of a profile act on a cost, from what the sweep's catalogs know about each
 * setting. The same rule orders candidates and explains a winner. It looks at the settings and not
 * at the profile's name, so it also works for stacks, refined values and profiles that people
 * wrote.
 */
public final class ActsOn {
  /** What is sent between devices, as named in the catalogs. */
  static final Set<String> COLLECTIVES =
      Set.of(
          "all-gather",
          "reduce-scatter",
          "all-reduce",
          "collective-permute",
          "all-to-all",
          "ragged-all-to-all",
          "async-collective");

  /** Mechanisms that apply to collectives of every kind. */
  private static final Set<String> OF_ANY_COLLECTIVE = Set.of("async-collective", "net-transport");

  private static final Set<String> OF_COMPUTE = Set.of("dot", "gemm");

  /** The cost of a waiting device: pipeline bubbles and late collectives. */
  private static final String IDLE = "idle";

  private static final String BUBBLE = "pipeline-bubble";

  private ActsOn() {}

  /**
   * @param cost a name of {@link Finding#DOMINANT}
   */
  static boolean acts(SweepState s, String profile, String cost) {
    return s.profiles().containsKey(profile)
        ? !settings(s, s.profile(profile), cost).isEmpty()
        : mechanisms(s.spec().plan().candidates().get(profile)).anyMatch(m -> isOf(m, cost));
  }

  /** The profile's settings, as {@code name=value}, that act on the cost. */
  public static List<String> settings(SweepState s, Profile profile, String cost) {
    Map<String, Set<String>> known = known(s, profile);
    return set(profile).entrySet().stream()
        .filter(e -> known.getOrDefault(e.getKey(), Set.of()).stream().anyMatch(m -> isOf(m, cost)))
        .map(e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + "=" + e.getValue())
        .toList();
  }

  static boolean isOf(Catalog.CatalogEntry entry, String cost) {
    return entry.mechanisms().stream().anyMatch(m -> isOf(m, cost));
  }

  private static boolean isOf(String mechanism, String named) {
    String cost = Finding.mechanism(named);
    return mechanism.equals(cost)
        || (COLLECTIVES.contains(cost) && OF_ANY_COLLECTIVE.contains(mechanism))
        || (cost.equals("compute") && OF_COMPUTE.contains(mechanism))
        || (cost.equals(IDLE) && mechanism.equals(BUBBLE));
  }

  /** For each setting of the profile, by name: what the catalogs say about it. */
  private static Map<String, Set<String>> known(SweepState s, Profile profile) {
    Map<String, Set<String>> known = new LinkedHashMap<>();
    entries(s, profile)
        .forEach(
            entry ->
                together(entry)
                    .forEach(
                        name ->
                            known
                                .computeIfAbsent(name, n -> new TreeSet<>())
                                .addAll(entry.mechanisms())));
    // Without a catalog, a plan names the costs that a candidate acts on as a whole, not per
    // setting.
    List<String> names = profile.parts().isEmpty() ? List.of(profile.name()) : profile.parts();
    Set<String> ofThePlan =
        names.stream()
            .flatMap(name -> mechanisms(s.spec().plan().candidates().get(name)))
            .collect(Collectors.toSet());
    if (known.isEmpty()) {
      set(profile).keySet().forEach(name -> known.put(name, ofThePlan));
    }
    return known;
  }

  /** The catalog entries for the settings of the profile, regardless of their values. */
  static Stream<Catalog.CatalogEntry> entries(SweepState s, Profile profile) {
    Set<String> set = set(profile).keySet();
    return s.spec().catalogs().stream()
        .flatMap(catalog -> catalog.entries().stream())
        .filter(entry -> set.containsAll(together(entry)));
  }

  /** An entry with several settings applies only to a profile that sets all of them. */
  private static Set<String> together(Catalog.CatalogEntry entry) {
    return Stream.concat(
            Stream.of(entry.setting()),
            entry.candidates().stream().limit(1).flatMap(c -> set(c).keySet().stream()))
        .collect(Collectors.toSet());
  }

  private static Stream<String> mechanisms(Plan.@Nullable Candidate c) {
    return Optional.ofNullable(c).stream().flatMap(known -> known.mechanisms().stream());
  }

  private static SortedMap<String, String> set(Profile profile) {
    TreeMap<String, String> set = new TreeMap<>(profile.flags());
    set.putAll(profile.env());
    set.putAll(profile.overrides());
    return set;
  }
}
