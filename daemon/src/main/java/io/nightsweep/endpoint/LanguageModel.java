package io.nightsweep.endpoint;

import io.nightsweep.llm.Prompt;
import io.nightsweep.sweep.LlmAnswer;

/** Answers one prompt. */
public interface LanguageModel {
  /** What came back. */
  sealed interface ModelReply {
    /**
     * @param text untrusted
     * @param tokensIn as the endpoint counts, or an estimate from above where it does not
     */
    record Text(String text, long tokensIn, long tokensOut) implements ModelReply {}

    /**
     * @param outcome never {@code READ}
     * @param detail one sentence without anything of the endpoint's own text
     * @param tokensIn what may have been charged all the same
     */
    record Nothing(LlmAnswer.LlmOutcome outcome, String detail, long tokensIn)
        implements ModelReply {}
  }

  /** Waits until there is an answer, or until there will be none. */
  ModelReply ask(Prompt prompt) throws InterruptedException;

  /** The most tokens that the prompt and its answer may take. */
  long mostTokens(Prompt prompt);

  /** In millionths of a dollar. */
  long price(long tokensIn, long tokensOut);
}
