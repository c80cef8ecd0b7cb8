package io.nightsweep.conductor;

import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides whether profiles may join a sweep in its present state. */
public final class Additions {
  /** The most profiles in one command; no night can try more. */
  private static final int MOST = 50;

  private Additions() {}

  /** Why all of the profiles are refused; empty if they may join. */
  public static Optional<String> refusal(SweepState s, List<Profile> profiles) {
    if (profiles.isEmpty() || profiles.size() > MOST) {
      return Optional.of("between 1 and " + MOST + " profiles can be added at once");
    }
    return phase(s)
        .or(() -> wave(s))
        .or(() -> duplicate(s, profiles))
        .or(() -> flag(s, profiles))
        .or(() -> setting(s, profiles));
  }

  private static Optional<String> phase(SweepState s) {
    return s.phase() instanceof Phase.Stopping
        ? Optional.of("sweep " + s.sweep() + " is stopping and tries nothing more")
        : Optional.empty();
  }

  /** Refuses profiles that could no longer be confirmed in this sweep. */
  private static Optional<String> wave(SweepState s) {
    List<WaveState> confirming =
        s.waves().stream().filter(w -> w.wave().kind() == Wave.Kind.CONFIRM).toList();
    boolean over =
        !confirming.isEmpty() && confirming.stream().noneMatch(w -> w.isPending() || w.isOpen());
    return over
        ? Optional.of(
            "sweep "
                + s.sweep()
                + " has made its last confirmation; write the profiles into the file of another"
                + " sweep")
        : Optional.empty();
  }

  /** A dropped profile may return under another name. */
  private static Optional<String> duplicate(SweepState s, List<Profile> profiles) {
    Map<String, String> nameByHash = new HashMap<>();
    s.profiles().values().stream()
        .filter(p -> !s.isDropped(p.name()))
        .forEach(p -> nameByHash.put(p.hash(), p.name()));
    Set<String> names =
        s.profiles().values().stream().map(Profile::name).collect(Collectors.toSet());
    for (Profile profile : profiles) {
      if (!names.add(profile.name())) {
        return Optional.of(
            "sweep "
                + s.sweep()
                + " has a profile '"
                + profile.name()
                + "' already; choose another name");
      }
      String same = nameByHash.putIfAbsent(profile.hash(), profile.name());
      if (same != null) {
        return Optional.of(
            "the profile '" + profile.name() + "' sets what '" + same + "' sets already");
      }
    }
    return Optional.empty();
  }

  /** Refuses a profile with a flag that the build does not know, according to the probe. */
  private static Optional<String> flag(SweepState s, List<Profile> profiles) {
    Set<String> unknown =
        s.findings().stream().flatMap(f -> f.unknownFlags().stream()).collect(Collectors.toSet());
    return profiles.stream()
        .flatMap(
            p ->
                p.flags().keySet().stream()
                    .filter(unknown::contains)
                    .map(
                        flag ->
                            "the build does not know "
                                + flag
                                + " of the profile '"
                                + p.name()
                                + "'; the probe job of this sweep has shown that"))
        .findFirst();
  }

  /** Refuses settings that the program does not have, according to the probe. */
  private static Optional<String> setting(SweepState s, List<Profile> profiles) {
    return profiles.stream()
        .flatMap(
            p ->
                KnownSettings.missing(s, p).stream()
                    .map(
                        name ->
                            "the program has no setting "
                                + name
                                + ", which the profile '"
                                + p.name()
                                + "' sets; the probe job of this sweep has shown that"))
        .findFirst();
  }
}
