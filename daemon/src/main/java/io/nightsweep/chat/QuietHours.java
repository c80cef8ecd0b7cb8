package io.nightsweep.chat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** Hours of each day in which routine messages wait; they may span midnight. */
public record QuietHours(LocalTime from, LocalTime to, ZoneId zone) {
  /** No quiet hours: an interval of length zero. */
  public static QuietHours none() {
    return new QuietHours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC"));
  }

  /**
   * @param text such as {@code 22:00-07:00}
   * @throws DateTimeException where it has another form
   */
  public static QuietHours parse(String text, ZoneId zone) {
    String[] ends = text.strip().split("\\s*-\\s*", -1);
    if (ends.length != 2) {
      throw new DateTimeException("expected hours such as 22:00-07:00, found '" + text + "'");
    }
    return new QuietHours(LocalTime.parse(ends[0]), LocalTime.parse(ends[1]), zone);
  }

  boolean contains(Instant at) {
    LocalTime time = at.atZone(zone).toLocalTime();
    return from.isBefore(to)
        ? !time.isBefore(from) && time.isBefore(to)
        : from.isAfter(to) && (!time.isBefore(from) || time.isBefore(to));
  }
}
