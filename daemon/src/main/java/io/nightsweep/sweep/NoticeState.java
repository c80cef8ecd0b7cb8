package io.nightsweep.sweep;

import io.nightsweep.sweep.Event.NoticeSettled.Settlement;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * A notice and the progress of its delivery.
 *
 * @param seq of the event that issued it: the order of delivery
 * @param to progress of the delivery, by recipient
 * @param settled once no further part of it will be sent to anybody
 */
public record NoticeState(
    Notice notice,
    long seq,
    Instant issuedAt,
    PMap<String, Delivery> to,
    Optional<Settlement> settled) {

  /** The recipient of an event that applies to all recipients together. */
  public static final String EVERYBODY = "everybody";

  /**
   * The progress of the delivery to one recipient.
   *
   * @param sending the part that was begun last, from 1; beyond {@code delivered} its outcome is
   *     unknown
   * @param delivered the last part that is known to be delivered
   * @param receipt of the last part that was delivered
   * @param settled once no further part of it will be sent to this recipient
   */
  public record Delivery(
      int sending, int delivered, Optional<Receipt> receipt, Optional<Settlement> settled) {
    private static final Delivery NONE = new Delivery(0, 0, Optional.empty(), Optional.empty());

    /** Whether a part was begun and its outcome is unknown. */
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
   * @param name the recipient service's name for the message
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
   * The delivery to one recipient. An earlier build began to send to all recipients one after the
   * other; if it did not finish, it is unknown whether this recipient was reached.
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
