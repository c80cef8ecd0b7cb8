package io.nightsweep.workload.command;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Examines a command's output beyond the steps found by the sweep file's pattern, and explains why
 * the output is not a measurement.
 */
final class OutputDoubts {
  /** Numbers of {@link #WORDS}: the line may match {@link #MISSING} or {@link #MISSING_FOR}. */
  private static final int MAY_MISS = 1;

  private static final int MAY_CRASH = 2;
  private static final int MAY_COMPLAIN = 3;
  private static final int MAY_TRACE = 4;

  /**
   * Messages about a missing program or library: the first is from bash ({@code bash: line 3:
   * zstdd: command not found}), the second from env and exec, the others from the dynamic linker.
   */
  private static final Pattern MISSING =
      Pattern.compile(
          "command not found|: not found$"
              + "|error while loading shared libraries: |: version `GLIBC\\w*_[\\d.]+' not found");

  private static final Pattern MISSING_FOR =
      Pattern.compile("env|exec|can't open file|: line \\d+: ");
  private static final String NO_FILE = "No such file or directory";

  private static final Pattern CRASH =
      Pattern.compile(
          "(?i:segmentation fault|core dumped|illegal instruction|floating point exception)"
              + "|^Aborted\\b|^panic: |terminate called after throwing");

  /** Words with which programs report an error. */
  private static final String ERRORS =
      "(?i)\\b(?:error|fatal|failed|failure|invalid|incorrect|illegal|unknown|unrecogni[sz]ed|cannot|can't|could not|no such|denied|usage:)";

  private static final Pattern ERROR = Pattern.compile(ERRORS);
  private static final String TRACEBACKS = "Traceback \\(most recent call last\\)";
  private static final Pattern TRACEBACK = Pattern.compile(TRACEBACKS);
  private static final Pattern RAISED = Pattern.compile("[A-Za-z_][\\w.]*(?:: |$)");
  private static final Pattern FIGURE = Pattern.compile("\\d+(?:\\.\\d+)?");

  /** How many lines are compared: by then, a program that prints steps has repeated itself. */
  private static final int MOST_COMPARED = 10_000;

  private static final int LONGEST_COMPARED = 200;

  /** The prefix of the wrapper's own lines. */
  private static final String OURS = "nightsweep: ";

  /**
   * Words that a line must have before one of the expressions above can match. The cheap search for
   * them comes first, since a program can print millions of lines and Java's expressions are slow.
   */
  static final PatternSet WORDS =
      PatternSets.of(
          new TreeMap<>(
              Map.of(
                  MAY_MISS,
                  "command not found|: not found|error while loading shared libraries: "
                      + "|: version `GLIBC|"
                      + NO_FILE,
                  MAY_CRASH,
                  "(?i:segmentation fault|core dumped|illegal instruction|floating point exception)"
                      + "|Aborted|panic: |terminate called after throwing",
                  MAY_COMPLAIN,
                  ERRORS,
                  MAY_TRACE,
                  TRACEBACKS)));

  private int lines;
  private int steps;
  private boolean inTraceback;
  private Optional<Quote> missing = Optional.empty();
  private Optional<Quote> crash = Optional.empty();
  private final Map<String, Integer> alike = new HashMap<>();
  private int mostAlike;
  private Optional<Quote> unread = Optional.empty();
  private Optional<Quote> error = Optional.empty();

  /**
   * @param isStep whether the pattern found a step in the line
   * @param words indices of the entries of {@link #WORDS} that the line may contain, ascending
   */
  void line(Line line, boolean isStep, int[] words) {
    String text = line.body();
    if (text.isBlank() || text.startsWith(OURS)) {
      return;
    }
    lines++;
    if (isStep) {
      steps++;
      return;
    }
    if (lines <= MOST_COMPARED) {
      likeStep(line, text.substring(0, Math.min(text.length(), LONGEST_COMPARED)));
    }
    if (missing.isEmpty() && isAmong(words, MAY_MISS) && isMissing(text)) {
      missing = Optional.of(line.quote(0));
    }
    if (crash.isEmpty()
        && ((isAmong(words, MAY_CRASH) && CRASH.matcher(text).find()) || isRaised(text))) {
      crash = Optional.of(line.quote(0));
    }
    if (error.isEmpty() && isAmong(words, MAY_COMPLAIN) && ERROR.matcher(text).find()) {
      error = Optional.of(line.quote(0));
    }
    inTraceback |= isAmong(words, MAY_TRACE) && TRACEBACK.matcher(text).find();
  }

