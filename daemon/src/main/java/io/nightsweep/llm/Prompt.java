package io.nightsweep.llm;

/**
 * What is sent to the language model.
 *
 * @param rules the same each time: the task, and the schema of an answer
 * @param data one JSON object; the terms list what it may contain
 */
public record Prompt(String rules, String data) {
  /** The full text, as it is stored, hashed and shown. */
  public String text() {
    return rules + "\n\n" + data;
  }
}
