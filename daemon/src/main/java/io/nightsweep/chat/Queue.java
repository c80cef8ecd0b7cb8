package io.nightsweep.chat;

import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a sweep has to say next. Pure: the queue itself is the journal. */
final class Queue {
  private static final Duration HOUR = Duration.ofHours(1);

  private Queue() {}

  /**
   * A notice that is to be sent to one recipient.
   *
   * @param delivery to this recipient
   */
  record Item(String key, NoticeState state, NoticeState.Delivery delivery) {
    Notice notice() {
      return state.notice();
    }

    Importance importance() {
      return Importance.of(state.notice());
    }

    /** Whether a sending was begun and its outcome is not known. */
    boolean isUnknown() {
      return delivery.isUnknown();
    }
  }

  /**
   * What is sent as one message.
   *
   * @param lead whose message it is, unless it is a digest
   * @param along routine notices that go with it, oldest first
   */
  record Batch(Optional<Item> lead, List<Item> along) {
    List<Item> all() {
      List<Item> all = new ArrayList<>(along);
      lead.ifPresent(all::add);
      return all;
    }
  }

  static List<Item> pending(SweepState s, String recipient) {
    return s.notices().entrySet().stream()
        .filter(e -> e.getValue().isPendingFor(recipient))
        .map(e -> new Item(e.getKey(), e.getValue(), e.getValue().delivery(recipient)))
        .sorted(Comparator.comparingLong(i -> i.state().seq()))
        .toList();
  }

  /**
   * The next message, in the order in which the notices were issued; routine ones that follow each
   * other go together. Where routine has to wait, the first that need not wait goes before it.
   */
  static Optional<Batch> next(List<Item> pending, boolean routineMaySpeak) {
    if (pending.isEmpty()) {
      return Optional.empty();
    }
    List<Item> run = pending.stream().takeWhile(i -> i.importance() == Importance.ROUTINE).toList();
    if (!run.isEmpty() && routineMaySpeak) {
      return Optional.of(
          run.size() == 1
              ? new Batch(Optional.of(run.getFirst()), List.of())
              : new Batch(Optional.empty(), run));
    }
    Optional<Item> urgent =
        pending.stream().filter(i -> i.importance() != Importance.ROUTINE).findFirst();
    return urgent.map(
        item ->
            item.notice() instanceof Notice.Finish
                ? new Batch(
                    urgent,
                    pending.stream()
                        .filter(i -> i.importance() == Importance.ROUTINE)
                        .filter(i -> i.state().seq() < item.state().seq())
                        .toList())
                : new Batch(urgent, List.of()));
  }

  /** A notice of an earlier best is dropped unsent once there is a later best. */
  static List<Item> superseded(List<Item> pending) {
    List<Item> bests = pending.stream().filter(i -> i.notice() instanceof Notice.NewBest).toList();
    return bests.isEmpty()
        ? List.of()
        : bests.subList(0, bests.size() - 1).stream().filter(i -> !i.isUnknown()).toList();
  }

  /**
   * Routine messages that the recipient got in the hour before {@code now}; those that told several
   * notices together count once.
   */
  static long routineInTheLastHour(Collection<SweepState> sweeps, String recipient, Instant now) {
    return sweeps.stream()
        .flatMap(s -> s.notices().values().stream())
        .filter(n -> Importance.of(n.notice()) == Importance.ROUTINE)
        .flatMap(n -> n.delivery(recipient).receipt().stream())
        .filter(r -> r.at().isAfter(now.minus(HOUR)))
        .map(NoticeState.Receipt::name)
        .distinct()
        .count();
  }
}
