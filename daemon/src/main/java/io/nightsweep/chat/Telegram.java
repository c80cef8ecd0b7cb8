package io.nightsweep.chat;

import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The chat over one bot: a thread that delivers, and one that listens. */
public final class Telegram implements Chat {
  private static final Logger log = LoggerFactory.getLogger(Telegram.class);
  private static final Duration BETWEEN_PASSES = Duration.ofMillis(500);

  private final Credentials credentials;
  private final Health health;
  private final Outbox outbox;
  private final Listener listener;
  private final ScheduledExecutorService delivering = daemonThread("telegram-outbox");

  private Telegram(
      Credentials credentials,
      ChatSettings settings,
      Sweeps sweeps,
      Offset offset,
      Redaction redaction,
      InstantSource clock) {
    this.credentials = credentials;
    health = new Health(clock);
    Redaction knowing = redaction.knowing(credentials.token().reveal());
    Bot bot = new Bot(credentials.token(), settings, knowing, health);
    Composer composer = new Composer(ZoneId.systemDefault());
    outbox =
        new Outbox(
            bot, sweeps, credentials.chats().stream().sorted().toList(), settings, composer, clock);
    Conversation conversation =
        new Conversation(bot, sweeps, credentials.chats(), settings, composer, clock);
    listener = new Listener(credentials.token(), settings, health, conversation, offset);
  }

  /**
   * Starts to deliver; needs no connection to begin with.
   *
   * @param directory where the last update that was dealt with is kept
   * @throws IOException where it cannot be read
   */
  public static Telegram open(
      Credentials credentials,
      ChatSettings settings,
      Sweeps sweeps,
      Path directory,
      Redaction redaction,
      InstantSource clock)
      throws IOException {
    Telegram telegram =
        new Telegram(
            credentials,
            settings,
            sweeps,
            new Offset(directory.resolve("telegram.offset"), credentials.token()),
            redaction,
            clock);
    Future<?> unused =
        telegram.delivering.scheduleWithFixedDelay(
            telegram::deliver, 0, BETWEEN_PASSES.toMillis(), TimeUnit.MILLISECONDS);
    log.info("Telegram: {}, {} chats", credentials.source(), credentials.chats().size());
    return telegram;
  }

  private void deliver() {
    try {
      outbox.pass();
    } catch (RuntimeException | StackOverflowError e) {
      // An exception here would cancel the schedule silently.
      log.error("messages were not delivered: {}", e.toString());
    }
  }

  @Override
  public String describe() {
    long waiting = outbox.waiting();
    return "Telegram: "
        + credentials.chats().size()
        + (credentials.chats().size() == 1 ? " chat" : " chats")
        + " ("
        + credentials.source()
        + ")"
        + (waiting > 0 ? ", " + waiting + " messages wait" : "")
        + health.trouble().map(t -> "; since " + t.since() + ": " + t.what()).orElse("");
  }

  @Override
  public void listen() {
    listener.start();
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public void close() {
    delivering.shutdown();
    listener.close();
    try {
      if (!delivering.awaitTermination(5, TimeUnit.SECONDS)) {
        delivering.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ScheduledExecutorService daemonThread(String name) {
    return new ScheduledThreadPoolExecutor(
        1, task -> Thread.ofPlatform().name(name).daemon(true).unstarted(task));
  }
}