  private static boolean isAmong(int[] words, int number) {
    return Arrays.binarySearch(words, number) >= 0;
  }

  /**
   * Looks for the line that probably shows steps: the one that repeats most often apart from its
   * numbers.
   */
  private void likeStep(Line line, String text) {
    if (!FIGURE.matcher(text).find()) {
      return;
    }
    int times = alike.merge(FIGURE.matcher(text).replaceAll("0"), 1, Integer::sum);
    if (times >= mostAlike) {
      mostAlike = times;
      unread = Optional.of(line.quote(0));
    }
  }

  private static boolean isMissing(String text) {
    int noFile = text.lastIndexOf(NO_FILE);
    return MISSING.matcher(text).find()
        || (noFile > 0 && MISSING_FOR.matcher(text).region(0, noFile).find());
  }

  /** Whether the line ends a Python traceback and names the exception. */
  private boolean isRaised(String text) {
    return inTraceback && RAISED.matcher(text).lookingAt();
  }

  /**
   * Why the output is not a measurement; empty where it gives no reason.
   *
   * @param lastStep counted from 0; -1 where there is none
   * @param first the number of the command's first step, 0 or 1
   * @param isAttested whether the log has what the job prints before the command begins
   * @param endedWell whether the job ended with exit code 0: then only the output can be wrong
   */
  Optional<Diagnosis> diagnosis(
      CommandSettings s, int lastStep, int first, boolean isAttested, boolean endedWell) {
    if (missing.isPresent()) {
      return Optional.of(
          diagnosis(
              KnownClasses.PROGRAM_MISSING,
              Statement.phrase("program-missing", missing.get().text()),
              missing));
    }
    if (crash.isPresent()) {
      return Optional.of(
          diagnosis(
              KnownClasses.CRASHED,
              Statement.phrase(endedWell ? "crashed-well" : "crashed", crash.get().text()),
              crash));
    }
    if (!endedWell) {
      return Optional.empty();
    }
    if (lines == 0 && !isAttested) {
      return Optional.of(
          diagnosis(KnownClasses.DISK_FULL, Statement.phrase("log-lost"), Optional.empty()));
    }
    if (lastStep > s.steps()) {
      return Optional.of(
          diagnosis(
              KnownClasses.NO_MEASUREMENT,
              Statement.phrase(
                  "steps-beyond",
                  lastStep + first,
                  s.steps(),
                  s.windowFrom() + first,
                  s.steps() - 1 + first),
              Optional.empty()));
    }
    if (lastStep >= s.steps() - 1) {
      return Optional.of(
          diagnosis(
              KnownClasses.NO_MEASUREMENT,
              Statement.phrase("no-figure", s.pattern()),
              Optional.empty()));
    }
    return steps == 0
        ? Optional.of(
            diagnosis(
                KnownClasses.NO_MEASUREMENT,
                unread.map(q -> unmatched(s, q)).orElseGet(() -> noneAlike(s)),
                unread))
        : Optional.of(
            diagnosis(
                KnownClasses.TOO_FEW_STEPS,
                Statement.phrase(
                    "too-few-steps-by-count",
                    steps,
                    lastStep + first,
                    s.steps(),
                    s.steps() - 1 + first),
                unread));
  }

  private Statement noneAlike(CommandSettings s) {
    return lines == 0
        ? Statement.phrase("nothing-printed")
        : Statement.phrase("no-match", lines, s.pattern(), "LOG");
  }

  /**
   * A line that looks like a step but does not match the pattern, with the program's error message
   * if there is one.
   */
  private Statement unmatched(CommandSettings s, Quote like) {
    return error
        .filter(e -> !e.text().equals(like.text()))
        .map(
            e ->
                Statement.phrase(
                    "no-match-error", lines, s.pattern(), like.text(), like.file(), e.text()))
        .orElseGet(
            () -> Statement.phrase("no-match-but", lines, s.pattern(), like.text(), like.file()));
  }

  private static Diagnosis diagnosis(String failureClass, Statement detail, Optional<Quote> quote) {
    return new Diagnosis(failureClass, 0.9, quote.stream().toList(), detail, List.of());
  }
}
