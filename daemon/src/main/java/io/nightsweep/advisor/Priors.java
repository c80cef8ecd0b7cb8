package io.nightsweep.advisor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a profile gained on other parallelisms, and in earlier nights of the same cell, as an order
 * and nothing more: signs flip between cells, so that nothing is left out for it and no verdict
 * knows of it. What gained is screened in an earlier wave, what lost or was refuted in a later one,
 * where the budget may end first.
 */
public final class Priors {
  private Priors() {}

  /**
   * The same sweep, the profiles of waves that were split ({@code flags-1}, {@code flags-2}) in
   * this order. Each wave keeps its size; inside a wave the order is random as ever.
   *
   * @param logGains by the profile's hash; what is not known counts for nothing
   * @param named settings, as {@code name=value}, that people's notes speak of: a profile of these
   *     comes before an unknown one
   */
  public static SweepSpec order(SweepSpec spec, Map<String, Double> logGains, Set<String> named) {
    Map<String, Double> byName = new HashMap<>();
    for (Profile profile : spec.everyProfile()) {
      if (isOf(profile, named)) {
        byName.put(profile.name(), Double.MIN_VALUE);
      }
      Optional.ofNullable(logGains.get(profile.hash()))
          .ifPresent(g -> byName.put(profile.name(), g));
    }
    return spec.with(spec.plan().withWaves(waves -> ordered(waves, byName)));
  }

  private static List<Wave> ordered(List<Wave> plan, Map<String, Double> byName) {
    Map<String, List<Wave>> families = new LinkedHashMap<>();
    for (Wave wave : plan) {
      if (wave.kind() == Wave.Kind.SCREEN) {
        families.merge(family(wave), List.of(wave), Priors::joined);
      }
    }
    Map<String, Wave> ordered = new HashMap<>();
    families.values().forEach(family -> reorder(family, byName, ordered));
    return plan.stream().map(w -> ordered.getOrDefault(w.name(), w)).toList();
  }

  private static boolean isOf(Profile profile, Set<String> named) {
    List<String> settings =
        Stream.of(profile.flags(), profile.env(), profile.overrides())
            .flatMap(part -> part.entrySet().stream())
            .map(e -> e.getKey() + "=" + e.getValue())
            .toList();
    return !settings.isEmpty() && named.containsAll(settings);
  }

  private static void reorder(
      List<Wave> family, Map<String, Double> gains, Map<String, Wave> into) {
    List<String> profiles = family.stream().flatMap(w -> w.profiles().stream()).toList();
    List<String> best =
        profiles.stream()
            .sorted(Comparator.comparingDouble(p -> -gains.getOrDefault(p, 0.0)))
            .toList();
    if (family.size() < 2 || best.equals(profiles)) {
      return;
    }
    Deque<String> left = new ArrayDeque<>(best);
    for (Wave wave : family) {
      List<String> own = wave.profiles().stream().map(p -> left.removeFirst()).toList();
      into.put(
          wave.name(),
          new Wave(
              wave.name(),
              wave.kind(),
              own,
              wave.when(),
              wave.repetitions(),
              (wave.why() + " In the order of what earlier sweeps and notes tell.").strip()));
    }
  }

  private static List<Wave> joined(List<Wave> first, List<Wave> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static String family(Wave wave) {
    return wave.name().replaceFirst("-\\d+$", "") + wave.when();
  }
}
