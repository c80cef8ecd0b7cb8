package io.nightsweep.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/** An error as the answer of a call. */
final class BotRefusal extends Exception {
  private static final long serialVersionUID = 1L;
  final int code;

  /** Writes the machine-readable parameters of the answer. */
  final transient Consumer<ObjectNode> parameters;

  private BotRefusal(int code, String description, Consumer<ObjectNode> parameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }

  BotRefusal(int code, String description) {
    this(code, description, answer -> {});
  }

  static BotRefusal flood(int seconds) {
    return new BotRefusal(
        429,
        "Too Many Requests: retry after " + seconds,
        answer -> answer.putObject("parameters").put("retry_after", seconds));
  }

  static BotRefusal moved(long to) {
    return new BotRefusal(
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        answer -> answer.putObject("parameters").put("migrate_to_chat_id", to));
  }
}
