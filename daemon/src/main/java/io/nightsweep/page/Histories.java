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
 * States of sweeps, now and earlier. Those that are driven are the daemon's own objects; all others
 * are folded from their journals and kept as long as memory allows.
 */
final class Histories {
  private static final int STATES_KEPT = 16;

  /** The longest journal that is folded for the page; 50,000 events take about 15 MiB. */
  private static final long MOST_BYTES = 64L << 20;

  private final StateDirectory directory;
  private final PageSweeps sweeps;
  private final Map<String, FoldedJournal> folded = new ConcurrentHashMap<>();
  private final Map<String, LinkedHashMap<Long, SweepState>> recent = new ConcurrentHashMap<>();

  /** A journal as it was read, and the state that it tells. */
  private record FoldedJournal(Stamp stamp, SoftReference<SweepState> state) {}

  /** What shows that a journal's file has changed. */
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

  /** The sweep as it stands; empty where it has not started, or was removed. */
  Optional<SweepState> now(SweepDirectory sweep) throws IOException {
    Optional<SweepState> now = sweeps.driven(sweep.id());
    if (now.isEmpty()) {
      try {
        now = Optional.of(folded(sweep));
      } catch (NoSuchFileException e) {
        // It was removed meanwhile.
        return Optional.empty();
      }
    }
    return now.filter(state -> state.startedSpec().isPresent());
  }

  private SweepState folded(SweepDirectory sweep) throws IOException {
    Stamp stamp = Stamp.of(sweep.journal());
    if (stamp.bytes() > MOST_BYTES) {
      // The daemon's memory is the sweeps' that it drives.
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

  /** The steps of a running job by its last reading. */
  List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
    return sweeps.steps(sweep, attempt);
  }

  boolean isDriven(String sweep) {
    return sweeps.driven(sweep).isPresent();
  }

  /** The directory of a sweep that has begun; a name from outside is compared, never resolved. */
  Optional<SweepDirectory> find(String sweep) throws IOException {
    return directory.all().stream().filter(d -> d.id().equals(sweep)).findFirst();
  }

  /**
   * Keeps a state of a sweep that goes on, which somebody was shown, to go on from there; what has
   * ended is kept as long as memory allows.
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
   * The sweep as it stood after an event: one that was shown lately, or the journal replayed so
   * far. Empty where the journal does not reach there.
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
