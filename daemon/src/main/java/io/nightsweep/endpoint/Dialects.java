package io.nightsweep.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.AnswerSchema;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the two dialects call the same things. */
final class Dialects {
  private static final String MAX_TOKENS = "max_tokens";
  private static final String CONTENT = "content";

  /** Of the Messages API; later ones are asked for by this header as well. */
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
    body.put(MAX_TOKENS, settings.longestAnswer());
    switch (settings.dialect()) {
      case OPENAI -> {
        body.withArray("messages").addObject().put("role", "system").put(CONTENT, prompt.rules());
        ObjectNode format = body.putObject("response_format").put("type", "json_schema");
        format.putObject("json_schema").put("name", "answer").set("schema", AnswerSchema.node());
      }
      case ANTHROPIC -> body.put("system", prompt.rules());
    }
    body.withArray("messages").addObject().put("role", "user").put(CONTENT, prompt.data());
    return body.toString();
  }

  /** The answer's text; empty where the endpoint's JSON has none, or the model declined. */
  static Optional<String> text(LlmSettings.Dialect dialect, JsonNode answer) {
    JsonNode text =
        switch (dialect) {
          case OPENAI -> answer.at("/choices/0/message/content");
          case ANTHROPIC -> answer.at("/content/0/text");
        };
    return text.isTextual() ? Optional.of(text.textValue()) : Optional.empty();
  }

  /** As the endpoint counts; never negative, and never less than nothing. */
  static long tokensIn(LlmSettings.Dialect dialect, JsonNode answer, long otherwise) {
    return count(
        answer,
        dialect == LlmSettings.Dialect.OPENAI ? "/usage/prompt_tokens" : "/usage/input_tokens",
        otherwise);
  }

  static long tokensOut(LlmSettings.Dialect dialect, JsonNode answer, long otherwise) {
    return count(
        answer,
        dialect == LlmSettings.Dialect.OPENAI ? "/usage/completion_tokens" : "/usage/output_tokens",
        otherwise);
  }

  private static long count(JsonNode answer, String where, long otherwise) {
    JsonNode count = answer.at(where);
    return count.canConvertToLong() && count.longValue() >= 0 ? count.longValue() : otherwise;
  }
}
