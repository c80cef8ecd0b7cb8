package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Gives candidates another run that failed of what then halted the sweep. Once a person has resumed
 * it, the cause is gone, and it was not theirs: between their failure and the halt nothing was
 * measured, not even the baseline.
 */
final class CommonCause {
  private CommonCause() {}

  /** Plans the runs in the wave that the halt interrupted; {@code Fold} takes the profiles back. */
  static List<Decision> plan(View view) {
    SweepState s = view.state();
    Optional<Instant> resumed = RemedyLimits.lastResume(s);
    if (resumed.isEmpty()) {
      return List.of();
    }
    Set<String> halting = halting(s, resumed.get());
    return s.waves().stream()
        .filter(WaveState::isOpen)
        .flatMap(wave -> again(s, wave, halting, resumed.get()).stream())
        .toList();
  }

  private static List<Decision> again(
      SweepState s, WaveState wave, Set<String> halting, Instant resumed) {
    List<Trial> lost =
        wave.trials().stream()
            .map(s::trial)
            .filter(t -> isLost(s, t, halting, resumed))
            .map(TrialState::trial)
            .toList();
    if (lost.isEmpty()) {
      return List.of();
    }
    Blocks blocks = new Blocks(s, wave.wave().name());
    lost.stream()
        .collect(Collectors.groupingBy(Trial::configTag, TreeMap::new, Collectors.toList()))
        .forEach(
            (tag, trials) ->
                blocks.after(
                    tag, trials.stream().map(Trial::profile).distinct().toList(), Purpose.SCREEN));
    return Waves.planned(
        wave.wave(),
        blocks.trials(),
        Statement.phrase("because-common-cause", String.join(", ", halting)));
  }

  /** The classes of failures whose remedy halted the sweep before it was last resumed. */
  private static Set<String> halting(SweepState s, Instant resumed) {
    return s.attempts()
        .flatMap(a -> a.remedy().stream())
        .filter(r -> r.ended().filter(Remedy.Then.HALT::equals).isPresent())
        .filter(r -> r.begunAt().isBefore(resumed))
        .map(AttemptState.RemedyState::failureClass)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isLost(SweepState s, TrialState t, Set<String> halting, Instant resumed) {
    Event.ProfileDropped dropped = s.dropped().get(t.trial().profile());
    return dropped != null
        && dropped.cause() == DropCause.FAILED
        && dropped.why() instanceof Cause.FailedAs why
        && halting.contains(why.failureClass())
        && t.trial().purpose() == Purpose.SCREEN
        && t.disposition().filter(Disposition.Failed.class::isInstance).isPresent()
        && !hasRunSince(s, t.trial().profile(), resumed)
        && !isLeftOut(s, t.trial().profile())
        && t.lastAttempt()
            .map(AttemptState::intendedAt)
            .filter(at -> at.isBefore(resumed) && !isAnyMeasuredBetween(s, at, resumed))
            .isPresent();
  }

  /** What failed again after the repair failed of its own. */
  private static boolean hasRunSince(SweepState s, String profile, Instant resumed) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(profile))
        .anyMatch(t -> t.lastAttempt().filter(a -> !a.intendedAt().isBefore(resumed)).isPresent());
  }

  private static boolean isAnyMeasuredBetween(SweepState s, Instant from, Instant to) {
    return s.attempts()
        .filter(a -> a.measurement().isPresent())
        .map(AttemptState::intendedAt)
        .anyMatch(at -> at.isAfter(from) && at.isBefore(to));
  }

  /** A person who resumes without a profile, or skips it, has judged otherwise. */
  private static boolean isLeftOut(SweepState s, String profile) {
    return s.commands().stream()
        .map(SweepState.CommandRecord::command)
        .anyMatch(
            c ->
                (c instanceof Command.Resume resume
                        && resume.withoutProfile().filter(profile::equals).isPresent())
                    || (c instanceof Command.SkipProfile skip && skip.profile().equals(profile)));
  }
}
