package io.nightsweep.plan;

import java.util.List;
import java.util.Optional;

/** Asks the person at the terminal for values that a sweep file omits. */
public interface Prompter {
  /**
   * @param key the sweep file's key
   * @param choices values to choose from; empty where any text is allowed
   * @return the answer; empty where nobody can be asked
   */
  Optional<String> ask(String key, String question, List<String> choices);

  /** A prompter without answers, for use without a terminal. */
  static Prompter nobody() {
    return (key, question, choices) -> Optional.empty();
  }
}
