package io.nightsweep.engine;

import io.nightsweep.llm.Remembered;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.List;

/** Keeps each prompt, each unmodified answer, and the errors found in the answer. */
public interface LlmStore {
  /** Whether this or an earlier daemon has sent the prompt of a round. */
  boolean isSent(int round);

  void keepPrompt(int round, String text) throws IOException;

  void keepAnswer(int round, String text) throws IOException;

  /** What earlier nights with the same model and parallelism stored. */
  List<Remembered> remembered(SweepState s) throws IOException;

  void remember(List<Remembered> refuted) throws IOException;

  /** Keeps nothing, for nights that should leave no files. */
  static LlmStore none() {
    return new LlmStore() {
      @Override
      public boolean isSent(int round) {
        return false;
      }

      @Override
      public void keepPrompt(int round, String text) {}

      @Override
      public void keepAnswer(int round, String text) {}

      @Override
      public List<Remembered> remembered(SweepState s) {
        return List.of();
      }

      @Override
      public void remember(List<Remembered> refuted) {}
    };
  }
}
