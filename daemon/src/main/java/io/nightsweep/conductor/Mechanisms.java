package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Applies the evidence to the candidates: which cannot matter, and which come first. */
final class Mechanisms {
  /** How long the flag waves wait for the evidence; after this time they start without it. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private static final Pattern NUMBER = Pattern.compile("-\\d+$");

  private static final String WHILE_LOOP = "while-loop";

  private Mechanisms() {}

  /** Whether candidates must wait for the evidence of a profiled run. */
  static boolean areAwaited(View view) {
    return view.state()
        .countingTrials()
        .filter(t -> t.trial().purpose() == Purpose.EVIDENCE)
        .anyMatch(t -> t.isOpen() || isUnread(view, t));
  }

  private static boolean isUnread(View view, TrialState t) {
    Optional<AttemptState> last = t.lastAttempt();
    return last.filter(AttemptState::hasSucceeded).isPresent()
        && view.state().findings().stream()
            .noneMatch(f -> f.attempt().equals(last.get().id()) && !f.is(Finding.CHANGED))
        && last.get().end().map(e -> view.now().isBefore(e.endedAt().plus(PATIENCE))).orElse(false);
  }

  /**
   * Drops candidates whose mechanisms do not occur in the compiled step, and candidates that change
   * nothing.
   */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    Optional<Finding> seen = LastFindings.last(s, Finding.MECHANISMS);
    Set<String> tried = tried(s);
    List<Decision> decisions = new ArrayList<>();
    seen.ifPresent(
        finding ->
            s.spec()
                .plan()
                .candidates()
                .forEach(
                    (profile, candidate) -> {
                      if (s.profiles().containsKey(profile)
                          && !s.isDropped(profile)
                          && !tried.contains(profile)) {
                        missing(candidate, finding)
                            .ifPresent(why -> decisions.add(drop(profile, why, finding)));
                      }
                    }));
    if (decisions.isEmpty()) {
      s.spec().plan().candidates().keySet().stream()
          .filter(p -> s.profiles().containsKey(p) && !s.isDropped(p) && !tried.contains(p))
          .forEach(
              p ->
                  Inherited.sets(s, s.profile(p))
                      .ifPresent(where -> decisions.add(drop(p, where))));
    }
    return decisions;
  }

  /** The profiles that this wave tries, chosen from the untried profiles of its family. */
  static List<String> ranked(SweepState s, Wave wave) {
    Optional<String> dominant = dominant(s);
    List<WaveState> family = family(s, wave);
    Set<String> putOff = Fit.putOff(s);
    if ((dominant.isEmpty() && putOff.isEmpty()) || family.size() < 2) {
      return wave.profiles().stream().filter(p -> !s.isDropped(p)).toList();
    }
    List<String> pool = untried(s, family);
    long left = family.stream().filter(WaveState::isPending).count();
    long first = pool.stream().filter(p -> !putOff.contains(p)).count();
    return pool.stream()
        .sorted(
            Comparator.comparing((String p) -> putOff.contains(p))
                .thenComparing(p -> dominant.filter(d -> !ActsOn.acts(s, p, d)).isPresent()))
        .limit(left > 1 ? Math.max(1, first / left) : pool.size())
        .toList();
  }

  static List<WaveState> family(SweepState s, Wave wave) {
    return s.waves().stream()
        .filter(w -> w.is(Wave.Kind.SCREEN))
        .filter(w -> family(w.wave().name()).equals(family(wave.name())))
        .toList();
  }

  /** The family's profiles that no wave of the family has tried yet. */
  static List<String> untried(SweepState s, List<WaveState> family) {
    Set<String> tried =
        family.stream()
            .flatMap(w -> w.trials().stream())
            .map(t -> s.trial(t).trial().profile())
            .collect(Collectors.toSet());
    return family.stream()
        .filter(w -> w.skipped().isEmpty())
        .flatMap(w -> w.wave().profiles().stream())
        .filter(p -> !s.isDropped(p) && !tried.contains(p))
        .distinct()
        .toList();
  }

  /** The name of the largest cost of the baseline apart from compute. */
  static Optional<String> dominant(SweepState s) {
    return LastFindings.last(s, Finding.DOMINANT)
        .flatMap(Finding::largestCost)
        .map(Finding.LargestCost::name);
  }

  /** The mechanisms of the entry that the step lacks: all its collectives, or its loop. */
  private static Optional<List<String>> missing(Plan.Candidate candidate, Finding seen) {
    List<String> named =
        candidate.mechanisms().stream().filter(ActsOn.COLLECTIVES::contains).toList();
    if (!named.isEmpty() && named.stream().noneMatch(seen::shows)) {
      return Optional.of(named);
    }
    return candidate.mechanisms().contains(WHILE_LOOP) && !seen.figures().containsKey(WHILE_LOOP)
        ? Optional.of(List.of(WHILE_LOOP))
        : Optional.empty();
  }

  private static Decision drop(String profile, List<String> missing, Finding finding) {
    return new Decision.Append(
        new Event.ProfileDropped(
            profile, DropCause.NO_MECHANISM, new Cause.NoMechanism(missing, finding.sources())),
        Statement.phrase("because-acts-on-nothing"));
  }

  private static Decision drop(String profile, List<String> where) {
    return new Decision.Append(
        new Event.ProfileDropped(profile, DropCause.ALREADY_SET, new Cause.AlreadySet(where)),
        Statement.phrase("because-once-more"));
  }

  /** Profiles for which at least one job was planned. */
  static Set<String> tried(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> !t.attempts().isEmpty())
        .map(t -> t.trial().profile())
        .collect(Collectors.toSet());
  }

  /** The family of a wave: {@code flags} for {@code flags-3}. */
  static String family(String wave) {
    return NUMBER.matcher(wave).replaceFirst("");
  }
}
