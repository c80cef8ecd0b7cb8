package io.nightsweep.engine;

import java.time.Duration;

/**
 * How long a daemon waits for what may hang, such as Slurm or a file server.
 *
 * @param command what a person's command may take; a client waits half a minute for its answer
 * @param start what a start may take; a client waits a minute for it
 * @param longLook a look at a sweep that takes longer is waited for only by who must
 * @param looksAtStop the looks under way when the daemon ends
 * @param sweepAtStop then each sweep's last entry
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
