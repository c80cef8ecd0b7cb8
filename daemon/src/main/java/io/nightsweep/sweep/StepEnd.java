package io.nightsweep.sweep;

/** How one step of a remedy ended. */
public sealed interface StepEnd {
  /** What a step says that found drivers well enough to be left alone. */
  String NOT_RESET = "because-not-reset";

  /** What it printed or did, for people; without words where there is nothing to tell. */
  Statement said();

  /** Whether the step ended well without having done what it is called by. */
  default boolean isSpared() {
    return said() instanceof Statement.Phrase phrase && phrase.key().equals(NOT_RESET);
  }

  record Succeeded(Statement said) implements StepEnd {}

  record Failed(Statement said) implements StepEnd {}

  /**
   * The step never ran, since people did not approve of it.
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
