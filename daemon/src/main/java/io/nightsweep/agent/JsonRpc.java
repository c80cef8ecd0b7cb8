package io.nightsweep.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import java.util.Optional;

/** Checks a message, one object on a line, against the basic rules of JSON-RPC 2.0. */
final class JsonRpc {
  /** Error code: the line is not JSON. */
  static final int UNREADABLE = -32700;

  /** Error code: the line is JSON but not a message. */
  static final int INVALID = -32600;

  private JsonRpc() {}

  /** The error answer to an invalid line; empty where the line is a message or blank. */
  static Optional<String> error(String line) {
    if (line.isBlank()) {
      return Optional.empty();
    }
    JsonNode message;
    try {
      message = Json.mapper().readTree(line);
    } catch (JsonProcessingException e) {
      return Optional.of(error(UNREADABLE, "the line is not JSON"));
    }
    return fault(message).map(fault -> error(INVALID, fault));
  }

  private static Optional<String> fault(JsonNode message) {
    if (!message.isObject()) {
      return Optional.of("expected one object on a line, no batch");
    }
    if (!message.path("jsonrpc").asText().equals("2.0")) {
      return Optional.of("expected \"jsonrpc\": \"2.0\"");
    }
    JsonNode id = message.path("id");
    if (!id.isMissingNode() && !id.isTextual() && !id.isIntegralNumber()) {
      return Optional.of("expected an id that is a text or a whole number");
    }
    boolean isAnswer = message.has("result") || message.has("error");
    if (!isAnswer && !message.path("method").isTextual()) {
      return Optional.of("expected a method's name");
    }
    JsonNode params = message.path("params");
    return params.isMissingNode() || params.isObject()
        ? Optional.empty()
        : Optional.of("expected params to be an object, or none");
  }

  static String error(int code, String why) {
    ObjectNode answer = Json.mapper().createObjectNode().put("jsonrpc", "2.0").putNull("id");
    answer.putObject("error").put("code", code).put("message", why);
    return answer.toString();
  }
}
