package io.nightsweep.joblog;

/** Numbers the lines of all of a job's files in the order in which they are read. */
final class LineCounter {
  private long lines;

  long lines() {
    return lines;
  }

  void add(long more) {
    lines += more;
  }
}
