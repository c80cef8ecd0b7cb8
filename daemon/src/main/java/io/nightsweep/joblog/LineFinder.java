package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds in the blocks of one file the lines that listeners want, and numbers them. */
final class LineFinder implements LogFollower.Blocks {
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 3;

  private final LogFile source;
  private final List<LogListener> listeners;
  private final LineCounter all;
  private final Hits hits = new Hits();
  private Path file;

  /** Line breaks of the file before the present block. */
  private long lines;

  private byte[] tail = new byte[0];

  LineFinder(LogFile source, List<LogListener> listeners, LineCounter all) {
    this.source = source;
    this.listeners = listeners;
    this.all = all;
    this.file = source.path();
  }

  @Override
  public void file(Path next) {
    lines = 0;
    file = next;
    tail = new byte[0];
  }

  @Override
  public void block(BlockBuffer buffer, int from, int to) {
    int end = buffer.hasEscapes(from, to) ? buffer.withoutEscapes(from, to) : to;
    for (LogListener listener : listeners) {
      hits.clear();
      listener.patterns().scan(buffer.bytes(), from, end - from, hits);
      if (hits.count > 0) {
        tell(listener, buffer, from, end);
      }
    }
    int breaks = buffer.newLines(from, end);
    lines += breaks;
    all.add(breaks);
    keep(buffer, from, end);
  }

  private void tell(LogListener listener, BlockBuffer buffer, int from, int end) {
    Arrays.sort(hits.found, 0, hits.count);
    long before = 0;
    int lineStart = from;
    int next = 0;
    int[] candidates = new int[8];
    while (next < hits.count) {
      // The last byte of a match is on its line.
      int at = from + Math.max(0, hits.end(next) - 1);
      int start = buffer.lastNewLine(lineStart, at) + 1;
      if (start > lineStart) {
        before += buffer.newLines(lineStart, start);
        lineStart = start;
      }
      int lineEnd = buffer.nextNewLine(at, end);
      int count = 0;
      while (next < hits.count && from + Math.max(0, hits.end(next) - 1) <= lineEnd) {
        if (count == candidates.length) {
          candidates = Arrays.copyOf(candidates, count * 2);
        }
        candidates[count++] = hits.pattern(next++);
      }
      int[] found = distinct(candidates, count);
      if (!listener.wants(found)) {
        continue;
      }
      byte[] bytes = new byte[lineEnd - lineStart];
      buffer.bytes().get(lineStart, bytes);
      listener.line(
          Line.of(
              file,
              source.rank(),
              lines + before + 1,
              all.lines() + before + 1,
              new String(bytes, StandardCharsets.UTF_8)),
          found);
    }
  }

  private static int[] distinct(int[] numbers, int count) {
    Arrays.sort(numbers, 0, count);
    int[] all = new int[count];
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || numbers[i] != numbers[i - 1]) {
        all[found++] = numbers[i];
      }
    }
    return found == count ? all : Arrays.copyOf(all, found);
  }

  private void keep(BlockBuffer buffer, int from, int end) {
    int fresh = Math.min(TAIL_BYTES, end - from);
    int old = Math.min(tail.length, TAIL_BYTES - fresh);
    byte[] kept = new byte[old + fresh];
    System.arraycopy(tail, tail.length - old, kept, 0, old);
    buffer.bytes().get(end - fresh, kept, old, fresh);
    tail = kept;
  }

  /** The last lines that are not blank, without one whose beginning is lost. */
  List<Quote> tail() {
    // A carriage return does not end a line.
    List<String> shown = List.of(new String(tail, StandardCharsets.UTF_8).split("\n", -1));
    List<Quote> last = new ArrayList<>();
    long number = lines + 1 - shown.size();
    for (String line : shown) {
      number++;
      boolean isCut = tail.length == TAIL_BYTES && number == lines + 2 - shown.size();
      if (!line.isBlank() && !isCut) {
        last.add(Line.of(file, source.rank(), number, number, line).quote(0));
      }
    }
    return List.copyOf(last.subList(Math.max(0, last.size() - TAIL_LINES), last.size()));
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
