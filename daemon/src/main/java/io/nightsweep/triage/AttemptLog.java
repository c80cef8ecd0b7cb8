package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One attempt's log: how far it was read, and what it told. */
final class AttemptLog implements LogFollower.Blocks {
  private final Rules rules;
  private final PatternSet patterns;
  private final LogFollower follower;
  private final Findings findings;
  private final Hits hits = new Hits();
  private Path file;
  private long lines;
  private long linesBefore;

  AttemptLog(Path log, Rules rules, PatternSet patterns) {
    this.rules = rules;
    this.patterns = patterns;
    this.follower = new LogFollower(log);
    this.findings = new Findings(rules);
    this.file = log;
  }

  /** Whether nothing is left to be read but perhaps an unfinished line. */
  boolean read(BlockBuffer buffer, long mostBytes, boolean isOver) throws IOException {
    return follower.read(buffer, mostBytes, isOver, this);
  }

  Findings findings() {
    return findings;
  }

  Rules rules() {
    return rules;
  }

  /** What the last lines say, for a person to look at. */
  List<Quote> tail() {
    return LogTail.of(file, lines);
  }

  long bytes() {
    return follower.bytes();
  }

  @Override
  public void file(Path next) {
    linesBefore += lines;
    lines = 0;
    file = next;
  }

  @Override
  public void block(BlockBuffer buffer, int from, int to) {
    int end = buffer.hasEscapes(from, to) ? buffer.withoutEscapes(from, to) : to;
    hits.clear();
    patterns.scan(buffer.bytes(), from, end - from, hits);
    int told = hits.count > 0 ? tell(buffer, from, end) : from;
    lines += buffer.newLines(told, end);
  }

  /** Answers where the last line in question begins; the lines before it are counted. */
  private int tell(BlockBuffer buffer, int from, int end) {
    Arrays.sort(hits.found, 0, hits.count);
    int lineStart = from;
    int next = 0;
    while (next < hits.count) {
      // The last byte of a match is on its line.
      int at = from + Math.max(0, hits.end(next) - 1);
      int start = buffer.lastNewLine(lineStart, at) + 1;
      if (start > lineStart) {
        lines += buffer.newLines(lineStart, start);
        lineStart = start;
      }
      int lineEnd = buffer.nextNewLine(at, end);
      Set<Integer> ids = new LinkedHashSet<>();
      while (next < hits.count && from + Math.max(0, hits.end(next) - 1) <= lineEnd) {
        ids.add(hits.pattern(next++));
      }
      byte[] bytes = new byte[lineEnd - lineStart];
      buffer.bytes().get(lineStart, bytes);
      findings.add(
          Line.of(
              file,
              Rank.NONE,
              lines + 1,
              linesBefore + lines + 1,
              new String(bytes, StandardCharsets.UTF_8)),
          ids);
    }
    return lineStart;
  }

  /** End offset above, pattern below, so that sorting puts them in order of place. */
  private static final class Hits implements PatternSet.Found {
    private long[] found = new long[64];
    private int count;

    void clear() {
      count = 0;
    }

    @Override
    public void at(int pattern, int end) {
      if (count == found.length) {
        found = Arrays.copyOf(found, count * 2);
      }
      found[count++] = ((long) end << 32) | pattern;
    }

    int end(int index) {
      return (int) (found[index] >>> 32);
    }

    int pattern(int index) {
      return (int) found[index];
    }
  }
}
