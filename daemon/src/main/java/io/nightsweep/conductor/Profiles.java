package io.nightsweep.conductor;

import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Drops profiles from the sweep: because people want them left out, or because they have lost. */
final class Profiles {
  private Profiles() {}

  static List<Decision> leave(View view) {
    SweepState s = view.state();
    List<Decision> unknown = withoutUnknownSettings(s);
    unknown.addAll(withoutUnknownFlags(s));
    return unknown.isEmpty() ? skipped(s) : unknown;
  }

  /**
   * Drops profiles with a setting that the program does not have: each of their jobs would end
   * before the first step.
   */
  private static List<Decision> withoutUnknownSettings(SweepState s) {
    List<Decision> decisions = new ArrayList<>();
    for (String name : s.profileOrder()) {
      List<String> missing =
          s.isDropped(name) ? List.of() : KnownSettings.missing(s, s.profile(name));
      if (!missing.isEmpty() && !s.profile(name).isBaseline()) {
        decisions.add(
            new Decision.Append(
                new Event.ProfileDropped(
                    name,
                    DropCause.UNSUPPORTED,
                    new Cause.Unsupported(
                        Statement.phrase("unknown-setting", String.join(", ", missing)))),
                Statement.phrase("because-probe")));
      }
    }
    return decisions;
  }

  /** Removes flags that a probe found unknown to the build from all profiles. */
  private static List<Decision> withoutUnknownFlags(SweepState s) {
    Set<String> unknown =
        s.findings().stream()
            .flatMap(f -> f.unknownFlags().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    if (unknown.isEmpty()) {
      return List.of();
    }
    return s.profileOrder().stream()
        .filter(name -> !s.isDropped(name))
        .map(s::profile)
        .filter(p -> KnownSettings.missing(s, p).isEmpty())
        .filter(p -> !refused(p, unknown).isEmpty())
        .<Decision>map(
            p -> new Decision.Append(without(p, unknown), Statement.phrase("because-probe")))
        .toList();
  }

  /**
   * The profile's flags that the build rejects: an unknown flag by name, an unparsable one as
   * name=value.
   */
  private static List<String> refused(Profile profile, Set<String> unknown) {
    return profile.flags().entrySet().stream()
        .flatMap(e -> Stream.of(e.getKey(), e.getKey() + "=" + e.getValue()))
        .filter(unknown::contains)
        .toList();
  }

  private static Event without(Profile profile, Set<String> unknown) {
    List<String> unparsed =
        refused(profile, unknown).stream().filter(flag -> flag.contains("=")).toList();
    if (!unparsed.isEmpty() && !profile.isBaseline()) {
      return new Event.ProfileDropped(
          profile.name(),
          DropCause.UNSUPPORTED,
          new Cause.Unsupported(Statement.phrase("unparsed", String.join(", ", unparsed))));
    }
    Profile amended = profile;
    List<String> gone = profile.flags().keySet().stream().filter(unknown::contains).toList();
    for (String flag : gone) {
      amended = amended.withoutFlag(flag);
    }
    return amended.flags().isEmpty() && amended.env().isEmpty() && amended.overrides().isEmpty()
        ? new Event.ProfileDropped(
            profile.name(), DropCause.UNSUPPORTED, new Cause.UnknownFlags(gone))
        : new Event.ProfileAmended(amended);
  }

  private static List<Decision> skipped(SweepState s) {
    return s.commands().stream()
        .map(record -> skipped(record.command()))
        .flatMap(Optional::stream)
        .filter(name -> s.profiles().containsKey(name) && !s.isDropped(name))
        .filter(name -> !s.profile(name).isBaseline())
        .distinct()
        .<Decision>map(
            name ->
                new Decision.Append(
                    new Event.ProfileDropped(name, DropCause.SKIPPED, new Cause.SkippedByCommand()),
                    Statement.phrase("because-left-out")))
        .toList();
  }

  /**
   * Drops profiles that have already lost or compute something other than the baseline. A running
   * job is judged by its steps so far, once they are steady.
   */
  static List<Decision> race(View view) {
    SweepState s = view.state();
    if (!s.attempts().anyMatch(a -> a.measurement().isPresent())) {
      return List.of();
    }
    List<Decision> decisions = new ArrayList<>();
    Map<String, Cause.OtherResult> unsafe = view.unsafe();
    unsafe.forEach((profile, why) -> drop(s, profile, DropCause.UNSAFE, why, decisions));
    for (RacingAdvice.Drop drop : Racing.drops(view.board())) {
      if (!unsafe.containsKey(drop.profile())
          && !drop.profile().equals(Profile.BASELINE_NO_ENV)
          && !Repeats.isAwaited(view, drop.profile())
          && !Programs.isAwaited(view, drop.profile())) {
        drop(s, drop.profile(), DropCause.RACED_OUT, drop.why(), decisions);
      }
    }
    for (TrialState t : s.open().values()) {
      if (t.trial().purpose() == Trial.Purpose.SCREEN
          && t.trial().configTag().equals(s.spec().primaryTag().name())
          && !t.trial().profile().equals(Profile.BASELINE_NO_ENV)) {
        t.lastAttempt()
            .filter(AttemptState::isRunning)
            .flatMap(a -> Standings.lostAlready(s, a, view))
            .ifPresent(why -> drop(s, t.trial().profile(), DropCause.RACED_OUT, why, decisions));
      }
    }
    return decisions;
  }

  private static void drop(
      SweepState s, String profile, DropCause cause, Cause why, List<Decision> decisions) {
    if (!s.isDropped(profile) && !s.profile(profile).isBaseline()) {
      decisions.add(
          new Decision.Append(
              new Event.ProfileDropped(profile, cause, why),
              Statement.phrase("because-no-more-job")));
    }
  }

  private static Optional<String> skipped(Command command) {
    return switch (command) {
      case Command.SkipProfile c -> Optional.of(c.profile());
      case Command.Resume c -> c.withoutProfile();
      case Command.AddProfiles c -> Optional.empty();
      case Command.Pause c -> Optional.empty();
      case Command.Stop c -> Optional.empty();
      case Command.SetBudget c -> Optional.empty();
      case Command.Validate c -> Optional.empty();
      case Command.Approve c -> Optional.empty();
      case Command.Deny c -> Optional.empty();
    };
  }
}
