package io.nightsweep.triage;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.KnownClasses;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How well logs of public threads were diagnosed; counts of logs.
 *
 * @param failures logs of jobs that failed
 * @param known failures with an existing class
 * @param found failures that got their class
 * @param misnamed failures that got another class
 * @param quoted failures with their root as the first quote
 * @param benign logs of jobs that did not fail
 * @param alarmed benign logs that were diagnosed as a failure
 */
public record Score(
    int failures, int known, int found, int misnamed, int quoted, int benign, int alarmed) {
  private static final Set<String> UNNAMED =
      Set.of(KnownClasses.UNCLASSIFIED, KnownClasses.NO_FAILURE_FOUND);

  public static final Score NONE = new Score(0, 0, 0, 0, 0, 0, 0);

  /** The contribution of one log. */
  public static Score of(ThreadSample thread, Optional<Diagnosis> diagnosis) {
    String expected = thread.sample().expected();
    String got = diagnosis.map(Diagnosis::failureClass).orElse(SampleRun.HEALTHY);
    boolean isRight = thread.isRight(diagnosis);
    if (expected.equals(KnownClasses.SUCCESS)) {
      boolean isLeftOpen = thread.isUntold() && UNNAMED.contains(got);
      return new Score(0, 0, 0, 0, 0, 1, one(!isRight && !isLeftOpen));
    }
    boolean isKnown = !expected.equals(KnownClasses.UNCLASSIFIED);
    boolean isQuoted =
        diagnosis.stream()
            .flatMap(d -> d.quotes().stream().limit(1))
            .anyMatch(q -> thread.root().filter(q.text()::contains).isPresent());
    return new Score(
        1,
        one(isKnown),
        one(isKnown && isRight),
        one(!isRight && !UNNAMED.contains(got)),
        one(isQuoted),
        0,
        0);
  }

  public Score plus(Score other) {
    return new Score(
        failures + other.failures,
        known + other.known,
        found + other.found,
        misnamed + other.misnamed,
        quoted + other.quoted,
        benign + other.benign,
        alarmed + other.alarmed);
  }

  /** The share of failures with a known class that got it; 1 if there are none. */
  public double foundShare() {
    return share(found, known);
  }

  /** The share of failures that got another class. */
  public double misnamedShare() {
    return failures == 0 ? 0 : (double) misnamed / failures;
  }

  /** The share of failures with their root as the first quote; 1 if there are none. */
  public double quotedShare() {
    return share(quoted, failures);
  }

  /** The heading for {@link #row}. */
  public static String heading(String about) {
    return String.format(
        Locale.ROOT,
        "%-24s %8s %6s %9s %11s %7s %8s",
        about,
        "failures",
        "found",
        "misnamed",
        "root first",
        "benign",
        "alarmed");
  }

  /** A row of a table of scores. */
  public String row(String about) {
    return String.format(
        Locale.ROOT,
        "%-24s %8d %6s %9d %11s %7d %8d",
        about,
        failures,
        found + "/" + known,
        misnamed,
        quoted + "/" + failures,
        benign,
        alarmed);
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 1 : (double) part / whole;
  }

  private static int one(boolean is) {
    return is ? 1 : 0;
  }
}
