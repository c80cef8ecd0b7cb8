package io.nightsweep.joblog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the lines in which a launcher prints the state of its own repository, {@code git diff}
 * included. The texts of scripts and of commits stand there, error messages among them, and none of
 * them tells what the job does.
 */
final class GitSummaries {
  private static final String BEGIN = "=== GIT SUMMARY BEGIN ===";
  private static final String END = "=== GIT SUMMARY END ===";

  /** A summary that was not ended by then was cut off, and what follows is the job's. */
  private static final long MOST_LINES = 200_000;

  /** A job prints whatever ranks it likes. */
  private static final int MOST_RANKS = 1 << 16;

  /** Finds every line that may begin or end a summary. */
  static final PatternSet EDGES = PatternSets.ofWords(List.of(BEGIN, END));

  /** The ordinal of the line that began the summary which a rank has not ended yet. */
  private final Map<Rank, Long> open = new HashMap<>();

  /** Whether lines without an edge may belong to a summary. */
  boolean areOpen() {
    return !open.isEmpty();
  }

  /** Whether the line belongs to a summary, its edges included; asked of lines in their order. */
  boolean hold(Line line) {
    // Lines of a diff begin with a sign or a word of git, so that none is an edge by itself.
    String text = line.body().stripTrailing();
    if (text.equals(BEGIN)) {
      if (open.size() < MOST_RANKS) {
        open.put(line.rank(), line.ordinal());
      }
      return true;
    }
    if (text.equals(END)) {
      return open.remove(line.rank()) != null;
    }
    Long begin = open.get(line.rank());
    if (begin != null && line.ordinal() - begin > MOST_LINES) {
      open.remove(line.rank());
      return false;
    }
    // Slurm writes between the lines of any process, and says that a job was cancelled.
    return begin != null && !text.startsWith("slurmstepd") && !text.startsWith("srun: ");
  }
}
