package io.nightsweep.endpoint;

import io.nightsweep.llm.Prompt;
import io.nightsweep.sweep.LlmAnswer;

/** Answers one prompt. */
public interface LanguageModel {
  /** What came back. */
  sealed interface ModelReply {
    /**
     * @param text untrusted
     */
    record Text(String text, TokenCount tokens) implements ModelReply {}

    /**
     * @param outcome never {@code READ}
     * @param detail one sentence without anything of the endpoint's own text
     * @param tokens what may have been charged all the same
     */
    record Nothing(LlmAnswer.LlmOutcome outcome, String detail, TokenCount tokens)
        implements ModelReply {}
  }

  /** Waits until there is an answer, or until there will be none. */
  ModelReply ask(Prompt prompt) throws InterruptedException;

  /** The most that a call is charged with where the endpoint keeps to the answer's limit. */
  TokenCount mostTokens(Prompt prompt);

  /** In millionths of a dollar. */
  long price(TokenCount tokens);

  /**
   * Asks nobody: each round is journaled with the reason, so that people see why no model answers.
   *
   * @param why one sentence without anything secret
   */
  static LanguageModel unusable(String why) {
    return new LanguageModel() {
      @Override
      public ModelReply ask(Prompt prompt) {
        return new ModelReply.Nothing(LlmAnswer.LlmOutcome.OFF, why, TokenCount.NONE);
      }

      @Override
      public TokenCount mostTokens(Prompt prompt) {
        return TokenCount.NONE;
      }

      @Override
      public long price(TokenCount tokens) {
        return 0;
      }
    };
  }
}
