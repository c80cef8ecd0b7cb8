package io.nightsweep.chat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to one recipient what is told of no sweep. It stands in no journal, so that it waits for
 * none: what is told may be that a journal cannot be written.
 */
final class Bulletins {
  private static final Logger log = LoggerFactory.getLogger(Bulletins.class);

  private final Recipient recipient;
  private final ChatSettings settings;
  private final InstantSource clock;
  private final Queue<Bulletin> waiting = new ConcurrentLinkedQueue<>();
  private Instant silentUntil = Instant.MIN;
  private Duration wait;

  /**
   * What is told of no sweep.
   *
   * @param since when it was to be told
   * @param done called once it is sent or given up
   */
  record Bulletin(Message message, Instant since, Runnable done) {}

  Bulletins(Recipient recipient, ChatSettings settings, InstantSource clock) {
    this.recipient = recipient;
    this.settings = settings;
    this.clock = clock;
    wait = settings.retryLeast();
  }

  void add(Bulletin announcement) {
    waiting.add(announcement);
  }

  int waiting() {
    return waiting.size();
  }

  /** Tells the first one; called by one thread. One whose arrival is unknown is not sent again. */
  void pass() {
    Bulletin first = waiting.peek();
    if (first == null || clock.instant().isBefore(silentUntil)) {
      return;
    }
    for (Message.Part part : recipient.parts(first.message())) {
      CallOutcome outcome = recipient.send(part);
      if (outcome instanceof CallOutcome.NotSent not
          && first.since().isAfter(clock.instant().minus(settings.staleNotice()))) {
        log.info("an announcement waits: {}", not.because());
        silentUntil = clock.instant().plus(not.retryAfter().orElse(wait));
        Duration doubled = wait.multipliedBy(2);
        wait = doubled.compareTo(settings.retryMost()) < 0 ? doubled : settings.retryMost();
        return;
      }
      log.info("an announcement was told to {}: {}", recipient.name(), outcome);
    }
    wait = settings.retryLeast();
    waiting.remove();
    first.done().run();
  }
}
