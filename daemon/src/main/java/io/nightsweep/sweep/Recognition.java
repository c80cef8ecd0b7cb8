package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How attempts are told apart by their logs and ends. All patterns are RE2, unanchored, and see
 * lines without a rank's prefix and without colours.
 *
 * @param benign lines that look like failures and are not
 * @param echoes lines that tell of a failure elsewhere, or sum a job up: never where it began
 * @param errors what an error looks like, whatever it says
 * @param marks stations of a job's life that its log tells of
 * @param readings what is read from every log
 * @param classes in their order of precedence
 */
public record Recognition(
    List<String> benign,
    List<String> echoes,
    Errors errors,
    SortedMap<String, Mark> marks,
    Readings readings,
    List<FailureClass> classes) {
  /**
   * Something that begins and ends, as often as its patterns occur.
   *
   * @param clears patterns after which none of it is open; none is after a step either
   */
  public record Mark(List<String> begins, List<String> ends, List<String> clears) {
    public Mark {
      begins = List.copyOf(begins);
      ends = List.copyOf(ends);
      clears = List.copyOf(clears);
    }
  }

  /**
   * Patterns whose first group is a figure or name.
   *
   * @param stepsTotal how many steps there will be
   * @param exit the exit code that the job's own summary tells
   * @param host the name of the host that the line's rank runs on
   */
  public record Readings(List<String> stepsTotal, List<String> exit, List<String> host) {
    public static final Readings NONE = new Readings(List.of(), List.of(), List.of());

    public Readings {
      stepsTotal = List.copyOf(stepsTotal);
      exit = List.copyOf(exit);
      host = List.copyOf(host);
    }
  }

  /**
   * Lines in which a program says that it failed, for failures that no class knows.
   *
   * @param tracebacks a stack of calls follows, and after it a line of {@code raised}
   * @param raised what was raised: such a line counts only after a traceback of the same rank
   * @param fatal the process that prints it dies of it, such as a failed check or a signal
   * @param plain the process may have gone on
   * @param warnings the process says itself that it goes on: such a line is no error
   * @param ignored what the same rank raises next is none either
   */
  public record Errors(
      List<String> tracebacks,
      List<String> raised,
      List<String> fatal,
      List<String> plain,
      List<String> warnings,
      List<String> ignored) {
    public static final Errors NONE =
        new Errors(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    public Errors {
      tracebacks = List.copyOf(tracebacks);
      raised = List.copyOf(raised);
      fatal = List.copyOf(fatal);
      plain = List.copyOf(plain);
      warnings = List.copyOf(warnings);
      ignored = List.copyOf(ignored);
    }
  }

  /** Recognises nothing. */
  public static final Recognition NONE =
      new Recognition(List.of(), List.of(), Errors.NONE, new TreeMap<>(), Readings.NONE, List.of());

  public Recognition {
    benign = List.copyOf(benign);
    echoes = List.copyOf(echoes);
    marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
    classes = List.copyOf(classes);
  }
}
