package io.nightsweep.chat;

import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Statement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.telegram.telegrambots.client.okhttp.OkHttpTelegramClient;
import org.telegram.telegrambots.meta.api.methods.AnswerCallbackQuery;
import org.telegram.telegrambots.meta.api.methods.GetMe;
import org.telegram.telegrambots.meta.api.methods.send.SendDocument;
import org.telegram.telegrambots.meta.api.methods.send.SendMessage;
import org.telegram.telegrambots.meta.api.methods.send.SendPhoto;
import org.telegram.telegrambots.meta.api.methods.updatingmessages.EditMessageReplyMarkup;
import org.telegram.telegrambots.meta.api.objects.InputFile;
import org.telegram.telegrambots.meta.api.objects.replykeyboard.InlineKeyboardMarkup;
import org.telegram.telegrambots.meta.api.objects.replykeyboard.buttons.InlineKeyboardButton;
import org.telegram.telegrambots.meta.api.objects.replykeyboard.buttons.InlineKeyboardRow;
import org.telegram.telegrambots.meta.exceptions.TelegramApiException;
import org.telegram.telegrambots.meta.exceptions.TelegramApiRequestException;
import org.telegram.telegrambots.meta.generics.TelegramClient;

/** The bot's calls of the Telegram API. All texts pass the redaction here. */
final class Bot {
  private static final Logger log = LoggerFactory.getLogger(Bot.class);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int UNAUTHORIZED = 401;
  private static final int LONGEST_WAIT_SECONDS = 3600;

  /** Telegram's limit is 200 (core.telegram.org/bots/api#answercallbackquery). */
  private static final int MOST_OF_AN_ANSWER = 190;

  private final TelegramClient client;
  private final Redaction redaction;
  private final MovedGroups moved;
  private volatile Optional<String> username = Optional.empty();

  Bot(Secret token, ChatSettings settings, Redaction redaction, Health health, MovedGroups moved) {
    this.redaction = redaction;
    this.moved = moved;
    // The HTTP client must not repeat a request itself: the message would arrive twice.
    OkHttpClient http =
        new OkHttpClient.Builder()
            .addInterceptor(health)
            .retryOnConnectionFailure(false)
            .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
            .connectTimeout(Duration.ofSeconds(10))
            .readTimeout(Duration.ofSeconds(30))
            .writeTimeout(Duration.ofSeconds(60))
            .build();
    client = new OkHttpTelegramClient(http, token.reveal(), settings.server());
  }

  /** Whether Telegram can be reached; sends no message. */
  boolean isReachable() {
    try {
      client.execute(new GetMe());
      return true;
    } catch (TelegramApiException e) {
      return outcome(e) instanceof CallOutcome.Refused;
    }
  }

  /** Sends a part; as plain text if Telegram refuses the markup. */
  CallOutcome send(long chat, Message.Part part) {
    return send(chat, part, true);
  }

  private CallOutcome send(long chat, Message.Part part, boolean markup) {
    long at = moved.now(chat);
    try {
      return new CallOutcome.Sent(at + "/" + sent(at, part, markup));
    } catch (TelegramApiException e) {
      Optional<Long> now = movedTo(e).filter(to -> to != at);
      if (now.isPresent() && at == chat) {
        moved.move(chat, now.get());
        return send(chat, part, markup);
      }
      if (markup && isAbout(e, "can't parse entities")) {
        log.warn("Telegram refused the markup of a message; it is sent as plain text");
        return send(chat, part, false);
      }
      return outcome(e);
    }
  }

  private static Optional<Long> movedTo(TelegramApiException e) {
    return e instanceof TelegramApiRequestException r && r.getParameters() != null
        ? Optional.ofNullable(r.getParameters().getMigrateToChatId())
        : Optional.empty();
  }

  private int sent(long chat, Message.Part part, boolean markup) throws TelegramApiException {
    String mode = markup ? "HTML" : null;
    return switch (part) {
      case Message.Part.Text p -> {
        SendMessage call = new SendMessage(Long.toString(chat), text(p.lines(), markup));
        if (mode != null) {
          call.setParseMode(mode);
        }
        call.setDisableWebPagePreview(true);
        if (!p.buttons().isEmpty()) {
          call.setReplyMarkup(keyboard(p.buttons()));
        }
        yield client.execute(call).getMessageId();
      }
      case Message.Part.Photo p -> {
        SendPhoto call = new SendPhoto(Long.toString(chat), file(p.png(), "chart.png"));
        call.setCaption(text(p.caption(), markup));
        if (mode != null) {
          call.setParseMode(mode);
        }
        yield client.execute(call).getMessageId();
      }
      case Message.Part.File p -> {
        SendDocument call =
            new SendDocument(Long.toString(chat), file(p.bytes(), redaction.of(p.name())));
        call.setCaption(text(p.caption(), markup));
        if (mode != null) {
          call.setParseMode(mode);
        }
        yield client.execute(call).getMessageId();
      }
    };
  }

