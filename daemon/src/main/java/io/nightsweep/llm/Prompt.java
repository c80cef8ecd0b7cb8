package io.nightsweep.llm;

/**
 * What leaves the house.
 *
 * @param rules the same each time: the task, and the schema of an answer
 * @param data one JSON object; what it may hold is listed in the terms
 */
public record Prompt(String rules, String data) {
  /** The text that is kept, hashed and shown. */
  public String text() {
    return rules + "\n\n" + data;
  }
}
