package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds profiles that compile to a program that already runs: the baseline's program if the flags
 * do nothing, or another profile's. Each costs the one job that showed it.
 */
public final class Programs {
  /** How long a decision waits for a program to be read, from the end of the job that wrote it. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Programs() {}

  /**
   * Drops the profiles whose program already runs, or ran and left the race. Of two profiles with
   * the same program, the first stays.
   */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    Map<String, Finding> runs = new LinkedHashMap<>();
    s.findings().stream()
        .filter(f -> profile(s, f).filter(Profile::isBaseline).isPresent())
        .forEach(f -> f.program().ifPresent(program -> runs.putIfAbsent(program, f)));
    List<Decision> decisions = new ArrayList<>();
    for (Finding f : s.findings()) {
      Optional<Profile> profile =
          profile(s, f)
              .filter(p -> s.spec().tellsProgram(trial(s, f), p) && !p.isBaseline())
              .filter(p -> !s.isDropped(p.name()) || s.isDropped(p.name(), DropCause.RACED_OUT));
      if (f.program().isPresent() && profile.isPresent()) {
        Finding first = runs.putIfAbsent(f.program().get(), f);
        if (first != null && !isOf(s, first, profile.get()) && !s.isDropped(profile.get().name())) {
          decisions.add(drop(profile.get(), owner(s, first), f, first));
        }
      }
    }
    return decisions;
  }

  /** Whether a candidate's program text is still being read. */
  static boolean areAwaited(View view) {
    return awaited(view).findAny().isPresent();
  }

  static boolean isAwaited(View view, String profile) {
    return awaited(view).anyMatch(profile::equals);
  }

  /** Whether the profile compiles to the baseline's program, so that its runs show only noise. */
  public static boolean isInert(SweepState s, String profile) {
    return Optional.ofNullable(s.dropped().get(profile))
        .filter(
            d -> d.why() instanceof Cause.SameProgram same && same.as().equals(Profile.BASELINE))
        .isPresent();
  }

  private static Stream<String> awaited(View view) {
    SweepState s = view.state();
    return isBaselineKnown(s)
        ? s.countingTrials()
            .filter(t -> t.trial().purpose() == Trial.Purpose.SCREEN)
            .filter(t -> s.spec().tellsProgram(t.trial(), s.profile(t.trial().profile())))
            .filter(t -> !s.isDropped(t.trial().profile()) && isUnread(view, t))
            .map(t -> t.trial().profile())
        : Stream.empty();
  }

  private static boolean isBaselineKnown(SweepState s) {
    return s.findings().stream()
        .filter(f -> f.program().isPresent())
        .anyMatch(f -> profile(s, f).filter(Profile::isBaseline).isPresent());
  }

  private static boolean isUnread(View view, TrialState t) {
    Optional<AttemptState> measured = t.lastAttempt().filter(a -> a.measurement().isPresent());
    return measured
            .flatMap(AttemptState::end)
            .filter(end -> view.now().isBefore(end.endedAt().plus(PATIENCE)))
            .isPresent()
        && view.state().findings().stream()
            .noneMatch(f -> f.is(Finding.PROGRAM) && f.attempt().equals(measured.get().id()));
  }

  private static boolean isOf(SweepState s, Finding finding, Profile profile) {
    return owner(s, finding).equals(profile.name());
  }

  private static String owner(SweepState s, Finding finding) {
    return trial(s, finding).profile();
  }

  private static Trial trial(SweepState s, Finding finding) {
    return s.trialOf(finding.attempt());
  }

  /** The profile that the finding is about, in its present form. */
  private static Optional<Profile> profile(SweepState s, Finding finding) {
    return finding.is(Finding.PROGRAM)
        ? Optional.of(s.profile(owner(s, finding)))
        : Optional.empty();
  }

  private static Decision drop(Profile profile, String as, Finding own, Finding first) {
    List<String> sources =
        Stream.concat(own.sources().stream(), first.sources().stream()).distinct().toList();
    return new Decision.Append(
        new Event.ProfileDropped(
            profile.name(), DropCause.SAME_PROGRAM, new Cause.SameProgram(as, sources)),
        Statement.phrase("because-same-program", as));
  }
}