  /**
   * Stops the button's spinner and shows {@code text} for a moment.
   *
   * @return false where Telegram says that the press is too old to be answered
   */
  boolean answer(String callbackId, String text) {
    AnswerCallbackQuery call = new AnswerCallbackQuery(callbackId);
    String masked = redaction.of(text);
    call.setText(masked.substring(0, Math.min(MOST_OF_AN_ANSWER, masked.length())));
    try {
      client.execute(call);
    } catch (TelegramApiException e) {
      log.debug("a button was not answered: {}", reason(e));
      return !isAbout(e, "query is too old");
    }
    return true;
  }

  /** The bot's name in groups, without the {@code @}; empty while Telegram does not answer. */
  Optional<String> username() {
    if (username.isEmpty()) {
      try {
        username = Optional.ofNullable(client.execute(new GetMe()).getUserName());
      } catch (TelegramApiException e) {
        log.debug("the bot's own name is not known: {}", reason(e));
      }
    }
    return username;
  }

  void removeButtons(long chat, int messageId) {
    EditMessageReplyMarkup call = new EditMessageReplyMarkup();
    call.setChatId(Long.toString(chat));
    call.setMessageId(messageId);
    call.setReplyMarkup(new InlineKeyboardMarkup(List.of()));
    try {
      client.execute(call);
    } catch (TelegramApiException e) {
      log.debug("buttons were not removed: {}", reason(e));
    }
  }

  /** The message in Telegram's form, with secrets masked. */
  List<Message.Part> parts(Message message) {
    return message.parts(redaction);
  }

  private String text(List<MessageLine> lines, boolean markup) {
    List<MessageLine> shown = lines.stream().map(line -> line.masked(redaction)).toList();
    return markup ? Pages.html(shown) : Pages.text(shown);
  }

  private static InlineKeyboardMarkup keyboard(List<List<Message.Button>> rows) {
    return new InlineKeyboardMarkup(rows.stream().map(Bot::row).toList());
  }

  private static InlineKeyboardRow row(List<Message.Button> buttons) {
    InlineKeyboardRow row = new InlineKeyboardRow();
    for (Message.Button b : buttons) {
      InlineKeyboardButton button = new InlineKeyboardButton(b.label());
      button.setCallbackData(b.data());
      row.add(button);
    }
    return row;
  }

  private static InputFile file(ByteBuffer bytes, String name) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return new InputFile(new ByteArrayInputStream(copy), name);
  }

  private static boolean isAbout(TelegramApiException e, String words) {
    return e instanceof TelegramApiRequestException r
        && String.valueOf(r.getApiResponse()).toLowerCase(Locale.ROOT).contains(words);
  }

  private CallOutcome outcome(TelegramApiException e) {
    if (e instanceof TelegramApiRequestException r
        && r.getErrorCode() != null
        && r.getErrorCode() > 0) {
      int code = r.getErrorCode();
      if (code == TOO_MANY_REQUESTS) {
        Integer seconds = r.getParameters() == null ? null : r.getParameters().getRetryAfter();
        return new CallOutcome.NotSent(
            Statement.phrase("notice-too-many"), Optional.ofNullable(seconds).map(Bot::bounded));
      }
      return code >= SERVER_ERROR || code == UNAUTHORIZED
          ? new CallOutcome.NotSent(Statement.words(reason(e)), Optional.empty())
          : new CallOutcome.Refused(Statement.words(reason(e)));
    }
    return neverLeft(e)
        ? new CallOutcome.NotSent(Statement.words(reason(e)), Optional.empty())
        : new CallOutcome.Unknown(Statement.words(reason(e)));
  }

  /** Bounds the wait that a server requests, which is untrusted input. */
  static Duration bounded(int seconds) {
    return Duration.ofSeconds(Math.clamp(seconds, 1, LONGEST_WAIT_SECONDS));
  }

  /** Whether the connection was never established. */
  static boolean neverLeft(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof UnknownHostException
          || cause instanceof NoRouteToHostException
          || cause instanceof SSLException) {
        return true;
      }
      if (cause instanceof SocketTimeoutException timeout
          && String.valueOf(timeout.getMessage()).toLowerCase(Locale.ROOT).contains("connect")) {
        return true;
      }
      if (cause instanceof IOException && cause.getCause() == null) {
        return false;
      }
    }
    return false;
  }

  /** The reason without an address, which would contain the token. */
  private String reason(TelegramApiException e) {
    if (e instanceof TelegramApiRequestException r && r.getApiResponse() != null) {
      return redaction.of(r.getErrorCode() + " " + r.getApiResponse());
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return redaction.of(cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }
}
