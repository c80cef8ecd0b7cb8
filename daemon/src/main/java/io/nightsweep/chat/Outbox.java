package io.nightsweep.chat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.NoticeSettled.Settlement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the notices in the journals to one recipient. Every sending is journaled before and
 * after. So a crash, an outage or a refusal neither loses an important message nor sends one twice
 * without saying so.
 */
final class Outbox {
  private static final Logger log = LoggerFactory.getLogger(Outbox.class);

  private final ChatSweeps sweeps;
  private final Recipient recipient;
  private final String to;
  private final Settlements settlements;
  private final ChatSettings settings;
  private final Composer composer;
  private final InstantSource clock;

  /** Sweeps for which unknown outcomes from before the daemon's start have been handled. */
  private final Set<String> settledBefore = new HashSet<>();

  /** Keys, after the sweep's id, of messages to send once more, marked as repeats. */
  private final Set<String> repeats = new HashSet<>();

  private Instant silentUntil = Instant.MIN;
  private Duration wait;
  private boolean failing;

  Outbox(
      ChatSweeps sweeps,
      Recipient recipient,
      Settlements settlements,
      ChatSettings settings,
      Composer composer,
      InstantSource clock) {
    this.sweeps = sweeps;
    this.recipient = recipient;
    to = recipient.name();
    this.settlements = settlements;
    this.settings = settings;
    this.composer = composer;
    this.clock = clock;
    wait = settings.retryLeast();
  }

  /** Sends at most one message of each sweep; called by one thread. */
  void pass() {
    List<SweepState> all = sweeps.all();
    for (SweepState s : all) {
      if (sweeps.isLooking(s.sweep())) {
        // The observation may never end; the next pass comes soon.
        continue;
      }
      try {
        if (!settledBefore.contains(s.sweep())) {
          settleUnknown(s);
          passOverHistory(s);
          settlements.close(s.sweep());
          settledBefore.add(s.sweep());
        } else if (!clock.instant().isBefore(silentUntil)) {
          next(s, all);
        }
      } catch (IOException e) {
        log.warn("a message of {} waits: {}", s.sweep(), e.getMessage());
        pause(Optional.empty());
      }
    }
  }

  /** Handles sendings of an earlier daemon for which it is unknown whether they arrived. */
  private void settleUnknown(SweepState s) throws IOException {
    List<Event> events = new ArrayList<>();
    for (Queue.Item item : Queue.pending(s, to)) {
      if (item.isUnknown()) {
        events.addAll(afterUnknown(s, item, Statement.phrase("notice-daemon-ended")));
      }
    }
    if (!events.isEmpty()) {
      sweeps.record(s.sweep(), events);
    }
  }

  /** A recipient who got no message about a sweep while it ran only hears of its end. */
  private void passOverHistory(SweepState s) throws IOException {
    boolean wasTold = s.notices().values().stream().anyMatch(n -> n.to().containsKey(to));
    if (!s.isFinished() || wasTold) {
      return;
    }
    List<Event> history =
        Queue.pending(s, to).stream()
            .filter(item -> !(item.notice() instanceof Notice.Finish))
            .map(item -> settled(item, Settlement.DROPPED, Statement.phrase("notice-of-the-past")))
            .toList();
    if (!history.isEmpty()) {
      sweeps.record(s.sweep(), history);
    }
  }

  private List<Event> afterUnknown(SweepState s, Queue.Item item, Statement why) {
    if (item.importance() == Importance.DEMAND) {
      repeats.add(s.sweep() + " " + item.key());
      return List.of();
    }
    return List.of(settled(item, Settlement.DROPPED, Statement.phrase("notice-unknown", why)));
  }

  private void next(SweepState s, List<SweepState> all) throws IOException {
    List<Queue.Item> pending = dropStale(s, Queue.pending(s, to));
    Instant now = clock.instant();
    boolean routine =
        !settings.quiet().contains(now)
            && Queue.routineInTheLastHour(all, to, now) < settings.routineAnHour();
    Optional<Queue.Batch> batch = Queue.next(pending, routine);
    if (batch.isEmpty()) {
      return;
    }
    // During an outage no attempt is journaled: first a probe must show that the recipient can be
    // reached.
    if (failing && !recipient.isReachable()) {
      pause(Optional.empty());
      return;
    }
    send(s, batch.get());
  }

  private List<Queue.Item> dropStale(SweepState s, List<Queue.Item> pending) throws IOException {
    Instant oldest = clock.instant().minus(settings.staleNotice());
    List<Queue.Item> superseded = Queue.superseded(pending);
    List<Event> dropped = new ArrayList<>();
    List<Queue.Item> kept = new ArrayList<>();
    for (Queue.Item item : pending) {
      if (item.state().issuedAt().isBefore(oldest)) {
        dropped.add(settled(item, Settlement.DROPPED, Statement.phrase("notice-stale")));
      } else if (superseded.contains(item)) {
        dropped.add(settled(item, Settlement.DROPPED, Statement.phrase("notice-later-best")));
      } else {
        kept.add(item);
      }
    }
    if (!dropped.isEmpty()) {
      sweeps.record(s.sweep(), dropped);
      settlements.close(s.sweep());
    }
    return kept;
  }

