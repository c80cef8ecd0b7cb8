package io.nightsweep.chat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers messages that belong to no sweep to one recipient. They are not journaled and so depend
 * on no journal: the message may be that a journal cannot be written.
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
   * A message that belongs to no sweep.
   *
   * @param since when it was created
   * @param done called once it is sent or abandoned
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

  /**
   * Sends the first message; called by one thread. A message is not sent again if it is unknown
   * whether it arrived.
   */
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
      log.info("an announcement was sent to {}: {}", recipient.name(), outcome);
    }
    wait = settings.retryLeast();
    waiting.remove();
    first.done().run();
  }
}
