package io.nightsweep.engine;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared nights of a state directory. The budget and use of finished sweeps count as long as
 * their night goes on.
 */
final class SharedNights {
  private static final Logger log = LoggerFactory.getLogger(SharedNights.class);

  private final StateDirectory stateDirectory;

  /** The sweeps that are no longer driven, by night and by sweep. */
  private final Map<String, Map<String, SweepState>> over = new TreeMap<>();

  SharedNights(StateDirectory stateDirectory) {
    this.stateDirectory = stateDirectory;
  }

  /**
   * Gives the turn of the sweep's night to the sweep that is due.
   *
   * @return the sweep that took it, if any
   */
  Optional<HostedSweep> look(HostedSweep self, Collection<HostedSweep> driven, Instant now)
      throws InterruptedException {
    // A sweep outside shared nights waits for no other sweep.
    Optional<SharedNight> night = self.state().night();
    return night.isEmpty() ? Optional.empty() : look(night.get().name(), self, driven, now);
  }

  private synchronized Optional<HostedSweep> look(
      String night, HostedSweep self, Collection<HostedSweep> driven, Instant now)
      throws InterruptedException {
    List<HostedSweep> hosted =
        driven.stream()
            .filter(sweep -> sweep.state().night().filter(n -> n.name().equals(night)).isPresent())
            .toList();
    if (hosted.stream().allMatch(HostedSweep::isDone)) {
      over.remove(night);
      return Optional.empty();
    }
    Map<String, SweepState> gone = over.computeIfAbsent(night, name -> finished(name, hosted));
    if (self.isDone()) {
      gone.put(self.id(), self.state());
    }
    List<SweepState> elsewhere =
        gone.values().stream()
            .filter(s -> hosted.stream().noneMatch(sweep -> sweep.id().equals(s.sweep())))
            .toList();
    try {
      return TurnKeeper.look(self, hosted, elsewhere, now);
    } catch (IOException e) {
      log.warn("the turn of the night {} could not be passed on: {}", night, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The finished sweeps of a night. An unreadable sweep counts neither with its budget nor with
   * what it used.
   */
  private Map<String, SweepState> finished(String night, List<HostedSweep> hosted) {
    Map<String, SweepState> finished = new TreeMap<>();
    try {
      for (SweepDirectory directory : stateDirectory.all()) {
        boolean isHosted = hosted.stream().anyMatch(sweep -> sweep.id().equals(directory.id()));
        if (!isHosted && isOf(directory, night)) {
          folded(directory)
              .filter(SweepState::isFinished)
              .ifPresent(s -> finished.put(directory.id(), s));
        }
      }
    } catch (IOException e) {
      log.warn("what ended in the night {} is not counted: {}", night, e.getMessage());
    }
    return finished;
  }

  private static Optional<SweepState> folded(SweepDirectory directory) {
    try {
      return Optional.of(JournalReader.fold(directory.journal()));
    } catch (IOException e) {
      log.warn("{} is not counted in its night: {}", directory.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private static boolean isOf(SweepDirectory directory, String night) {
    try {
      return SweepOrigin.read(directory).night().filter(night::equals).isPresent();
    } catch (IOException e) {
      // The sweep has no readable origin and nobody drives it.
      return false;
    }
  }
}
