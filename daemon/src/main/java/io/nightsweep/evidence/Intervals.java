package io.nightsweep.evidence;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A union of time intervals, exact and in bounded memory. Intervals beyond the limit go to disk in
 * sorted runs, which are merged when the union is read. A stream's events come in order, so there
 * are about as many runs as streams.
 */
final class Intervals implements Closeable {
  /** The most intervals in memory; two longs each. */
  private static final int MOST = 1 << 15;

  private long[] starts = new long[64];
  private long[] ends = new long[64];
  private int size;
  private boolean tidy = true;
  private Optional<SpilledRuns> spilled = Optional.empty();

  /** Adds {@code [start, end)}; the order of calls does not matter. */
  void add(long start, long end) {
    if (end <= start) {
      return;
    }
    if (size > 0 && tidy && start <= ends[size - 1] && start >= starts[size - 1]) {
      ends[size - 1] = Math.max(ends[size - 1], end);
      return;
    }
    if (size == MOST) {
      tidy();
      if (size > MOST / 2) {
        spill();
      }
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, Math.min(MOST, size * 2));
      ends = Arrays.copyOf(ends, Math.min(MOST, size * 2));
    }
    tidy &= size == 0 || start > ends[size - 1];
    starts[size] = start;
    ends[size] = end;
    size++;
  }

  long total() {
    long total = 0;
    for (Walk walk = walk(); walk.next(); ) {
      total += walk.end - walk.start;
    }
    return total;
  }

  /** The time that both unions cover. */
  long overlap(Intervals other) {
    Walk a = walk();
    Walk b = other.walk();
    long common = 0;
    boolean more = a.next() && b.next();
    while (more) {
      common += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
      more = a.end < b.end ? a.next() : b.next();
    }
    return common;
  }

  /** The time from the first start to the last end; 0 where it is empty. */
  long span() {
    return end() - start();
  }

  long start() {
    Walk walk = walk();
    return walk.next() ? walk.start : 0;
  }

  long end() {
    long end = 0;
    for (Walk walk = walk(); walk.next(); ) {
      end = walk.end;
    }
    return end;
  }

  /** The union's intervals in order; nothing may be added during the walk. */
  Walk walk() {
    tidy();
    List<Cursor> cursors = new ArrayList<>(spilled.map(SpilledRuns::cursors).orElse(List.of()));
    cursors.add(new MemoryCursor());
    return new Walk(cursors);
  }

  @Override
  public void close() {
    spilled.ifPresent(SpilledRuns::close);
    spilled = Optional.empty();
    size = 0;
  }

  /** A sorted sequence of disjoint intervals that do not touch. */
  interface Cursor {
    /** Moves to the next interval; false at the end. */
    boolean next() throws IOException;

    long start();

    long end();
  }

  /** Walks through the union in order. */
  static final class Walk {
    private final PriorityQueue<Cursor> heads =
        new PriorityQueue<>(Comparator.comparingLong(Cursor::start));
    long start;
    long end;

    Walk(List<Cursor> cursors) {
      cursors.forEach(this::advance);
    }

    boolean next() {
      Cursor head = heads.poll();
      if (head == null) {
        return false;
      }
      start = head.start();
      end = head.end();
      advance(head);
      for (head = heads.peek(); head != null && head.start() <= end; head = heads.peek()) {
        heads.poll();
        end = Math.max(end, head.end());
        advance(head);
      }
      return true;
    }

    private void advance(Cursor cursor) {
      try {
        if (cursor.next()) {
          heads.add(cursor);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final class MemoryCursor implements Cursor {
    private int at = -1;

    @Override
    public boolean next() {
      at++;
      return at < size;
    }

    @Override
    public long start() {
      return starts[at];
    }

    @Override
    public long end() {
      return ends[at];
    }
  }

  private void spill() {
    try {
      if (spilled.isEmpty()) {
        spilled = Optional.of(new SpilledRuns());
      }
      spilled.get().append(starts, ends, size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    size = 0;
  }

  private void tidy() {
    if (tidy) {
      return;
    }
    sort();
    int kept = 0;
    for (int i = 1; i < size; i++) {
      if (starts[i] <= ends[kept]) {
        ends[kept] = Math.max(ends[kept], ends[i]);
      } else {
        kept++;
        starts[kept] = starts[i];
        ends[kept] = ends[i];
      }
    }
    size = Math.min(size, kept + 1);
    tidy = true;
  }

  /** Heapsort of both arrays in place, without an object for each interval. */
  private void sort() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      sift(i, size);
    }
    for (int last = size - 1; last > 0; last--) {
      swap(0, last);
      sift(0, last);
    }
  }

  private void sift(int from, int to) {
    int i = from;
    while (2 * i + 1 < to) {
      int child = 2 * i + 1;
      if (child + 1 < to && starts[child + 1] > starts[child]) {
        child++;
      }
      if (starts[child] <= starts[i]) {
        return;
      }
      swap(i, child);
      i = child;
    }
  }

  private void swap(int i, int j) {
    long start = starts[i];
    long end = ends[i];
    starts[i] = starts[j];
    ends[i] = ends[j];
    starts[j] = start;
    ends[j] = end;
  }
}
