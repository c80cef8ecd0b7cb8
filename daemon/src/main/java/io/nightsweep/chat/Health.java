package io.nightsweep.chat;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Derives the state of the connection to Telegram from its traffic, and logs each change. */
final class Health implements Interceptor {
  private static final Logger log = LoggerFactory.getLogger(Health.class);
  private static final int CONFLICT = 409;
  private static final int UNAUTHORIZED = 401;
  private static final DateTimeFormatter SINCE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /** Calls by which the library listens: it removes any webhook before it polls. */
  private static final Set<String> LISTENING = Set.of("deletewebhook", "getupdates");

  private final InstantSource clock;
  private volatile Optional<Trouble> trouble = Optional.empty();

  /**
   * @param what the error without its address, which contains the token
   */
  record Trouble(String what, Instant since) {
    String text(ZoneId zone) {
      return "since " + SINCE.withZone(zone).format(since) + ": " + what;
    }
  }

  Health(InstantSource clock) {
    this.clock = clock;
  }

  Optional<Trouble> trouble() {
    return trouble;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    boolean listening = LISTENING.contains(method(chain).toLowerCase(Locale.ROOT));
    try {
      Response response = chain.proceed(chain.request());
      if (response.code() == CONFLICT) {
        set(
            "another program takes this bot's updates; end it, or give this daemon a bot of its own");
      } else if (response.code() == UNAUTHORIZED) {
        set("Telegram does not know the bot token");
      } else if (listening && response.isSuccessful()) {
        clear();
      }
      return response;
    } catch (IOException e) {
      if (listening && !chain.call().isCanceled()) {
        set("no connection (" + e.getClass().getSimpleName() + ")");
      }
      throw e;
    }
  }

  private static String method(Chain chain) {
    return chain.request().url().pathSegments().getLast();
  }

  private synchronized void set(String what) {
    if (trouble.filter(t -> t.what().equals(what)).isEmpty()) {
      log.warn("Telegram: {}", what);
      trouble = Optional.of(new Trouble(what, clock.instant()));
    }
  }

  private synchronized void clear() {
    trouble.ifPresent(t -> log.info("Telegram answers again; {}", t.text(ZoneId.systemDefault())));
    trouble = Optional.empty();
  }
}
