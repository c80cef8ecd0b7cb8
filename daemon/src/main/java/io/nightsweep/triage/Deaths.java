package io.nightsweep.triage;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Line;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.triage.FirstErrors.MatchedLine;
import java.util.List;
import java.util.Optional;

/** Finds the errors that ended the ranks of an attempt. */
final class Deaths {
  /** A rank may have died of an error that is at most this many lines before its last words. */
  private static final int LAST_LINES = 4;

  /** The number of lines that count as a rank's last words. */
  private static final int LAST_WORDS = 3;

  /** Messages of programs that ended well. */
  private static final Pattern WENT_WELL =
      Pattern.compile(
          "(?i)\\ball (?:[a-z\\d]+ ){0,2}(?:passed|succeeded)\\b"
              + "|\\b(?:completed|finished|ended|exited) (?:successfully|without (?:any )?errors?)\\b"
              + "|\\bsuccessful(?:ly)? (?:completion|completed|finished|terminated)\\b"
              + "|\\bjob done\\b|\\bnormal termination\\b"
              + "|\\b(?:training|benchmark|job|pipeline|workflow|simulation) (?:is |has )?(?:completed?|finished|done)"
              + "(?: in\\b| after\\b|,|[.!\\s]*$)"
              // GoogleTest, CTest, Python's unittest, NCCL's tests, OpenFOAM, Slurm's accounting,
              // bash -x.
              + "|\\[ +passed +\\]|\\b100% tests passed\\b|^\\s*ok(?: \\(|\\s*$)"
              + "|\\bfinalising parallel run\\b|\\bvalues *: 0 ok\\b|\\bcompleted +0:0\\b|^\\+ exit 0$"
              + "|\\b(?:rc|exit (?:code|status))[ =:]{1,2}0\\b");

  /** Words that negate such a message on the same line. */
  private static final Pattern DENIED =
      Pattern.compile(
          "(?i)\\b(?:not|never|neither)\\b|n't\\b|\\b0 (?:of|out of) |\\b0/\\d|\\bin (?:an )?error\\b"
              + "|\\b(?:[1-9]\\d*|some|with|after) (?:\\w+ ){0,2}(?:errors?|fail\\w*)\\b");

  private final JobLog log;
  private final FirstErrors errors;
  private final Situation situation;

  /** Computed on first use; the end of the log is read once for all classes. */
  private Optional<List<MatchedLine>> lines = Optional.empty();

  Deaths(JobLog log, FirstErrors errors, Situation situation) {
    this.log = log;
    this.errors = errors;
    this.situation = situation;
  }

  /**
   * The errors that ended ranks. If no line names them, the errors that may have ended them: any
   * error of a job that failed, or the errors at the end of the log if the job's end is unknown.
   */
  List<MatchedLine> lines() {
    if (lines.isEmpty()) {
      lines =
          Optional.of(
              !errors.fatal().isEmpty()
                  ? errors.fatal()
                  : isFailed() || errors.isEnding()
                      ? errors.possible()
                      : lastOf(errors.possible()));
    }
    return lines.get();
  }

  /** Whether any line, known or not, shows that the job did not end well. */
  boolean hasSignOfFailure() {
    return !lines().isEmpty() || errors.isEnding();
  }

  private boolean isFailed() {
    return situation instanceof Situation.Over over
        && over.end().state() != JobEnd.State.VANISHED
        && over.end().state() != JobEnd.State.COMPLETED;
  }

  private List<MatchedLine> lastOf(List<MatchedLine> possible) {
    List<Line> last = possible.isEmpty() ? List.of() : log.lastLines();
    return possible.stream().filter(e -> isAmong(last, e.line())).toList();
  }

  /** Whether the error's rank has printed little since. Lines of other ranks do not count. */
  private static boolean isAmong(List<Line> last, Told error) {
    if (last.isEmpty() || !last.getFirst().file().toString().equals(error.quote().file())) {
      return false;
    }
    List<Line> own =
        last.stream()
            .filter(l -> l.place() > error.place() && l.rank().equals(error.rank()))
            .toList();
    if (own.stream().map(Line::body).anyMatch(Deaths::saysThatItWentWell)) {
      return false;
    }
    long lost = Math.max(0, last.getFirst().place() - 1 - error.place());
    return lost + beforeLastWords(own) < LAST_LINES;
  }

  private static boolean saysThatItWentWell(String line) {
    return WENT_WELL.matcher(line).find() && !DENIED.matcher(line).find();
  }

  private static int beforeLastWords(List<Line> lines) {
    int words = 0;
    int at = lines.size();
    while (at > 0 && words < LAST_WORDS) {
      at--;
      words += lines.get(at).text().isBlank() ? 0 : 1;
    }
    return at;
  }
}
