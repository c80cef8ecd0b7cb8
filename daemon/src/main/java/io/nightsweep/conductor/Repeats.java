package io.nightsweep.conductor;

import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.util.List;
import java.util.Optional;

/**
 * Runs a profile once more in the same wave if its only run may be a straggler, since one slow run
 * must not drop a profile for good. Fresh runs of a confirmation are topped up instead.
 */
final class Repeats {
  private Repeats() {}

  /** Plans a second run before a profile may be dropped; one profile at a time. */
  static List<Decision> plan(View view) {
    SweepState s = view.state();
    if (!s.attempts().anyMatch(a -> a.measurement().isPresent())) {
      return List.of();
    }
    return Racing.lost(view.board()).stream()
        .map(RacingAdvice.Drop::profile)
        .filter(profile -> !s.isDropped(profile) && !profile.equals(Profile.BASELINE_NO_ENV))
        .filter(view.comparison()::isSuspect)
        .flatMap(profile -> repeat(s, profile).stream())
        .findFirst()
        .stream()
        .toList();
  }

  /** Whether a second run that may clear the profile is due, planned or in progress. */
  static boolean isAwaited(View view, String profile) {
    if (!view.comparison().isSuspect(profile)) {
      return false;
    }
    SweepState s = view.state();
    List<TrialState> own = firstLooks(s, profile);
    return own.stream().anyMatch(TrialState::isOpen)
        || (own.size() == 1 && isWaveOpen(s, own.getFirst()));
  }

  static boolean isAnyAwaited(View view) {
    return view.state().profileOrder().stream().anyMatch(p -> isAwaited(view, p));
  }

  private static Optional<Decision> repeat(SweepState s, String profile) {
    List<TrialState> own = firstLooks(s, profile);
    if (own.size() != 1 || own.getFirst().isOpen() || !isWaveOpen(s, own.getFirst())) {
      return Optional.empty();
    }
    Trial first = own.getFirst().trial();
    Blocks blocks = new Blocks(s, first.wave());
    blocks.after(first.configTag(), List.of(profile), Purpose.SCREEN);
    return Waves.planned(
            s.wave(first.wave()).orElseThrow().wave(),
            blocks.trials(),
            because(s, own.getFirst(), profile))
        .stream()
        .findFirst();
  }

  private static Statement because(SweepState s, TrialState only, String profile) {
    return s.strains().stream()
        .filter(e -> e.attempt().trial().equals(only.trial().id()))
        .map(e -> e.strain().node())
        .findFirst()
        .map(node -> Statement.phrase("because-straggler-node", profile, node))
        .orElseGet(() -> Statement.phrase("because-straggler", profile));
  }

  private static List<TrialState> firstLooks(SweepState s, String profile) {
    return s.countingTrials()
        .filter(t -> t.trial().purpose() == Purpose.SCREEN)
        .filter(t -> t.trial().configTag().equals(s.spec().primaryTag().name()))
        .filter(t -> t.trial().profile().equals(profile))
        .toList();
  }

  private static boolean isWaveOpen(SweepState s, TrialState t) {
    return s.wave(t.trial().wave()).filter(WaveState::isOpen).isPresent();
  }
}
