package io.nightsweep.sweep;

/** How one step of a remedy ended. */
public sealed interface StepEnd {
  /** The result of a step that left working drivers alone. */
  String NOT_RESET = "because-not-reset";

  /** What the step printed or did, for people; without text if there is nothing to report. */
  Statement said();

  /** Whether the step ended well without doing what its name says. */
  default boolean isSpared() {
    return said() instanceof Statement.Phrase phrase && phrase.key().equals(NOT_RESET);
  }

  record Succeeded(Statement said) implements StepEnd {}

  record Failed(Statement said) implements StepEnd {}

  /**
   * The step never ran because people did not approve it.
   *
   * @param byPerson whether somebody said no; otherwise nobody answered in time
   */
  record Refused(boolean byPerson) implements StepEnd {
    @Override
    public Statement said() {
      return Statement.phrase(byPerson ? "because-denied" : "because-not-in-time");
    }
  }

  static StepEnd succeeded(Statement said) {
    return new Succeeded(said);
  }

  static StepEnd failed(Statement said) {
    return new Failed(said);
  }

  default boolean succeeded() {
    return this instanceof Succeeded;
  }
}
