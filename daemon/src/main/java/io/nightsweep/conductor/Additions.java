package io.nightsweep.conductor;

import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
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
  public static Optional<Statement> refusal(SweepState s, List<Profile> profiles) {
    if (profiles.isEmpty() || profiles.size() > MOST) {
      return Optional.of(Statement.phrase("add-count", MOST));
    }
    return phase(s)
        .or(() -> wave(s))
        .or(() -> duplicate(s, profiles))
        .or(() -> flag(s, profiles))
        .or(() -> setting(s, profiles));
  }

  private static Optional<Statement> phase(SweepState s) {
    return s.phase() instanceof Phase.Stopping
        ? Optional.of(Statement.phrase("add-stopping", s.sweep()))
        : Optional.empty();
  }

  /** Refuses profiles that could no longer be confirmed in this sweep. */
  private static Optional<Statement> wave(SweepState s) {
    List<WaveState> confirming = s.waves().stream().filter(w -> w.is(Wave.Kind.CONFIRM)).toList();
    boolean over = !confirming.isEmpty() && confirming.stream().noneMatch(WaveState::isUnfinished);
    return over ? Optional.of(Statement.phrase("add-confirmed", s.sweep())) : Optional.empty();
  }

  /** A dropped profile may return under another name. */
  private static Optional<Statement> duplicate(SweepState s, List<Profile> profiles) {
    Map<String, String> nameByHash = new HashMap<>();
    s.profiles().values().stream()
        .filter(p -> !s.isDropped(p.name()))
        .forEach(p -> nameByHash.put(p.hash(), p.name()));
    Set<String> names =
        s.profiles().values().stream().map(Profile::name).collect(Collectors.toSet());
    for (Profile profile : profiles) {
      if (!names.add(profile.name())) {
        return Optional.of(Statement.phrase("add-name", s.sweep(), profile.name()));
      }
      String same = nameByHash.putIfAbsent(profile.hash(), profile.name());
      if (same != null) {
        return Optional.of(Statement.phrase("add-same", profile.name(), same));
      }
    }
    return Optional.empty();
  }

  /** Refuses a profile with a flag that the build does not know, according to the probe. */
  private static Optional<Statement> flag(SweepState s, List<Profile> profiles) {
    Set<String> unknown =
        s.findings().stream().flatMap(f -> f.unknownFlags().stream()).collect(Collectors.toSet());
    return profiles.stream()
        .flatMap(
            p ->
                p.flags().keySet().stream()
                    .filter(unknown::contains)
                    .map(flag -> Statement.phrase("add-flag", flag, p.name())))
        .findFirst();
  }

  /** Refuses settings that the program does not have, according to the probe. */
  private static Optional<Statement> setting(SweepState s, List<Profile> profiles) {
    return profiles.stream()
        .flatMap(
            p ->
                KnownSettings.missing(s, p).stream()
                    .map(name -> Statement.phrase("add-setting", name, p.name())))
        .findFirst();
  }
}
