package io.nightsweep.chat;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.telegram.telegrambots.meta.TelegramUrl;

/**
 * The settings of the chat.
 *
 * @param server of the Bot API: Telegram's own or a private one
 * @param routineAnHour the most routine messages in any hour, for all sweeps together
 * @param quiet hours without routine messages
 * @param poll how long one request for updates waits
 * @param retryLeast the first wait after a failure; it doubles up to {@code retryMost}
 * @param staleCommand age at which a command that waited with Telegram is ignored
 * @param staleNotice age at which an undelivered message is dropped
 */
public record ChatSettings(
    TelegramUrl server,
    int routineAnHour,
    QuietHours quiet,
    Duration poll,
    Duration retryLeast,
    Duration retryMost,
    Duration staleCommand,
    Duration staleNotice) {
  public static final String SERVER = "NIGHTSWEEP_TELEGRAM_URL";
  public static final String ROUTINE = "NIGHTSWEEP_TELEGRAM_ROUTINE";
  public static final String QUIET = "NIGHTSWEEP_TELEGRAM_QUIET";

  public static ChatSettings defaults() {
    return new ChatSettings(
        TelegramUrl.DEFAULT_URL,
        2,
        QuietHours.none(),
        Duration.ofSeconds(50),
        Duration.ofSeconds(2),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofDays(2));
  }

  /**
   * The defaults, overridden by the environment.
   *
   * @throws Credentials.UnusableException where a variable is invalid
   */
  public static ChatSettings of(Map<String, String> env) throws Credentials.UnusableException {
    ChatSettings d = defaults();
    try {
      return new ChatSettings(
          value(env, SERVER).map(ChatSettings::server).orElse(d.server),
          value(env, ROUTINE).map(Integer::parseInt).orElse(d.routineAnHour),
          value(env, QUIET)
              .map(text -> QuietHours.parse(text, ZoneId.systemDefault()))
              .orElse(d.quiet),
          d.poll,
          d.retryLeast,
          d.retryMost,
          d.staleCommand,
          d.staleNotice);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new Credentials.UnusableException(
          "%s, %s or %s makes no sense: %s".formatted(SERVER, ROUTINE, QUIET, e.getMessage()));
    }
  }

  private static Optional<String> value(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  private static TelegramUrl server(String text) {
    URI uri = URI.create(text);
    if (uri.getHost() == null || uri.getUserInfo() != null) {
      throw new IllegalArgumentException("expected a URL such as http://127.0.0.1:8081");
    }
    boolean tls = "https".equals(uri.getScheme());
    int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
    return new TelegramUrl(uri.getScheme(), uri.getHost(), port, false);
  }
}
