package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Finds the lines that listeners want in the blocks of one file, and numbers them. */
final class LineFinder implements Follower.BlockSink {
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 3;

  private final LogFile source;
  private final List<LogListener> listeners;
  private final LineCounter all;
  private final Hits hits = new Hits();
  private final GitSummaries summaries = new GitSummaries();
  private JoinedPatterns patterns = new JoinedPatterns(List.of());
  private Path file;

  /** Line breaks in the file before the current line. */
  private long lines;

  /** The number of these breaks that are line feeds, which editors count. */
  private long lineFeeds;

  private byte[] tail = new byte[0];
  private BitSet tailReturns = new BitSet();
  private long found;

  LineFinder(LogFile source, List<LogListener> listeners, LineCounter all) {
    this.source = source;
    this.listeners = listeners;
    this.all = all;
    this.file = source.path();
  }

  @Override
  public void file(Path next) {
    lines = 0;
    lineFeeds = 0;
    file = next;
    tail = new byte[0];
    tailReturns = new BitSet();
  }

  @Override
  public void block(BlockBuffer buffer, int from, int to) {
    int end = buffer.hasEscapes(from, to) ? buffer.withoutEscapes(from, to) : to;
    int told = from;
    while (told < end) {
      search(buffer, told, end);
      told = tell(buffer, told, end);
    }
    keep(buffer, from, end);
  }

  private void search(BlockBuffer buffer, int from, int end) {
    List<PatternSet> wanted = new ArrayList<>(listeners.size() + 1);
    for (LogListener listener : listeners) {
      wanted.add(listener.patterns());
    }
    wanted.add(GitSummaries.EDGES);
    if (!patterns.areOf(wanted)) {
      patterns = new JoinedPatterns(wanted);
    }
    hits.clear();
    patterns.scan(buffer.bytes(), from, end - from, hits);
    found += hits.count;
  }

  /**
   * Passes on lines in their order, each to all listeners that want it, so that messages between
   * listeners keep their place.
   *
   * @return where the lines begin that must be searched again; {@code end} if there are none
   */
  private int tell(BlockBuffer buffer, int from, int end) {
    Arrays.sort(hits.found, 0, hits.count);
    int lineStart = from;
    int next = 0;
    while (next < hits.count) {
      // The last byte of a match is on its line.
      int at = from + Math.max(0, hits.end(next) - 1);
      int start = buffer.lastNewLine(lineStart, at) + 1;
      if (start > lineStart) {
        count(buffer, lineStart, start);
        lineStart = start;
      }
      int lineEnd = buffer.nextNewLine(at, end);
      int last = next;
      while (last < hits.count && from + Math.max(0, hits.end(last) - 1) <= lineEnd) {
        last++;
      }
      hits.sortByListener(next, last);
      Optional<Line> line = Optional.empty();
      boolean isEdge = hits.listener(last - 1) == listeners.size();
      if (isEdge || summaries.areOpen()) {
        Line asked = line(buffer, lineStart, lineEnd);
        line = Optional.of(asked);
        if (summaries.hold(asked)) {
          next = last;
        }
      }
      while (next < last && hits.listener(next) < listeners.size()) {
        LogListener listener = listeners.get(hits.listener(next));
        int[] candidates = hits.patterns(next, last);
        next = hits.endOfListener(next, last);
        if (listener.wants(candidates)) {
          Line wanted = line.isPresent() ? line.get() : line(buffer, lineStart, lineEnd);
          line = Optional.of(wanted);
          listener.line(wanted, candidates);
        }
      }
      next = last;
      for (LogListener listener : listeners) {
        if (listener.wantsMore()) {
          int told = Math.min(end, lineEnd + 1);
          count(buffer, lineStart, told);
          return told;
        }
      }
    }
    count(buffer, lineStart, end);
    return end;
  }

