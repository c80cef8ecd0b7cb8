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
 * All that one job writes, followed while it grows and read once, whoever listens. How the log is
 * cut, rotated or split into files changes nothing of what listeners hear of each rank. For one
 * thread.
 */
public final class JobLog {
  /** Bytes of a file at one look: the rest of a sudden flood waits for the next tick. */
  public static final long A_LOOK = 64L << 20;

  /** Bytes that are held at once. */
  private static final int BUFFER = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);

  private static final ThreadLocal<@Nullable BlockBuffer> BUFFERS = new ThreadLocal<>();

  private final Supplier<List<LogFile>> files;
  private final boolean mayBePipe;
  private final List<LogListener> listeners = new ArrayList<>();
  private final List<FileReader> readers = new ArrayList<>();
  private final LineCounter lines = new LineCounter();

  /** A file that a person names: a pipe as well. */
  public JobLog(Path file) {
    this(() -> List.of(LogFile.shared(file)), true);
  }

  /** A file that a job wrote or put another in place of: no link, no pipe. */
  public static JobLog ofAJob(Path file) {
    return new JobLog(() -> List.of(LogFile.shared(file)));
  }

  /**
   * @param files the main one first; asked at each look, since workers open theirs late and helpers
   *     rename them
   */
  public JobLog(Supplier<List<LogFile>> files) {
    this(files, false);
  }

  private JobLog(Supplier<List<LogFile>> files, boolean mayBePipe) {
    this.files = files;
    this.mayBePipe = mayBePipe;
  }

  /** The main file, as it is called now. */
  public Path path() {
    return files.get().getFirst().path();
  }

  /**
   * The listener of this kind; made when it is first asked for, which must be before anything is
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

  /** What a step is, one listener alone says: the workload's. It tells all the others of it. */
  public StepTeller steps() {
    return (line, step) -> listeners.forEach(l -> l.step(line, step));
  }

  /**
   * Tells the listeners what is new since the last look.
   *
   * @return whether nothing is left to be read but perhaps an unfinished line
   */
  public boolean look() throws IOException {
    return read(A_LOOK, false);
  }

  /** Like {@link #look}; a log that cannot be read now is tried again at the next look. */
  public boolean lookOrWait() {
    try {
      return look();
    } catch (IOException e) {
      LOG.warn("a job's log cannot be read: {}", e.toString());
      return false;
    }
  }

  /** Tells the listeners all that is left; the job writes no more. */
  public void finish() throws IOException {
    read(Long.MAX_VALUE, true);
  }

  /** Like {@link #finish}; what cannot be read is left out. */
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
      // What a process wrote into its second file must not be told before what its first one has.
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

  /** How much the job has written, in all of its files, their rotated parts included. */
  public long bytes() {
    return readers.stream().mapToLong(r -> r.follower.bytes()).sum();
  }

  /** How many bytes were asked of the file system: each once, and unfinished lines again. */
  public long bytesRead() {
    return readers.stream().mapToLong(r -> r.follower.bytesRead()).sum();
  }

  /** How many matches the pattern engines reported: what a flood of matching lines costs. */
  public long matchesFound() {
    return readers.stream().mapToLong(r -> r.finder.found()).sum();
  }

  /** The last lines, for a person to look at where nothing else is known. */
  public List<Quote> tail() {
    Optional<List<Quote>> last =
        readers.stream().map(r -> r.finder.tail()).filter(t -> !t.isEmpty()).findFirst();
    return last.orElse(List.of());
  }

  /** The lines that the last few kilobytes of the log hold. */
  public List<Line> lastLines() {
    Optional<List<Line>> last =
        readers.stream().map(r -> r.finder.lastLines()).filter(t -> !t.isEmpty()).findFirst();
    return last.orElse(List.of());
  }

  /** One for each thread that reads: it is native memory, and large. */
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

    /** Also where the file that is followed was given that name meanwhile. */
    boolean isOf(Path path) {
      return follower.isOf(path);
    }

    boolean read(BlockBuffer buffer, long mostBytes, boolean isOver) throws IOException {
      return follower.read(buffer, mostBytes, isOver, finder);
    }
  }
}
