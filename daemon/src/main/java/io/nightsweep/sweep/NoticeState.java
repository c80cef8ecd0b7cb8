package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * A notice and how far its delivery has come.
 *
 * @param seq of the event that issued it: the order in which people are told
 * @param sending the part whose sending was begun last, from 1; beyond {@code delivered} its
 *     outcome is unknown
 * @param delivered the last part that is known delivered
 * @param last when that was, and what Telegram called it
 */
public record NoticeState(
    Notice notice,
    long seq,
    Instant issuedAt,
    int sending,
    int delivered,
    Optional<Delivery> last,
    Optional<Event.NoticeSettled.Settlement> settled) {

  public record Delivery(Instant at, String receipt) {}

  static NoticeState issued(Notice notice, long seq, Instant at) {
    return new NoticeState(notice, seq, at, 0, 0, Optional.empty(), Optional.empty());
  }

  NoticeState sending(int part) {
    return new NoticeState(notice, seq, issuedAt, part, delivered, last, settled);
  }

  NoticeState delivered(int part, Delivery delivery) {
    return new NoticeState(notice, seq, issuedAt, sending, part, Optional.of(delivery), settled);
  }

  NoticeState settled(Event.NoticeSettled.Settlement how) {
    return new NoticeState(notice, seq, issuedAt, sending, delivered, last, Optional.of(how));
  }

  public boolean isPending() {
    return settled.isEmpty();
  }
}
