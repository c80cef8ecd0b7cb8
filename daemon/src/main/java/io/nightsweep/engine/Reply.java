package io.nightsweep.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a daemon answers. */
public sealed interface Reply {
  /**
   * @param build where the daemon's program was built; absent from daemons that do not tell
   */
  record Pong(String version, Optional<String> build, long pid, Instant since) implements Reply {}

  record Started(String sweep) implements Reply {}

  record Scheduled(int id) implements Reply {}

  record Accepted() implements Reply {}

  /** Nothing was done; the reason says what to do instead. */
  record Refused(String reason) implements Reply {}

  /**
   * @param link opens the page once, for whoever has it
   * @param host where the daemon runs
   */
  record PageOpen(String link, String host, int port) implements Reply {}

  /**
   * @param broken sweeps that could not be taken up, with the reason
   * @param chat who is told of them, or why nobody is
   */
  record Hosting(List<Sweep> sweeps, Map<String, String> broken, String chat) implements Reply {
    /**
     * @param storageFailure present while its journal cannot be written
     * @param reportFailure present while a part of its report is older than what it would tell,
     *     with the reason
     * @param hasLooked whether this daemon has looked at the sweep without an error
     * @param sinceGoodTick since it last did so, or since it took the sweep up where it never has
     */
    public record Sweep(
        String id,
        Optional<String> storageFailure,
        Optional<String> reportFailure,
        long queueLatencyMillis,
        boolean hasLooked,
        Duration sinceGoodTick) {}
  }
}
