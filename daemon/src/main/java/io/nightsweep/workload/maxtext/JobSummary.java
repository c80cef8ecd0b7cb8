package io.nightsweep.workload.maxtext;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the summary that a job prints at its end; the last one counts. */
final class JobSummary {
  /** The beginning of every summary. */
  static final String BEGIN = "JOB SUMMARY";

  /** Part of the line that ends a summary. */
  static final String STATUS = "Status:";

  private static final Pattern STATUS_LINE =
      Pattern.compile(STATUS + " +\\w+ \\(exit (\\d{1,3})\\)");

  private OptionalInt exitCode = OptionalInt.empty();
  private boolean isOpen;

  void accept(String line) {
    int at = isOpen ? 0 : line.indexOf(BEGIN);
    if (at < 0) {
      return;
    }
    Matcher m = STATUS_LINE.matcher(line.substring(at));
    isOpen = !m.find();
    if (!isOpen) {
      exitCode = OptionalInt.of(Integer.parseInt(m.group(1)));
    }
  }

  OptionalInt exitCode() {
    return exitCode;
  }
}
