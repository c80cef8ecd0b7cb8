package io.nightsweep.plan;

import java.util.List;
import java.util.Optional;

/** Asks the person at the terminal for what a sweep file leaves open. */
public interface Prompter {
  /**
   * @param key the sweep file's key
   * @param choices values to choose from, empty where any text may do
   * @return the answer, or empty where nobody can be asked
   */
  Optional<String> ask(String key, String question, List<String> choices);

  /** Answers nothing, as where there is no terminal. */
  static Prompter nobody() {
    return (key, question, choices) -> Optional.empty();
  }
}
