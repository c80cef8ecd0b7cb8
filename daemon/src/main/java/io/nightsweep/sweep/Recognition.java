package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How attempts are classified by their logs and ends. All patterns are RE2, unanchored, and match
 * lines without rank prefixes and colours.
 *
 * @param benign lines that look like failures but are harmless
 * @param echoes lines that report a failure elsewhere or summarise a job, and so never show where
 *     the failure began
 * @param errors the form of an error, whatever it says
 * @param marks stages of a job's life that its log reports
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
   * A stage that begins and ends as often as its patterns match.
   *
   * @param clears patterns that close it however often it was begun; a step does so too
   */
  public record Mark(List<String> begins, List<String> ends, List<String> clears) {
    public Mark {
      begins = List.copyOf(begins);
      ends = List.copyOf(ends);
      clears = List.copyOf(clears);
    }
  }

  /**
   * Patterns with a figure or a name as their first group.
   *
   * @param stepsTotal how many steps there will be
   * @param exit the exit code that the job's own summary reports
   * @param host the name of the host on which the line's rank runs
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
   * Lines in which a program reports that it failed, for failures that match no class.
   *
   * @param tracebacks begins a stack of calls, followed by a line of {@code raised}
   * @param raised the exception; the line counts only after a traceback of the same rank
   * @param fatal an error that ends the process that prints it, such as a failed check or a signal
   * @param plain an error after which the process may have gone on
   * @param warnings the process reports that it goes on, so the line is not an error
   * @param ignored the next exception of the same rank is not an error either
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