  private void send(SweepState s, Queue.Batch batch) throws IOException {
    List<Queue.Item> items = batch.all();
    List<Message.Part> parts = recipient.parts(message(s, batch));
    boolean repeat = items.stream().anyMatch(i -> repeats.contains(s.sweep() + " " + i.key()));
    int from = repeat ? 0 : Math.min(items.getFirst().delivery().delivered(), parts.size());
    boolean anyArrived = from > 0;
    String receipt = "";
    for (int i = from; i < parts.size(); i++) {
      int part = i + 1;
      sweeps.record(s.sweep(), each(items, item -> new Event.NoticeSending(item.key(), to, part)));
      switch (recipient.send(parts.get(i))) {
        case CallOutcome.Sent sent -> {
          anyArrived = true;
          receipt = receipt.isEmpty() ? sent.receipt() : receipt;
          String first = receipt;
          arrived();
          sweeps.record(
              s.sweep(),
              each(items, item -> new Event.NoticeDelivered(item.key(), to, part, first)));
        }
        case CallOutcome.Refused refused ->
            log.warn("a message was refused: {}", Phrases.EN.text(refused.because()));
        case CallOutcome.NotSent not -> {
          log.info("a message of {} waits: {}", s.sweep(), Phrases.EN.text(not.because()));
          sweeps.record(
              s.sweep(),
              each(items, item -> new Event.NoticeUnsent(item.key(), to, part, not.because())));
          pause(not.retryAfter());
          return;
        }
        case CallOutcome.Unknown unknown -> {
          log.warn(
              "whether a message of {} arrived is unknown: {}",
              s.sweep(),
              Phrases.EN.text(unknown.because()));
          List<Event> events = new ArrayList<>();
          items.forEach(item -> events.addAll(afterUnknown(s, item, unknown.because())));
          sweeps.record(s.sweep(), events);
          settlements.close(s.sweep());
          pause(Optional.empty());
          return;
        }
      }
    }
    settle(s, batch, anyArrived);
  }

  private void settle(SweepState s, Queue.Batch batch, boolean anyArrived) throws IOException {
    List<Event> events = new ArrayList<>();
    for (Queue.Item item : batch.all()) {
      repeats.remove(s.sweep() + " " + item.key());
      boolean lead = batch.lead().filter(item::equals).isPresent();
      events.add(
          anyArrived
              ? settled(
                  item,
                  lead ? Settlement.DELIVERED : Settlement.IN_ANOTHER,
                  Statement.phrase(lead ? "notice-arrived" : "notice-together"))
              : settled(item, Settlement.DROPPED, Statement.phrase("notice-refused")));
    }
    sweeps.record(s.sweep(), events);
    settlements.close(s.sweep());
  }

  private Message message(SweepState s, Queue.Batch batch) throws IOException {
    List<MessageLine> along = new ArrayList<>();
    for (Queue.Item item : batch.along()) {
      along.add(MessageLine.EMPTY);
      along.addAll(compose(s, item).lines());
    }
    if (batch.lead().isEmpty()) {
      return Message.of(
              List.of(
                  Composer.heading(s, "what happened meanwhile (" + batch.along().size() + ")")))
          .followedBy(along);
    }
    Message message = compose(s, batch.lead().get());
    boolean repeat = repeats.contains(s.sweep() + " " + batch.lead().get().key());
    return (repeat
            ? message.under(MessageLine.title("[repeat: whether this arrived before is unknown]"))
            : message)
        .followedBy(along);
  }

  private Message compose(SweepState s, Queue.Item item) throws IOException {
    return composer.of(
        s,
        new Composer.Occasion(
            item.key(),
            item.notice(),
            clock.instant(),
            sweeps.artifacts(s.sweep()),
            sweeps.rehearsed(s.sweep())));
  }

  private interface Made {
    Event of(Queue.Item item);
  }

  private static List<Event> each(List<Queue.Item> items, Made made) {
    return items.stream().map(made::of).toList();
  }

  private Event settled(Queue.Item item, Settlement how, Statement because) {
    return new Event.NoticeSettled(item.key(), to, how, because);
  }

  private void arrived() {
    failing = false;
    wait = settings.retryLeast();
  }

  /** Waits as long as the recipient requests, or longer after each failure. */
  private void pause(Optional<Duration> asked) {
    silentUntil = clock.instant().plus(asked.orElse(wait));
    if (asked.isEmpty()) {
      failing = true;
      Duration doubled = wait.multipliedBy(2);
      wait = doubled.compareTo(settings.retryMost()) < 0 ? doubled : settings.retryMost();
    }
  }

  /** The number of notices of all sweeps that wait for this recipient. */
  long waiting() {
    return sweeps.all().stream().mapToLong(s -> Queue.pending(s, to).size()).sum();
  }
}
