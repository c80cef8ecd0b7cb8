package io.nightsweep.plan;

import io.nightsweep.sweep.LlmTerms;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Which language model is asked, and on which terms.
 *
 * @param url up to the path that the dialect appends, such as {@code http://127.0.0.1:8000/v1}
 * @param keyVariable the environment variable that holds the key; absent where none is needed
 * @param timeLimit of one whole call
 * @param longestAnswer in tokens
 * @param answerLimit the field of chat completions that carries it; OpenAI's newer models refuse
 *     {@code max_tokens}, and servers such as Ollama ignore {@code max_completion_tokens}
 * @param inputPrice in millionths of a dollar for a million tokens
 * @param proxy of HTTP, as {@code host:port}
 * @param certificates a PEM file that is trusted beside the machine's own
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
    /** Chat completions, which many local servers speak. */
    OPENAI,
    /** Messages. */
    ANTHROPIC
  }
}
