package io.nightsweep.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A daemon's answer. */
public sealed interface Reply {
  /**
   * @param build where the daemon's program was built; absent from older daemons
   */
  record Pong(String version, Optional<String> build, long pid, Instant since) implements Reply {}

  record Started(String sweep) implements Reply {}

  record Scheduled(int id) implements Reply {}

  record Accepted() implements Reply {}

  /** Nothing was done; the reason says what to do instead. */
  record Refused(String reason) implements Reply {}

  /**
   * @param link opens the page once, for anyone who has it
   * @param host the daemon's machine
   */
  record PageOpen(String link, String host, int port) implements Reply {}

  /**
   * @param broken sweeps that could not be resumed, with the reason
   * @param chat who receives notices of them, or why nobody does
   */
  record Hosting(List<Sweep> sweeps, Map<String, String> broken, String chat) implements Reply {
    /**
     * @param storageFailure present while its journal cannot be written
     * @param reportFailure present while a part of its report is out of date, with the reason
     * @param hasLooked whether this daemon has completed a tick of the sweep without an error
     * @param sinceGoodTick since the last such tick or, if there was none, since the daemon took
     *     the sweep
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
