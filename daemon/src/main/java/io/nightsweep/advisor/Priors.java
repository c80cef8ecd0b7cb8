package io.nightsweep.advisor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
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
 * Orders profiles by what they gained on other parallelisms and in earlier nights of the same cell.
 * Effects change sign between cells, so this only changes the order: no profile is left out and
 * verdicts do not use it. Profiles that gained are screened in an earlier wave; those that lost or
 * were refuted come later, where the budget may end first.
 */
public final class Priors {
  private Priors() {}

  /**
   * The same sweep, with the profiles of split waves ({@code flags-1}, {@code flags-2}) in this
   * order. Each wave keeps its size; the order inside a wave stays random.
   *
   * @param logGains by the profile's hash; an unknown profile counts as 0
   * @param named settings, as {@code name=value}, from people's notes: a profile with one of these
   *     comes before other unknown ones
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
              Statement.phrase("why-priors", wave.why())));
    }
  }

  private static List<Wave> joined(List<Wave> first, List<Wave> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static String family(Wave wave) {
    return wave.name().replaceFirst("-\\d+$", "") + wave.when();
  }
}
