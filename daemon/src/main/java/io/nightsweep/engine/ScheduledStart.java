package io.nightsweep.engine;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A start at a scheduled time. The sweep file is read, checked and expanded at that time, as if a
 * person had typed the command then.
 *
 * @param id unique in a state directory, from 1
 * @param file the sweep file, absolute
 * @param cluster the kind, as in {@code start --cluster}
 * @param first the time of the first start, past or future
 * @param weekly whether the start repeats each week at that time
 * @param zone the time zone of the scheduled time, including its daylight saving time
 * @param last the outcome of the latest start; absent before the first
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
   * @param told whether people were notified of a refused start
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

  /** The next start after this time; a missed start is due at once. */
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
