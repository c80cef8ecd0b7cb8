package io.nightsweep.joblog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Recognises the lines in which a launcher prints the state of its own repository, including {@code
 * git diff}. They contain texts of scripts and commits, including error messages, and say nothing
 * about what the job does.
 */
final class GitSummaries {
  private static final String BEGIN = "=== GIT SUMMARY BEGIN ===";
  private static final String END = "=== GIT SUMMARY END ===";

  /**
   * A summary without an end after this many lines was cut off; the lines that follow belong to the
   * job.
   */
  private static final long MOST_LINES = 200_000;

  /** A job may print any number of ranks. */
  private static final int MOST_RANKS = 1 << 16;

  /** Finds every line that may begin or end a summary. */
  static final PatternSet EDGES = PatternSets.ofWords(List.of(BEGIN, END));

  /** For each rank with an open summary, the ordinal of the line that began it. */
  private final Map<Rank, Long> open = new HashMap<>();

  /** Whether lines without an edge may belong to a summary. */
  boolean areOpen() {
    return !open.isEmpty();
  }

  /**
   * Whether the line belongs to a summary, including its edges; to be called for lines in their
   * order.
   */
  boolean hold(Line line) {
    // Lines of a diff begin with a sign or a word of git, so they are never edges themselves.
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
    // Slurm prints between the lines of any process, for example that a job was cancelled.
    return begin != null && !text.startsWith("slurmstepd") && !text.startsWith("srun: ");
  }
}
