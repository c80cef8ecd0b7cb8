package io.nightsweep.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Posts notices to the incoming webhooks of Slack, Teams and ntfy, or as plain JSON. Sends only
 * text; pictures, files and buttons are available in the report and on the command line.
 */
final class Webhook implements Recipient {
  private static final MediaType JSON = MediaType.get("application/json");
  private static final MediaType TEXT = MediaType.get("text/plain; charset=utf-8");
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int LONGEST_WAIT_SECONDS = 3600;

  /** ntfy turns a longer message into a file (docs.ntfy.sh/publish). */
  private static final int MOST_BYTES_OF_NTFY = 4096;

  /** The title goes into an HTTP header: one line of ASCII. */
  private static final int MOST_OF_A_TITLE = 200;

  private final WebhookAddress address;
  private final Redaction redaction;
  private final OkHttpClient http =
      new OkHttpClient.Builder()
          .retryOnConnectionFailure(false)
          .followRedirects(false)
          .callTimeout(Duration.ofSeconds(15))
          .build();

  Webhook(WebhookAddress address, Redaction redaction) {
    this.address = address;
    this.redaction = redaction;
  }

  @Override
  public String name() {
    return address.service().label().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<Message.Part> parts(Message message) {
    List<Message.Part> parts = new ArrayList<>();
    for (Message.Part part : message.parts(redaction)) {
      if (part instanceof Message.Part.Text) {
        parts.add(part);
      }
    }
    return parts;
  }

  @Override
  public boolean isReachable() {
    return true;
  }

  @Override
  public CallOutcome send(Message.Part part) {
    return part instanceof Message.Part.Text text
        ? posted(text)
        : new CallOutcome.Refused(Statement.phrase("notice-no-text"));
  }

  private CallOutcome posted(Message.Part.Text part) {
    List<MessageLine> lines = part.lines().stream().map(line -> line.masked(redaction)).toList();
    try (Response response = http.newCall(request(lines)).execute()) {
      int code = response.code();
      if (response.isSuccessful()) {
        return new CallOutcome.Sent(address.service().label() + "/" + System.nanoTime());
      }
      Statement because = Statement.phrase("notice-status", address.service().label(), code);
      return code == TOO_MANY_REQUESTS || code >= SERVER_ERROR
          ? new CallOutcome.NotSent(because, retryAfter(response))
          : new CallOutcome.Refused(because);
    } catch (IOException e) {
      // The exception's message is left out, since it may contain the address.
      Statement because =
          Statement.phrase(
              "notice-no-answer", address.service().label(), e.getClass().getSimpleName());
      return Bot.neverLeft(e)
          ? new CallOutcome.NotSent(because, Optional.empty())
          : new CallOutcome.Unknown(because);
    }
  }

  private static Optional<Duration> retryAfter(Response response) {
    String asked = response.header("Retry-After", "");
    return asked != null && asked.matches("\\d{1,9}")
        ? Optional.of(
            Duration.ofSeconds(Math.clamp(Integer.parseInt(asked), 1, LONGEST_WAIT_SECONDS)))
        : Optional.empty();
  }

  private Request request(List<MessageLine> lines) throws IOException {
    String title = lines.isEmpty() ? "" : lines.getFirst().text();
    String text = Pages.text(lines);
    Request.Builder to = new Request.Builder().url(address.url().reveal());
    return switch (address.service()) {
      case SLACK -> to.post(json(slack(text))).build();
      case TEAMS -> to.post(json(teams(title, Pages.text(rest(lines))))).build();
      case NTFY ->
          to.header("Title", header(title))
              .post(RequestBody.create(bounded(Pages.text(rest(lines)).strip()), TEXT))
              .build();
      case PLAIN -> {
        ObjectNode node = Json.mapper().createObjectNode();
        node.put("source", "nightsweep").put("title", title).put("text", text);
        yield to.post(json(node)).build();
      }
    };
  }

  private static List<MessageLine> rest(List<MessageLine> lines) {
    return lines.size() < 2 ? lines : lines.subList(1, lines.size());
  }

  /**
   * Escapes the three characters that are special for Slack (docs.slack.dev, formatting message
   * text).
   */
  private static ObjectNode slack(String text) {
    return Json.mapper()
        .createObjectNode()
        .put("text", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
        .put("mrkdwn", false);
  }

  /** An Adaptive Card, the format of the workflow "when a Teams webhook request is received". */
  private static ObjectNode teams(String title, String text) {
    ObjectNode message = Json.mapper().createObjectNode().put("type", "message");
    ObjectNode attachment = message.putArray("attachments").addObject();
    attachment.put("contentType", "application/vnd.microsoft.card.adaptive");
    ObjectNode card =
        attachment
            .putObject("content")
            .put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json")
            .put("type", "AdaptiveCard")
            .put("version", "1.4");
    ArrayNode body = card.putArray("body");
    run(body, title).put("weight", "bolder");
    text.lines().filter(line -> !line.isBlank()).forEach(line -> run(body, line));
    return message;
  }

  /** Sent as plain text, so that a link in a quoted log line stays text. */
  private static ObjectNode run(ArrayNode body, String text) {
    return body.addObject()
        .put("type", "RichTextBlock")
        .putArray("inlines")
        .addObject()
        .put("type", "TextRun")
        .put("text", text);
  }

  private static RequestBody json(ObjectNode node) throws IOException {
    return RequestBody.create(Json.mapper().writeValueAsBytes(node), JSON);
  }

  private static String header(String title) {
    String ascii = title.replaceAll("[^\\x20-\\x7e]+", " ").strip();
    return ascii.substring(0, Math.min(MOST_OF_A_TITLE, ascii.length()));
  }

  private static byte[] bounded(String text) {
    String cut = text;
    while (cut.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES_OF_NTFY) {
      cut = cut.substring(0, cut.length() - Math.max(1, cut.length() / 16));
    }
    return cut.getBytes(StandardCharsets.UTF_8);
  }
}
