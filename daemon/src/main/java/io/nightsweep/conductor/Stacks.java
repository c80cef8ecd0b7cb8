package io.nightsweep.conductor;

import io.nightsweep.measure.Racing;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Chooses which single profiles are combined: leading ones that do not conflict. */
final class Stacks {
  /** The most single profiles in a stack. */
  private static final int PARTS = 3;

  private Stacks() {}

  /**
   * The stacks worth a run, the smaller first; empty if fewer than two single profiles fit
   * together.
   */
  static List<Profile> of(View view) {
    SweepState s = view.state();
    List<Profile> parts = new ArrayList<>();
    for (Standing standing : Search.contenders(view)) {
      Profile single = s.profile(standing.profile());
      if (parts.size() < PARTS
          && single.parts().isEmpty()
          && Racing.isConvincing(standing)
          && parts.stream().allMatch(part -> fit(s, part, single))) {
        parts.add(single);
      }
    }
    if (parts.size() < 2) {
      return List.of();
    }
    Set<String> known =
        s.profiles().values().stream().map(Profile::hash).collect(Collectors.toSet());
    List<Profile> stacks = new ArrayList<>();
    for (int count = 2; count <= parts.size(); count++) {
      Profile stack =
          parts.subList(1, count).stream().reduce(parts.getFirst(), Profile::stackedWith);
      if (known.add(stack.hash())) {
        stacks.add(stack);
      }
    }
    return stacks;
  }

  /** Profiles do not stack if they set the same setting or if a catalog declares a conflict. */
  static boolean fit(SweepState s, Profile one, Profile other) {
    boolean share =
        sharesAKey(one.flags(), other.flags())
            || sharesAKey(one.env(), other.env())
            || sharesAKey(one.overrides(), other.overrides());
    return !share
        && one.base() == other.base()
        && !conflict(s, one, other)
        && !conflict(s, other, one);
  }

  private static boolean sharesAKey(Map<String, String> one, Map<String, String> other) {
    return one.keySet().stream().anyMatch(other::containsKey);
  }

  /** Compares settings, since catalogs do not name refined values or profiles that people wrote. */
  private static boolean conflict(SweepState s, Profile one, Profile other) {
    Set<String> ofOther =
        ActsOn.entries(s, other).map(Catalog.CatalogEntry::id).collect(Collectors.toSet());
    return ActsOn.entries(s, one)
        .flatMap(entry -> entry.conflicts().stream())
        .anyMatch(ofOther::contains);
  }
}
