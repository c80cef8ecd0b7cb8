package io.nightsweep.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a person requests for a sweep, through any door. It is journaled before it takes effect. */
public sealed interface Command {
  /** Submit nothing more until resumed; running jobs end and are measured. */
  record Pause() implements Command {}

  /**
   * Go on after a pause or a halt.
   *
   * @param nodelist another pinned nodelist, on which everything is measured anew
   * @param withoutProfile a profile to leave out from now on
   */
  record Resume(Optional<List<String>> nodelist, Optional<String> withoutProfile)
      implements Command {}

  /**
   * End the sweep: running jobs are allowed to end ({@code DRAIN}) or cancelled ({@code CANCEL}).
   */
  record Stop(Mode mode) implements Command {
    public enum Mode {
      DRAIN,
      CANCEL
    }
  }

  record SkipProfile(String profile) implements Command {}

  /**
   * Adds profiles to the running sweep. They are tried in a separate wave, whatever the search has
   * found so far.
   */
  record AddProfiles(List<Profile> profiles) implements Command {
    public AddProfiles {
      profiles = List.copyOf(profiles);
    }
  }

  /** Replaces the limits that are given; the others stay. */
  record SetBudget(Optional<Integer> jobs, Optional<Duration> duration, Optional<Double> nodeHours)
      implements Command {}

  /** One run of the winner on real data, after the sweep and outside its leaderboard. */
  record Validate() implements Command {}

  /** Yes to a question. */
  record Approve(String question) implements Command {}

  /** No to a question. */
  record Deny(String question) implements Command {}

  /** Who sent the command, and through which door. */
  record Origin(Door door, String who) {
    public enum Door {
      CLI,
      TELEGRAM,
      MCP,
      HTTP,
      DAEMON,
      /** A language model, through the daemon that queried it. */
      LLM
    }
  }
}
