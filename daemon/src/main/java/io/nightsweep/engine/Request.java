package io.nightsweep.engine;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepSpec;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is asked of a daemon over its socket: one JSON line, answered by one {@link Reply}. */
public sealed interface Request {
  record Ping() implements Request {}

  /**
   * @param name what the sweep should be called; a number is added where the name is taken
   * @param sweepFile the file's text, kept beside the journal
   * @param knownGains beyond the plausibility limit, from earlier sweeps: log-gains by the
   *     profile's hash
   */
  record Start(
      String name,
      String sweepFile,
      SweepOrigin origin,
      SweepSpec spec,
      SortedMap<String, Double> knownGains)
      implements Request {
    public Start(String name, String sweepFile, SweepOrigin origin, SweepSpec spec) {
      this(name, sweepFile, origin, spec, new TreeMap<>());
    }
  }

  /**
   * Start a sweep at its hour.
   *
   * @param start its id is not looked at
   */
  record Schedule(ScheduledStart start) implements Request {}

  /** Forget a scheduled start. */
  record Unschedule(int id) implements Request {}

  record Tell(String sweep, Command command, Command.Origin origin) implements Request {}

  /**
   * Open the page, or make another link to the one that is open.
   *
   * @param port where to listen; the one before, or any free one, where it is not given
   */
  record OpenPage(Optional<Integer> port) implements Request {}

  /** Close the page and forget every browser that it let in. */
  record ClosePage() implements Request {}

  /** The sweeps that the daemon drives, and those that it could not take up. */
  record Sweeps() implements Request {}
}
