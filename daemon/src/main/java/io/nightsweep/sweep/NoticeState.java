package io.nightsweep.sweep;

import io.nightsweep.sweep.Event.NoticeSettled.Settlement;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * A notice and how far its delivery has come.
 *
 * @param seq of the event that issued it: the order in which people are told
 * @param to how far the delivery has come, by recipient
 * @param settled once nothing more of it will be sent to anybody
 */
public record NoticeState(
    Notice notice,
    long seq,
    Instant issuedAt,
    PMap<String, Delivery> to,
    Optional<Settlement> settled) {

  /** Who is told, where an event means all recipients together. */
  public static final String EVERYBODY = "everybody";

  /**
   * How far the delivery to one recipient has come.
   *
   * @param sending the part whose sending was begun last, from 1; beyond {@code delivered} its
   *     outcome is unknown
   * @param delivered the last part that is known delivered
   * @param receipt of the last part that was delivered
   * @param settled once nothing more of it will be sent to this recipient
   */
  public record Delivery(
      int sending, int delivered, Optional<Receipt> receipt, Optional<Settlement> settled) {
    private static final Delivery NONE = new Delivery(0, 0, Optional.empty(), Optional.empty());

    /** Whether a sending was begun of which nobody knows how it ended. */
    public boolean isUnknown() {
      return sending > delivered;
    }

    Delivery sending(int part) {
      return new Delivery(part, delivered, receipt, settled);
    }

    Delivery delivered(int part, Receipt newReceipt) {
      return new Delivery(sending, part, Optional.of(newReceipt), settled);
    }

    Delivery settled(Settlement how) {
      return new Delivery(sending, delivered, receipt, Optional.of(how));
    }
  }

  /**
   * @param name what the recipient's service called the message
   */
  public record Receipt(Instant at, String name) {}

  static NoticeState issued(Notice notice, long seq, Instant at) {
    return new NoticeState(notice, seq, at, HashTreePMap.empty(), Optional.empty());
  }

  NoticeState delivery(String recipient, UnaryOperator<Delivery> change) {
    return new NoticeState(
        notice, seq, issuedAt, to.plus(recipient, change.apply(delivery(recipient))), settled);
  }

  NoticeState settled(String recipient, Settlement how) {
    return recipient.equals(EVERYBODY)
        ? new NoticeState(notice, seq, issuedAt, to, Optional.of(how))
        : delivery(recipient, d -> d.settled(how));
  }

  /**
   * The delivery to one recipient. Where an earlier build had begun to tell all of them one after
   * the other, nobody knows whether this one was reached.
   */
  public Delivery delivery(String recipient) {
    Delivery own = to.get(recipient);
    if (own != null) {
      return own;
    }
    return to.containsKey(EVERYBODY) ? Delivery.NONE.sending(1) : Delivery.NONE;
  }

  public boolean isPending() {
    return settled.isEmpty();
  }

  public boolean isPendingFor(String recipient) {
    return isPending() && delivery(recipient).settled().isEmpty();
  }
}
