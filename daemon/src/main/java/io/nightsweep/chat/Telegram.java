package io.nightsweep.chat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.telegram.telegrambots.longpolling.TelegramBotsLongPollingApplication;
import org.telegram.telegrambots.longpolling.interfaces.BackOff;
import org.telegram.telegrambots.longpolling.interfaces.LongPollingUpdateConsumer;
import org.telegram.telegrambots.meta.api.methods.updates.GetUpdates;
import org.telegram.telegrambots.meta.api.objects.Update;
import org.telegram.telegrambots.meta.exceptions.TelegramApiException;

/** The chat over one bot: a thread that delivers, and one that listens. */
public final class Telegram implements Chat {
  private static final Logger log = LoggerFactory.getLogger(Telegram.class);
  private static final Duration BETWEEN_PASSES = Duration.ofMillis(500);
  private static final List<String> UPDATES = List.of("message", "callback_query");

  private final Credentials credentials;
  private final ChatSettings settings;
  private final Health health;
  private final Outbox outbox;
  private final Conversation conversation;
  private final Offset offset;
  private final ScheduledExecutorService delivering = daemonThread("telegram-outbox");
  private final ScheduledExecutorService listening = daemonThread("telegram-updates");
  private final OkHttpClient polling;
  private final TelegramBotsLongPollingApplication application;
  private volatile boolean closed;

  private Telegram(
      Credentials credentials,
      ChatSettings settings,
      Sweeps sweeps,
      Offset offset,
      Redaction redaction,
      InstantSource clock) {
    this.credentials = credentials;
    this.settings = settings;
    this.offset = offset;
    health = new Health(clock);
    Redaction knowing = redaction.knowing(credentials.token().reveal());
    Bot bot = new Bot(credentials.token(), settings, knowing, health);
    Composer composer = new Composer(ZoneId.systemDefault());
    outbox =
        new Outbox(
            bot, sweeps, credentials.chats().stream().sorted().toList(), settings, composer, clock);
    conversation = new Conversation(bot, sweeps, credentials.chats(), settings, composer, clock);
    polling =
        new OkHttpClient.Builder()
            .addInterceptor(health)
            .connectTimeout(Duration.ofSeconds(10))
            .readTimeout(settings.poll().plusSeconds(15))
            .build();
    application =
        new TelegramBotsLongPollingApplication(
            ObjectMapper::new, () -> polling, () -> listening, () -> new Patience(settings));
  }

  /**
   * Starts to deliver and to listen; needs no connection to begin with.
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
            new Offset(directory.resolve("telegram.offset")),
            redaction,
            clock);
    Future<?> unused =
        telegram.delivering.scheduleWithFixedDelay(
            telegram::deliver, 0, BETWEEN_PASSES.toMillis(), TimeUnit.MILLISECONDS);
    telegram.listening.execute(telegram::listen);
    log.info("Telegram: {}, {} chats", credentials.source(), credentials.chats().size());
    return telegram;
  }

  private void deliver() {
    try {
      outbox.pass();
    } catch (RuntimeException e) {
      log.error("messages were not delivered: {}", e.toString());
    }
  }

  /** Again and again until there is a connection: the library registers only over one. */
  private void listen() {
    if (closed) {
      return;
    }
    try {
      application.registerBot(
          credentials.token().reveal(), settings::server, this::request, new Listener());
    } catch (TelegramApiException e) {
      try {
        application.unregisterBot(credentials.token().reveal());
      } catch (TelegramApiException never) {
        log.debug("nothing was registered");
      }
      Future<?> unused =
          listening.schedule(this::listen, settings.retryLeast().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private GetUpdates request(int lastOfThisLife) {
    return GetUpdates.builder()
        .offset(Math.max(lastOfThisLife, offset.last()) + 1)
        .timeout((int) settings.poll().toSeconds())
        .allowedUpdates(UPDATES)
        .build();
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
  public boolean isOn() {
    return true;
  }

  @Override
  public void close() {
    closed = true;
    delivering.shutdown();
    listening.shutdownNow();
    polling.dispatcher().cancelAll();
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

  /** An update counts as dealt with once it was acted on, so that a crash between loses none. */
  private final class Listener implements LongPollingUpdateConsumer {
    @Override
    public void close() {}

    @Override
    public void consume(List<Update> updates) {
      for (Update update : updates) {
        if (update.getUpdateId() <= offset.last()) {
          continue;
        }
        try {
          conversation.handle(update);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } catch (RuntimeException e) {
          log.error("an update was not understood: {}", e.toString());
        }
        try {
          offset.dealtWith(update.getUpdateId());
        } catch (IOException e) {
          log.warn("the last update is not kept: {}", e.getMessage());
        }
      }
    }
  }

  /** The library's pauses between failed polls. */
  private static final class Patience implements BackOff {
    private final ChatSettings settings;
    private Duration next;

    Patience(ChatSettings settings) {
      this.settings = settings;
      next = settings.retryLeast();
    }

    @Override
    public void reset() {
      next = settings.retryLeast();
    }

    @Override
    public long nextBackOffMillis() {
      long now = next.toMillis();
      Duration doubled = next.multipliedBy(2);
      next = doubled.compareTo(settings.retryMost()) < 0 ? doubled : settings.retryMost();
      return now;
    }
  }
}
