package io.nightsweep.conductor;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Profiles that people want left out. */
final class Profiles {
  private Profiles() {}

  static List<Decision> leave(SweepState s, Instant now) {
    return s.commands().stream()
        .map(record -> skipped(record.command()))
        .flatMap(Optional::stream)
        .filter(name -> s.profiles().containsKey(name) && !s.isDropped(name))
        .filter(name -> !s.profile(name).isBaseline())
        .distinct()
        .<Decision>map(
            name ->
                new Decision.Append(
                    new Event.ProfileDropped(name, DropCause.SKIPPED, "skipped by command"),
                    "a command asks to leave the profile out"))
        .toList();
  }

  private static Optional<String> skipped(Command command) {
    return switch (command) {
      case Command.SkipProfile c -> Optional.of(c.profile());
      case Command.Resume c -> c.withoutProfile();
      case Command.Pause c -> Optional.empty();
      case Command.Stop c -> Optional.empty();
      case Command.SetBudget c -> Optional.empty();
      case Command.Approve c -> Optional.empty();
      case Command.Deny c -> Optional.empty();
    };
  }
}
