package io.nightsweep.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An input with problems: all of them, in the order of their places. Thrown before anything is
 * started.
 */
public final class InvalidInputException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public InvalidInputException(List<Problem> problems) {
    super(problems.stream().sorted().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = problems.stream().sorted().toList();
  }

  public List<Problem> problems() {
    return problems;
  }
}