  /** Counts the line breaks of the lines that were passed on. */
  private void count(BlockBuffer buffer, int from, int to) {
    int breaks = buffer.newLines(from, to);
    lines += breaks;
    lineFeeds += buffer.lineFeeds(from, to, breaks);
    all.add(breaks);
  }

  private Line line(BlockBuffer buffer, int start, int end) {
    byte[] bytes = new byte[end - start];
    buffer.bytes().get(start, bytes);
    return Line.of(
        file,
        source.rank(),
        lineFeeds + 1,
        lines + 1,
        all.lines() + 1,
        new String(bytes, StandardCharsets.UTF_8));
  }

  private void keep(BlockBuffer buffer, int from, int end) {
    int fresh = Math.min(TAIL_BYTES, end - from);
    int old = Math.min(tail.length, TAIL_BYTES - fresh);
    byte[] kept = new byte[old + fresh];
    System.arraycopy(tail, tail.length - old, kept, 0, old);
    buffer.bytes().get(end - fresh, kept, old, fresh);
    BitSet returns = tailReturns.get(tail.length - old, tail.length);
    buffer.returns(end - fresh, end).stream().forEach(at -> returns.set(old + at));
    tail = kept;
    tailReturns = returns;
  }

  /** How many matches the pattern engines reported. */
  long found() {
    return found;
  }

  /** The last lines, for people. */
  List<Quote> tail() {
    List<Line> last = lastLines().stream().filter(line -> !line.text().isBlank()).toList();
    return last.subList(Math.max(0, last.size() - TAIL_LINES), last.size()).stream()
        .map(line -> line.quote(0))
        .toList();
  }

  /** The last lines, except one with a lost beginning. */
  List<Line> lastLines() {
    String[] shown = new String(tail, StandardCharsets.UTF_8).split("\n", -1);
    List<Line> last = new ArrayList<>();
    long place = lines + 2 - shown.length;
    long number = lineFeeds + 2 - shown.length + tailReturns.cardinality();
    int end = -1;
    for (int i = 0; i < shown.length; i++) {
      boolean isCut = i == 0 && tail.length == TAIL_BYTES;
      if (!isCut) {
        last.add(Line.of(file, source.rank(), number, place, place, shown[i]));
      }
      end = nextNewLine(end + 1);
      number += tailReturns.get(end) ? 0 : 1;
      place++;
    }
    return last;
  }

  private int nextNewLine(int from) {
    int at = from;
    while (at < tail.length && tail[at] != '\n') {
      at++;
    }
    return at;
  }

  /** End positions of pattern matches, ordered by position, then by listener. */
  private static final class Hits implements PatternSet.Found {
    private static final int PATTERN = (1 << JoinedPatterns.PATTERN_BITS) - 1;

    /** The end offset in the high bits, and the joined number of the pattern in the low bits. */
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
      found[count++] = ((long) end << Integer.SIZE) | pattern;
    }

    int end(int index) {
      return (int) (found[index] >>> Integer.SIZE);
    }

    int listener(int index) {
      return (int) found[index] >>> JoinedPatterns.PATTERN_BITS;
    }

    /** Sorts the hits of one line by listener, and discards their positions. */
    void sortByListener(int from, int to) {
      for (int i = from; i < to; i++) {
        found[i] &= (1L << Integer.SIZE) - 1;
      }
      Arrays.sort(found, from, to);
    }

    int endOfListener(int from, int to) {
      int at = from;
      while (at < to && listener(at) == listener(from)) {
        at++;
      }
      return at;
    }

    /** The first listener's patterns, ascending, without duplicates. */
    int[] patterns(int from, int to) {
      int end = endOfListener(from, to);
      int[] patterns = new int[end - from];
      int kept = 0;
      for (int i = from; i < end; i++) {
        if (i == from || found[i] != found[i - 1]) {
          patterns[kept++] = (int) found[i] & PATTERN;
        }
      }
      return kept == patterns.length ? patterns : Arrays.copyOf(patterns, kept);
    }
  }
}
