package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * A server that speaks the Bot API (core.telegram.org/bots/api) to one bot and enforces its rules;
 * violations are answered as by the real server and kept in {@link #violations}.
 */
final class BotApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> METHODS =
      Set.of(
          "getme",
          "deletewebhook",
          "getupdates",
          "sendmessage",
          "sendphoto",
          "senddocument",
          "answercallbackquery",
          "editmessagereplymarkup");

  final List<String> violations = new CopyOnWriteArrayList<>();
  final List<ReceivedMessage> received = new CopyOnWriteArrayList<>();
  final List<String> answered = new CopyOnWriteArrayList<>();

  /** The bytes of all requests, for searches. */
  final List<String> raw = new CopyOnWriteArrayList<>();

  private final String token;
  private final Set<Long> chats;
  private final int port;
  private final Map<Long, Long> supergroups = new HashMap<>();
  private final Map<Integer, ObjectNode> updates = new HashMap<>();
  private final Set<String> openQueries = new HashSet<>();
  private HttpServer server;
  private ExecutorService threads = Executors.newCachedThreadPool();
  private int nextUpdate = 100;
  private int nextMessage = 1000;
  private int refusedMarkups;
  private int floods;
  private int movedRefusals;
  private long silentUntilNanos;
  private int silentSeconds;
  private Optional<String> lost = Optional.empty();
  volatile boolean conflict;

  BotApi(String token, Long... chats) throws IOException {
    this.token = token;
    this.chats = new HashSet<>(Set.of(chats));
    server = listen(0);
    port = server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Settings of a chat that speaks to this server: short waits, no limit of routine messages. */
  ChatSettings settings() throws Exception {
    return settings(1000);
  }

  ChatSettings settings(int routineAnHour) throws Exception {
    ChatSettings d = ChatSettings.of(Map.of(ChatSettings.SERVER, url()));
    return new ChatSettings(
        d.server(),
        routineAnHour,
        d.quiet(),
        Duration.ofSeconds(1),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        d.staleCommand(),
        d.staleNotice());
  }

  private HttpServer listen(int on) throws IOException {
    HttpServer s =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), on), 0);
    s.setExecutor(threads);
    s.createContext("/", this::handle);
    s.start();
    return s;
  }

  /** Cuts the network: connections are refused. */
  synchronized void cut() {
    server.stop(0);
    threads.shutdownNow();
  }

  synchronized void restore() throws IOException {
    threads = Executors.newCachedThreadPool();
    server = listen(port);
  }

  /** Refuses the next {@code n} messages with markup as malformed. */
  synchronized void refuseMarkup(int n) {
    refusedMarkups = n;
  }

  /**
   * Refuses the next message as one too many; a client that does not wait this long commits a
   * violation.
   */
  synchronized void flood(int seconds) {
    floods = 1;
    silentSeconds = seconds;
  }

  /** The next message that contains this arrives, but its sender gets no answer. */
  synchronized void loseAnswer(String messageWith) {
    lost = Optional.of(messageWith);
  }

  /** Changes the group's id; messages to the old id are refused with a reference to the new one. */
  synchronized void becomesSupergroup(long group, long supergroup) {
    supergroups.put(group, supergroup);
    chats.add(supergroup);
  }

  /** Sends the update by which the bot learns of the change. */
  synchronized void tellsOfSupergroup(long group) {
    ObjectNode message = message(group, 1, Instant.now());
    update("message", message.put("migrate_to_chat_id", supergroups.get(group)));
  }

  /** How often a message was sent to a group's old id. */
  synchronized int movedRefusals() {
    return movedRefusals;
  }

  synchronized void says(long chat, long user, String text) {
    says(chat, user, text, Instant.now());
  }

  synchronized void says(long chat, long user, String text, Instant at) {
    ObjectNode message = message(chat, user, at);
    message.put("text", text);
    update("message", message);
  }

  synchronized void presses(long chat, long user, int messageId, String data) {
    ObjectNode query = JSON.createObjectNode();
    String id = "q" + nextUpdate;
    openQueries.add(id);
    query.put("id", id);
    query.set("from", user(user));
    query.put("chat_instance", "c");
    query.put("data", data);
    ObjectNode message = message(chat, 1, Instant.now());
    message.put("message_id", messageId);
    message.put("text", "what the button hung on");
    query.set("message", message);
    update("callback_query", query);
  }

  /**
   * Expires the presses made while nobody listened: Telegram keeps the update but not the query.
   */
  synchronized void forgetQueries() {
    openQueries.clear();
  }

  /** As after a quiet week, or for another bot: update numbers start below the confirmed ones. */
  synchronized void beginNewSequence(int first) {
    updates.clear();
    nextUpdate = first;
  }

  /** Sends an update verbatim, of a kind that no library knows yet. */
  synchronized void sends(String kind, String json) throws IOException {
    update(kind, (ObjectNode) JSON.readTree(json));
  }

  private void update(String kind, ObjectNode body) {
    ObjectNode update = JSON.createObjectNode();
    update.put("update_id", nextUpdate);
    update.set(kind, body);
    updates.put(nextUpdate++, update);
    notifyAll();
  }

  private ObjectNode message(long chat, long user, Instant at) {
    ObjectNode message = JSON.createObjectNode();
    message.put("message_id", nextMessage++);
    message.put("date", at.getEpochSecond());
    message.putObject("chat").put("id", chat).put("type", chat > 0 ? "private" : "group");
    message.set("from", user(user));
    return message;
  }

  private static ObjectNode user(long id) {
    return JSON.createObjectNode()
        .put("id", id)
        .put("is_bot", false)
        .put("first_name", "Anna")
        .put("username", "anna");
  }

  /** Waits for the first message that matches. */
  ReceivedMessage awaited(Duration patience, Predicate<ReceivedMessage> which) {
    await()
        .atMost(patience)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(received).anyMatch(which));
    return received.stream().filter(which).findFirst().orElseThrow();
  }

  /** Updates that the bot has not confirmed. */
  synchronized int backlog() {
    return updates.size();
  }

  private void handle(HttpExchange exchange) throws IOException {
    boolean silent = false;
    ObjectNode answer = JSON.createObjectNode();
    int code = 200;
    try {
      JsonNode result = call(exchange);
      synchronized (this) {
        silent =
            result.has("message_id")
                && lost.filter(result.path("text").asText()::contains).isPresent();
        if (silent) {
          lost = Optional.empty();
        }
      }
      answer.put("ok", true).set("result", result);
    } catch (BotRefusal e) {
      code = e.code;
      answer.put("ok", false).put("error_code", e.code).put("description", e.getMessage());
      e.parameters.accept(answer);
    } catch (InterruptedException e) {
      exchange.close();
      return;
    }
    if (silent) {
      exchange.close();
      return;
    }
    byte[] bytes = JSON.writeValueAsBytes(answer);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private JsonNode call(HttpExchange exchange)
      throws IOException, BotRefusal, InterruptedException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    if (path.length != 3 || !path[1].equals("bot" + token)) {
      throw refuse(401, "Unauthorized");
    }
    String method = path[2].toLowerCase(Locale.ROOT);
    if (!METHODS.contains(method)) {
      throw refuse(404, "Not Found: method " + method);
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      throw refuse(405, "expected POST for " + method);
    }
    Form form =
        Form.read(String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")), body);
    raw.add(new String(body, StandardCharsets.ISO_8859_1));
    return switch (method) {
      case "getme" -> user(1).put("is_bot", true).put("username", "SweepBot");
      case "deletewebhook" -> JSON.getNodeFactory().booleanNode(true);
      case "getupdates" -> getUpdates(form);
      case "answercallbackquery" -> answerQuery(form);
      case "editmessagereplymarkup" -> edit(form);
      default -> send(method, form);
    };
  }

  private synchronized JsonNode getUpdates(Form form) throws BotRefusal, InterruptedException {
    if (conflict) {
      throw new BotRefusal(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance"
              + " is running");
    }
    int offset = form.integer("offset", 0);
    // An offset outside the sequence confirms nothing: the server then starts from the oldest
    // update.
    if (offset <= nextUpdate) {
      updates.keySet().removeIf(id -> id < offset);
    }
    long until = System.nanoTime() + form.integer("timeout", 0) * 1_000_000_000L;
    while (updates.isEmpty() && System.nanoTime() < until && !conflict) {
      wait(50);
    }
    var list = JSON.createArrayNode();
    updates.keySet().stream().sorted().map(updates::get).forEach(list::add);
    return list;
  }

  private synchronized JsonNode answerQuery(Form form) throws BotRefusal {
    if (!openQueries.remove(form.text("callback_query_id"))) {
      throw new BotRefusal(400, "Bad Request: query is too old and response timeout expired");
    }
    String text = form.text("text");
    if (text.length() > 200) {
      throw refuse(400, "Bad Request: MESSAGE_TOO_LONG");
    }
    answered.add(text);
    return JSON.getNodeFactory().booleanNode(true);
  }

  private synchronized JsonNode edit(Form form) throws BotRefusal {
    checkMarkup(form.json("reply_markup"));
    int id = form.integer("message_id", 0);
    for (int i = 0; i < received.size(); i++) {
      ReceivedMessage m = received.get(i);
      if (m.id() == id && m.chat() == form.number("chat_id")) {
        if (m.markup().equals(form.json("reply_markup"))) {
          throw new BotRefusal(400, "Bad Request: message is not modified");
        }
        return message(m.chat(), 1, Instant.now());
      }
    }
    throw new BotRefusal(400, "Bad Request: message to edit not found");
  }

  private synchronized JsonNode send(String method, Form form) throws BotRefusal {
    long chat = form.number("chat_id");
    if (!chats.contains(chat)) {
      throw refuse(400, "Bad Request: chat not found");
    }
    if (supergroups.containsKey(chat)) {
      movedRefusals++;
      throw BotRefusal.moved(supergroups.get(chat));
    }
    long now = System.nanoTime();
    if (now < silentUntilNanos) {
      throw refuse(429, "Too Many Requests: did not wait");
    }
    if (floods > 0) {
      floods--;
      silentUntilNanos = now + silentSeconds * 1_000_000_000L;
      throw BotRefusal.flood(silentSeconds);
    }
    boolean isText = method.equals("sendmessage");
    String given = form.text(isText ? "text" : "caption");
    String mode = form.text("parse_mode");
    String text = given;
    if (mode.equals("HTML")) {
      if (refusedMarkups > 0) {
        refusedMarkups--;
        throw new BotRefusal(
            400, "Bad Request: can't parse entities: Unsupported start tag at byte offset 0");
      }
      try {
        text = TelegramHtml.text(given);
      } catch (TelegramHtml.CannotParse e) {
        throw refuse(400, String.valueOf(e.getMessage()));
      }
    } else if (!mode.isEmpty()) {
      throw refuse(400, "Bad Request: unsupported parse_mode");
    }
    if (isText && text.isBlank()) {
      throw refuse(400, "Bad Request: message text is empty");
    }
    if (text.length() > (isText ? 4096 : 1024)) {
      throw refuse(400, "Bad Request: " + (isText ? "message" : "caption") + " is too long");
    }
    JsonNode markup = form.json("reply_markup");
    checkMarkup(markup);
    byte[] file =
        isText ? new byte[0] : form.file(method.equals("sendphoto") ? "photo" : "document");
    if (!isText && file.length == 0) {
      throw refuse(400, "Bad Request: file must be non-empty");
    }
    if (method.equals("sendphoto") && (file[0] & 0xff) != 0x89) {
      throw refuse(400, "Bad Request: IMAGE_PROCESS_FAILED");
    }
    ObjectNode message = message(chat, 1, Instant.now());
    received.add(
        new ReceivedMessage(
            chat,
            message.path("message_id").asInt(),
            method,
            text,
            mode,
            markup,
            new String(file, StandardCharsets.UTF_8),
            Instant.now()));
    return message.put("text", text);
  }

  private void checkMarkup(JsonNode markup) throws BotRefusal {
    for (JsonNode row : markup.path("inline_keyboard")) {
      for (JsonNode button : row) {
        int bytes = button.path("callback_data").asText().getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > 64) {
          throw refuse(400, "Bad Request: BUTTON_DATA_INVALID");
        }
        if (button.path("text").asText().isBlank()) {
          throw refuse(400, "Bad Request: inline keyboard button text is empty");
        }
      }
    }
  }

  private BotRefusal refuse(int code, String description) {
    violations.add(code + " " + description);
    return new BotRefusal(code, description);
  }

  @Override
  public synchronized void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
