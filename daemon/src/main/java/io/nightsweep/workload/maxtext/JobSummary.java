package io.nightsweep.workload.maxtext;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a job prints of itself at its end; the last one counts. */
final class JobSummary {
  /** Every summary begins with it. */
  static final String BEGIN = "JOB SUMMARY";

  /** Stands in the line that closes one. */
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
