package io.nightsweep.sweep;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The profiles of a sweep.
 *
 * @param order their names in the order in which they joined
 * @param dropped the profiles that left, by name
 */
record Roster(
    PMap<String, Profile> profiles,
    PVector<String> order,
    PMap<String, Event.ProfileDropped> dropped) {

  static Roster empty() {
    return new Roster(HashTreePMap.empty(), TreePVector.empty(), HashTreePMap.empty());
  }

  /** Adds a profile, or replaces the one with the same name. */
  Roster with(Profile profile) {
    return new Roster(
        profiles.plus(profile.name(), profile),
        profiles.containsKey(profile.name()) ? order : order.plus(profile.name()),
        dropped);
  }

  /** Replaces the plan's profiles by those of an alternative; profiles in both stay as they are. */
  Roster led(List<Profile> before, List<Profile> now) {
    Set<String> stay = now.stream().map(Profile::name).collect(Collectors.toSet());
    Roster led = this;
    for (Profile profile : before) {
      if (!stay.contains(profile.name())) {
        led =
            new Roster(
                led.profiles.minus(profile.name()),
                led.order.minus(profile.name()),
                led.dropped.minus(profile.name()));
      }
    }
    for (Profile profile : now) {
      led = led.profiles.containsKey(profile.name()) ? led : led.with(profile);
    }
    return led;
  }

  Roster without(Event.ProfileDropped drop) {
    return new Roster(profiles, order, dropped.plus(drop.profile(), drop));
  }

  /** Takes back dropped profiles for which a trial is planned once more. */
  Roster takenBack(List<Trial> planned) {
    PMap<String, Event.ProfileDropped> left = dropped;
    for (Trial trial : planned) {
      left = left.minus(trial.profile());
    }
    return left == dropped ? this : new Roster(profiles, order, left);
  }

  /** Restores the profiles that were raced out, since only figures of the old nodes led to that. */
  Roster beforeTheRace() {
    PMap<String, Event.ProfileDropped> kept = dropped;
    for (Event.ProfileDropped drop : dropped.values()) {
      if (drop.cause() == Event.ProfileDropped.DropCause.RACED_OUT) {
        kept = kept.minus(drop.profile());
      }
    }
    return new Roster(profiles, order, kept);
  }
}
