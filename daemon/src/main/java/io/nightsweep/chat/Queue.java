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

/** Decides which message of a sweep comes next. Pure: the journal is the queue. */
final class Queue {
  private static final Duration HOUR = Duration.ofHours(1);

  private Queue() {}

  /**
   * A notice for one recipient.
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

    /** Whether a sending has begun and its outcome is unknown. */
    boolean isUnknown() {
      return delivery.isUnknown();
    }
  }

  /**
   * Notices sent as one message.
   *
   * @param lead determines the message, unless it is a digest
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
   * The next message, in the order of the notices; consecutive routine notices are combined. If
   * routine notices have to wait, the first other notice goes before them.
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

  /** Notices of an earlier best profile, which are dropped once there is a later one. */
  static List<Item> superseded(List<Item> pending) {
    List<Item> bests = pending.stream().filter(i -> i.notice() instanceof Notice.NewBest).toList();
    return bests.isEmpty()
        ? List.of()
        : bests.subList(0, bests.size() - 1).stream().filter(i -> !i.isUnknown()).toList();
  }

  /**
   * Routine messages to the recipient in the hour before {@code now}; a message with several
   * notices counts once.
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
