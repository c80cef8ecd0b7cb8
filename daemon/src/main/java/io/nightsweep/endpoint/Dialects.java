package io.nightsweep.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.AnswerSchema;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The names of paths and fields in the two dialects. */
final class Dialects {
  private static final String CONTENT = "content";

  /** The version of the Messages API, sent in a header that later versions require too. */
  private static final String ANTHROPIC_VERSION = "2023-06-01";

  private Dialects() {}

  static String path(LlmSettings.Dialect dialect) {
    return switch (dialect) {
      case OPENAI -> "/chat/completions";
      case ANTHROPIC -> "/messages";
    };
  }

  static Map<String, String> headers(LlmSettings.Dialect dialect, Optional<String> key) {
    Map<String, String> headers = new TreeMap<>();
    switch (dialect) {
      case OPENAI -> key.ifPresent(k -> headers.put("Authorization", "Bearer " + k));
      case ANTHROPIC -> {
        headers.put("anthropic-version", ANTHROPIC_VERSION);
        key.ifPresent(k -> headers.put("x-api-key", k));
      }
    }
    return headers;
  }

  static String body(LlmSettings settings, Prompt prompt) {
    ObjectNode body = Json.mapper().createObjectNode();
    body.put("model", settings.terms().model());
    switch (settings.dialect()) {
      case OPENAI -> {
        body.put(settings.answerLimit(), settings.longestAnswer());
        body.withArray("messages").addObject().put("role", "system").put(CONTENT, prompt.rules());
        ObjectNode format = body.putObject("response_format").put("type", "json_schema");
        format.putObject("json_schema").put("name", "answer").set("schema", AnswerSchema.node());
      }
      case ANTHROPIC ->
          body.put("max_tokens", settings.longestAnswer()).put("system", prompt.rules());
    }
    body.withArray("messages").addObject().put("role", "user").put(CONTENT, prompt.data());
    return body.toString();
  }

  /**
   * The answer's text; empty where the endpoint's JSON has none, or the model declined. A message
   * consists of several blocks; only text blocks are the answer.
   */
  static Optional<String> text(LlmSettings.Dialect dialect, JsonNode answer) {
    return switch (dialect) {
      case OPENAI ->
          Optional.of(answer.at("/choices/0/message/content"))
              .filter(JsonNode::isTextual)
              .map(JsonNode::textValue);
      case ANTHROPIC -> {
        StringBuilder text = new StringBuilder();
        for (JsonNode block : answer.path(CONTENT)) {
          if (block.path("type").asText().equals("text")) {
            text.append(block.path("text").asText());
          }
        }
        yield text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
      }
    };
  }

  /** The prompt's tokens as counted by the endpoint; empty where it gives no count. */
  static OptionalLong tokensIn(LlmSettings.Dialect dialect, JsonNode answer) {
    return count(
        answer,
        dialect == LlmSettings.Dialect.OPENAI ? "/usage/prompt_tokens" : "/usage/input_tokens");
  }

  /** The answer's tokens as counted by the endpoint. */
  static OptionalLong tokensOut(LlmSettings.Dialect dialect, JsonNode answer) {
    return count(
        answer,
        dialect == LlmSettings.Dialect.OPENAI
            ? "/usage/completion_tokens"
            : "/usage/output_tokens");
  }

  private static OptionalLong count(JsonNode answer, String where) {
    JsonNode count = answer.at(where);
    return count.canConvertToLong() ? OptionalLong.of(count.longValue()) : OptionalLong.empty();
  }
}
