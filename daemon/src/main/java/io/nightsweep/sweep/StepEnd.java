package io.nightsweep.sweep;

/** How one step of a remedy ended. */
public sealed interface StepEnd {
  /** What it printed or did, for people; without words where there is nothing to tell. */
  Statement said();

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
