package io.nightsweep.llm;

import java.util.function.UnaryOperator;

/**
 * What leaves the house.
 *
 * @param rules the same each time: the task, and the schema of an answer
 * @param data one JSON object; what it may hold is listed in the terms
 */
public record Prompt(String rules, String data) {
  /**
   * Without secrets.
   *
   * @param mask takes them out of a text
   */
  public Prompt masked(UnaryOperator<String> mask) {
    return new Prompt(rules, mask.apply(data));
  }

  /** As it is kept, hashed and shown. */
  public String text() {
    return rules + "\n\n" + data;
  }
}
