package io.nightsweep.engine;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepSpec;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A request to a daemon over its socket: one JSON line, answered by one {@link Reply}. */
public sealed interface Request {
  record Ping() implements Request {}

  /**
   * @param name the desired name of the sweep; a number is appended if the name is taken
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
   * Starts a sweep at its scheduled time.
   *
   * @param start its id is ignored
   */
  record Schedule(ScheduledStart start) implements Request {}

  /** Removes a scheduled start. */
  record Unschedule(int id) implements Request {}

  record Tell(String sweep, Command command, Command.Origin origin) implements Request {}

  /**
   * Opens the page, or creates another link to the open page.
   *
   * @param port to listen on; if absent, the previous port or any free one
   */
  record OpenPage(Optional<Integer> port) implements Request {}

  /** Closes the page and logs out every browser. */
  record ClosePage() implements Request {}

  /** Lists the sweeps that the daemon drives and those that it could not resume. */
  record Sweeps() implements Request {}
}
