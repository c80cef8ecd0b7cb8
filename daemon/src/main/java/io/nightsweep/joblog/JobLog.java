package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All output of one job, followed while it grows and read once for all listeners. What listeners
 * receive for each rank does not depend on how the log is cut, rotated or split into files. For use
 * by one thread.
 */
public final class JobLog {
  /**
   * Bytes that are read from a file per look; the rest of a sudden flood waits for the next tick.
   */
  public static final long A_LOOK = 64L << 20;

  /** Bytes in memory at one time. */
  private static final int BUFFER = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);

  private static final ThreadLocal<@Nullable BlockBuffer> BUFFERS = new ThreadLocal<>();

  private final Supplier<List<LogFile>> files;
  private final boolean mayBePipe;
  private final List<LogListener> listeners = new ArrayList<>();
  private final List<FileReader> readers = new ArrayList<>();
  private final LineCounter lines = new LineCounter();

  /** A file that a person names; it may be a pipe. */
  public JobLog(Path file) {
    this(() -> List.of(LogFile.shared(file)), true);
  }

  /** A file that a job wrote or replaced; links and pipes are not opened. */
  public static JobLog ofAJob(Path file) {
    return new JobLog(() -> List.of(LogFile.shared(file)));
  }

  /**
   * @param files the main file first; called at each look, since workers open their files late and
   *     helpers rename them
   */
  public JobLog(Supplier<List<LogFile>> files) {
    this(files, false);
  }

  private JobLog(Supplier<List<LogFile>> files, boolean mayBePipe) {
    this.files = files;
    this.mayBePipe = mayBePipe;
  }

  /** The main file's current path. */
  public Path path() {
    return files.get().getFirst().path();
  }

  /**
   * The listener of this kind, created on first request. The request must come before anything is
   * read.
   */
  public <L extends LogListener> L listener(Class<L> kind, Supplier<L> make) {
    for (LogListener known : listeners) {
      if (kind.isInstance(known)) {
        return kind.cast(known);
      }
    }
    if (!readers.isEmpty()) {
      throw new IllegalStateException(
          kind.getSimpleName() + " must listen to " + path() + " before it is read");
    }
    L made = make.get();
    listeners.add(made);
    return made;
  }

  /** Passes steps to all listeners. Only one listener, the workload's, recognises steps. */
  public StepTeller steps() {
    return (line, step) -> listeners.forEach(l -> l.step(line, step));
  }

  /**
   * Passes what is new since the last look to the listeners.
   *
   * @return whether everything is read except perhaps an unfinished line
   */
  public boolean look() throws IOException {
    return read(A_LOOK, false);
  }

  /** Like {@link #look}; if the log cannot be read now, the next look tries again. */
  public boolean lookOrWait() {
    try {
      return look();
    } catch (IOException e) {
      LOG.warn("a job's log cannot be read: {}", e.toString());
      return false;
    }
  }

  /** Passes everything that is left to the listeners; the job no longer writes. */
  public void finish() throws IOException {
    read(Long.MAX_VALUE, true);
  }

  /** Like {@link #finish}; unreadable parts are left out. */
  public void finishOrWarn() {
    try {
      finish();
    } catch (IOException e) {
      LOG.warn("a job's log cannot be read to its end: {}", e.toString());
    }
  }

  private boolean read(long mostBytes, boolean isOver) throws IOException {
    BlockBuffer buffer = buffer();
    Set<Rank> behind = new HashSet<>();
    boolean isAllRead = true;
    for (LogFile file : files.get()) {
      Rank process = file.rank().process();
      // Lines of a process's second file must not be passed on before those of its first file.
      if (behind.contains(process)) {
        continue;
      }
      if (!reader(file).read(buffer, mostBytes, isOver)) {
        isAllRead = false;
        if (!process.equals(Rank.NONE)) {
          behind.add(process);
        }
      }
    }
    return isAllRead;
  }

  private FileReader reader(LogFile file) {
    for (FileReader known : readers) {
      if (known.isOf(file.path())) {
        return known;
      }
    }
    FileReader reader = new FileReader(file, mayBePipe, List.copyOf(listeners), lines);
    readers.add(reader);
    return reader;
  }

  /** The size of all files of the job, including their rotated parts. */
  public long bytes() {
    return readers.stream().mapToLong(r -> r.follower.bytes()).sum();
  }

  /**
   * Bytes that were requested from the file system: each byte once, unfinished lines repeatedly.
   */
  public long bytesRead() {
    return readers.stream().mapToLong(r -> r.follower.bytesRead()).sum();
  }

  /**
   * The number of matches that the pattern engines reported: the cost of a flood of matching lines.
   */
  public long matchesFound() {
    return readers.stream().mapToLong(r -> r.finder.found()).sum();
  }

  /** The last lines, for people, if nothing else is known. */
  public List<Quote> tail() {
    Optional<List<Quote>> last =
        readers.stream().map(r -> r.finder.tail()).filter(t -> !t.isEmpty()).findFirst();
    return last.orElse(List.of());
  }

  /** The lines in the last few kilobytes of the log. */
  public List<Line> lastLines() {
    Optional<List<Line>> last =
        readers.stream().map(r -> r.finder.lastLines()).filter(t -> !t.isEmpty()).findFirst();
    return last.orElse(List.of());
  }

  /** One buffer for each thread that reads, since a buffer is large native memory. */
  private static BlockBuffer buffer() {
    BlockBuffer known = BUFFERS.get();
    BlockBuffer buffer = known == null ? new BlockBuffer(BUFFER) : known;
    BUFFERS.set(buffer);
    return buffer;
  }

  private static final class FileReader {
    private final Follower follower;
    private final LineFinder finder;

    FileReader(LogFile file, boolean mayBePipe, List<LogListener> listeners, LineCounter lines) {
      follower =
          switch (file.form()) {
            case TEXT -> new LogFollower(file.path(), mayBePipe);
            case EVENTS -> new EventsFollower(file.path());
          };
      finder = new LineFinder(file, listeners, lines);
    }

    /** Also true if the followed file was renamed to this path meanwhile. */
    boolean isOf(Path path) {
      return follower.isOf(path);
    }

    boolean read(BlockBuffer buffer, long mostBytes, boolean isOver) throws IOException {
      return follower.read(buffer, mostBytes, isOver, finder);
    }
  }
}
