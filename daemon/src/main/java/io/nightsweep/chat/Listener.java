package io.nightsweep.chat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.telegram.telegrambots.client.okhttp.OkHttpTelegramClient;
import org.telegram.telegrambots.meta.api.methods.updates.DeleteWebhook;
import org.telegram.telegrambots.meta.api.objects.Update;
import org.telegram.telegrambots.meta.exceptions.TelegramApiException;

/** Fetches the bot's updates, one request after the other, and passes them on. */
final class Listener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Listener.class);

  private final ChatSettings settings;
  private final OkHttpClient http;
  private final OkHttpTelegramClient client;
  private final Hearer hearer;
  private final Offset offset;
  private final Thread thread =
      Thread.ofPlatform().name("telegram-updates").daemon().unstarted(this::listen);
  private volatile boolean isClosed;
  private boolean webhookIsGone;
  private Duration wait;

  /** Receives the updates. */
  interface Hearer {
    void handle(Update update) throws InterruptedException;
  }

  Listener(Secret token, ChatSettings settings, Health health, Hearer hearer, Offset offset) {
    this.settings = settings;
    this.hearer = hearer;
    this.offset = offset;
    wait = settings.retryLeast();
    http =
        new OkHttpClient.Builder()
            .addInterceptor(health)
            .connectTimeout(Duration.ofSeconds(10))
            .readTimeout(settings.poll().plusSeconds(15))
            .build();
    client = new OkHttpTelegramClient(http, token.reveal(), settings.server());
  }

  /** Starts the thread; a connection is not needed yet. */
  void start() {
    thread.start();
  }

  private void listen() {
    try {
      while (!isClosed) {
        if (poll()) {
          wait = settings.retryLeast();
        } else {
          Thread.sleep(wait);
          Duration doubled = wait.multipliedBy(2);
          wait = doubled.compareTo(settings.retryMost()) < 0 ? doubled : settings.retryMost();
        }
      }
    } catch (InterruptedException e) {
      log.debug("the listener ends");
    }
  }

  /**
   * Fetches updates; returns whether to fetch again at once, which is so if there was news or the
   * server waited. A server that answers at once with nothing new would otherwise be queried
   * without pause.
   */
  private boolean poll() throws InterruptedException {
    try {
      if (!webhookIsGone) {
        // A bot with a webhook cannot fetch updates (core.telegram.org/bots/api#getupdates).
        client.execute(new DeleteWebhook());
        webhookIsGone = true;
      }
      int before = offset.last();
      long asked = System.nanoTime();
      take(client.execute(new UpdatesRequest(before + 1, (int) settings.poll().toSeconds())));
      return offset.last() != before || System.nanoTime() - asked >= settings.poll().toNanos() / 2;
    } catch (TelegramApiException e) {
      log.debug("no updates: {}", e.getClass().getSimpleName());
      return false;
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
      log.error("updates could not be fetched: {}", e.toString());
      return false;
    }
  }

  /** Marks an update as done only after acting on it, so that a crash loses none. */
  private void take(List<Update> updates) throws InterruptedException {
    for (Update update : updates) {
      try {
        hearer.handle(update);
      } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
        log.error("an update could not be handled: {}", e.toString());
      }
      try {
        offset.dealtWith(update.getUpdateId());
      } catch (IOException e) {
        log.warn("the number of the last update could not be saved: {}", e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    // The library swallows an interrupt while it waits for an answer.
    isClosed = true;
    thread.interrupt();
    http.dispatcher().cancelAll();
  }
}
