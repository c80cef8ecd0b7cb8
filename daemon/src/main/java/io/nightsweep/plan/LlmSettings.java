package io.nightsweep.plan;

import io.nightsweep.sweep.LlmTerms;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Which language model to use, and on which terms.
 *
 * @param url up to the path that the dialect appends, such as {@code http://127.0.0.1:8000/v1}
 * @param keyVariable the environment variable with the key; absent where none is needed
 * @param timeLimit of one whole call
 * @param longestAnswer in tokens
 * @param answerLimit the field of chat completions for {@code longestAnswer}; OpenAI's newer models
 *     refuse {@code max_tokens}, and servers such as Ollama ignore {@code max_completion_tokens}
 * @param inputPrice in millionths of a dollar for a million tokens
 * @param proxy for HTTP, as {@code host:port}
 * @param certificates a PEM file to trust in addition to the machine's own certificates
 */
public record LlmSettings(
    LlmTerms terms,
    Dialect dialect,
    URI url,
    Optional<String> keyVariable,
    Duration timeLimit,
    int longestAnswer,
    String answerLimit,
    long inputPrice,
    long outputPrice,
    Optional<String> proxy,
    Optional<Path> certificates) {
  public enum Dialect {
    /** The chat completions API, which many local servers support. */
    OPENAI,
    /** The Messages API. */
    ANTHROPIC
  }
}
