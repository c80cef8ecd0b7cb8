package io.nightsweep.engine;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A start that waits for its hour. The sweep file is read, checked and expanded at that hour, as if
 * a person had typed the command then.
 *
 * @param id unique in a state directory, from 1
 * @param file the sweep file, absolute
 * @param cluster the kind, as {@code start --cluster} takes it
 * @param first when it starts, or started, for the first time
 * @param weekly whether it starts again each week at that hour
 * @param zone whose clock the hour is read from; its summer time counts
 * @param last what came of the latest start; absent before the first
 */
public record ScheduledStart(
    int id,
    Path file,
    ClusterChoice.Kind cluster,
    Instant first,
    boolean weekly,
    ZoneId zone,
    Optional<StartOutcome> last) {
  /**
   * @param at when the start began
   * @param succeeded whether the sweep started
   * @param said the command's last lines
   * @param told whether people were told of a start that was refused
   */
  public record StartOutcome(Instant at, boolean succeeded, String said, boolean told) {}

  ScheduledStart with(StartOutcome outcome) {
    return new ScheduledStart(id, file, cluster, first, weekly, zone, Optional.of(outcome));
  }

  /** Whether its latest start was refused. */
  public boolean isRefused() {
    return last.filter(l -> !l.succeeded()).isPresent();
  }

  /** Whether another start is to come. */
  public boolean isWaiting() {
    return weekly || last.isEmpty();
  }

  /** The next start after a moment; one that was missed is due at once. */
  public Optional<Instant> next(Instant now) {
    if (last.isEmpty()) {
      return Optional.of(first);
    }
    if (!weekly) {
      return Optional.empty();
    }
    ZonedDateTime hour = first.atZone(zone);
    long weeks = Math.max(0, ChronoUnit.WEEKS.between(hour, now.atZone(zone)));
    return Stream.iterate(weeks, w -> w + 1)
        .map(w -> hour.plusWeeks(w).toInstant())
        .filter(at -> at.isAfter(now))
        .findFirst();
  }
}
