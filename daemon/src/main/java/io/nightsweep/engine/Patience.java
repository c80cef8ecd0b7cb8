package io.nightsweep.engine;

import java.time.Duration;

/**
 * How long a daemon waits for operations that may hang, such as calls to Slurm or a file server.
 *
 * @param command limit for a person's command; the client waits half a minute for the answer
 * @param start limit for a start; the client waits a minute for the answer
 * @param longLook after this time, only callers that must do so wait for a tick
 * @param looksAtStop wait for running ticks when the daemon ends
 * @param sweepAtStop wait for each sweep's last entry after that
 */
public record Patience(
    Duration command,
    Duration start,
    Duration longLook,
    Duration looksAtStop,
    Duration sweepAtStop) {
  static Patience defaults() {
    return new Patience(
        Duration.ofSeconds(20),
        Duration.ofSeconds(40),
        Duration.ofSeconds(10),
        Duration.ofSeconds(8),
        Duration.ofSeconds(6));
  }
}
