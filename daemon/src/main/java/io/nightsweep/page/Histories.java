package io.nightsweep.page;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Replay;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * States of sweeps, current and earlier ones. For a sweep that runs in the daemon it returns the
 * daemon's own object; the state of any other is folded from its journal and cached while memory
 * allows.
 */
final class Histories {
  private static final int STATES_KEPT = 16;

  /** The longest journal that the page reads; 50,000 events are about 15 MiB. */
  private static final long MOST_BYTES = 64L << 20;

  private final StateDirectory directory;
  private final PageSweeps sweeps;
  private final Map<String, FoldedJournal> folded = new ConcurrentHashMap<>();
  private final Map<String, LinkedHashMap<Long, SweepState>> recent = new ConcurrentHashMap<>();

  /** A journal's stamp when it was read, and the state folded from it. */
  private record FoldedJournal(Stamp stamp, SoftReference<SweepState> state) {}

  /** Size and time of a journal's file; a difference shows that it changed. */
  record Stamp(long bytes, FileTime modified) {
    static Stamp of(Path journal) throws IOException {
      BasicFileAttributes file = Files.readAttributes(journal, BasicFileAttributes.class);
      return new Stamp(file.size(), file.lastModifiedTime());
    }
  }

  Histories(StateDirectory directory, PageSweeps sweeps) {
    this.directory = directory;
    this.sweeps = sweeps;
  }

  /** The current state; empty where the sweep has not started or was removed. */
  Optional<SweepState> now(SweepDirectory sweep) throws IOException {
    Optional<SweepState> now = sweeps.driven(sweep.id());
    if (now.isEmpty()) {
      try {
        now = Optional.of(folded(sweep));
      } catch (NoSuchFileException e) {
        // The sweep was removed meanwhile.
        return Optional.empty();
      }
    }
    return now.filter(state -> state.startedSpec().isPresent());
  }

  private SweepState folded(SweepDirectory sweep) throws IOException {
    Stamp stamp = Stamp.of(sweep.journal());
    if (stamp.bytes() > MOST_BYTES) {
      // The daemon needs its memory for the sweeps that it runs.
      throw new IOException(
          "the journal has %d MiB, and the page reads %d: nightsweep report --sweep %s"
              .formatted(stamp.bytes() >> 20, MOST_BYTES >> 20, sweep.id()));
    }
    FoldedJournal known = folded.get(sweep.id());
    SweepState state = known == null || !known.stamp().equals(stamp) ? null : known.state().get();
    if (state == null) {
      state = JournalReader.fold(sweep.journal());
      folded.put(sweep.id(), new FoldedJournal(stamp, new SoftReference<>(state)));
    }
    return state;
  }

  /** The steps of a running job as of its last reading. */
  List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
    return sweeps.steps(sweep, attempt);
  }

  boolean isDriven(String sweep) {
    return sweeps.driven(sweep).isPresent();
  }

  /**
   * The directory of a sweep that has begun. The id may come from a request, so it is compared with
   * known ids and never used as a path.
   */
  Optional<SweepDirectory> find(String sweep) throws IOException {
    return directory.all().stream().filter(d -> d.id().equals(sweep)).findFirst();
  }

  /**
   * Remembers a state that a browser was shown, so that the next frame can start from it. The state
   * of an ended sweep is cached while memory allows.
   */
  void shown(SweepDirectory sweep, SweepState state) {
    if (!isDriven(sweep.id())) {
      recent.remove(sweep.id());
      return;
    }
    LinkedHashMap<Long, SweepState> states =
        recent.computeIfAbsent(sweep.id(), s -> new LinkedHashMap<>());
    synchronized (states) {
      states.put(state.seq(), state);
      while (states.size() > STATES_KEPT) {
        states.remove(states.keySet().iterator().next());
      }
    }
  }

  /**
   * The state after an event: a recently shown one, or the journal replayed up to there. Empty
   * where the journal does not reach that event.
   */
  Optional<SweepState> at(SweepDirectory sweep, long seq) throws IOException {
    LinkedHashMap<Long, SweepState> states = recent.get(sweep.id());
    if (states != null) {
      synchronized (states) {
        SweepState known = states.get(seq);
        if (known != null) {
          return Optional.of(known);
        }
      }
    }
    Replay replay = new Replay();
    JournalReader.read(
        sweep.journal(),
        entry -> {
          if (entry.seq() <= seq) {
            replay.accept(entry);
          }
        });
    return Optional.of(replay.state()).filter(state -> state.seq() == seq);
  }
}
