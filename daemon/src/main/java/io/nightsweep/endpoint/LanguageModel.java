package io.nightsweep.endpoint;

import io.nightsweep.llm.Prompt;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.Statement;

/** Answers one prompt. */
public interface LanguageModel {
  /** The result of a prompt. */
  sealed interface ModelReply {
    /**
     * @param text untrusted
     */
    record Text(String text, TokenCount tokens) implements ModelReply {}

    /**
     * @param outcome never {@code READ}
     * @param detail a sentence without any of the endpoint's own text
     * @param tokens that may have been charged anyway
     */
    record Nothing(LlmAnswer.LlmOutcome outcome, Statement detail, TokenCount tokens)
        implements ModelReply {}
  }

  /** Waits for the answer, or until it is certain that there will be none. */
  ModelReply ask(Prompt prompt) throws InterruptedException;

  /** The most that a call can cost if the endpoint respects the answer's limit. */
  TokenCount mostTokens(Prompt prompt);

  /** In millionths of a dollar. */
  long price(TokenCount tokens);

  /**
   * A model that is never called: each round is journaled with the reason, so that people see why
   * there are no answers.
   *
   * @param why a sentence without secrets
   */
  static LanguageModel unusable(Statement why) {
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
