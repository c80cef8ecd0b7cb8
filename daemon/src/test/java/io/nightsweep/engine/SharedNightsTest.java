package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fault of a shared night affects only the sweeps that share it. */
@Tag("guard")
@Tag("hours")
class SharedNightsTest {
  @TempDir private Path dir;

  @Test
  void aSweepWithoutSuchANightWaitsForNoneThatHasOne() throws Exception {
    SimulatedParts parts = new SimulatedParts();
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory directory = state.sweep("alone");
    Files.createDirectory(directory.root());
    Request.Start start = DaemonFixture.start("alone", "n1");
    SharedNights nights = new SharedNights(state);
    try (HostedSweep alone =
        HostedSweep.start(
            directory,
            start,
            1,
            new HostedSweep.Surroundings(
                state, parts, new Event.DaemonStarted("test", "host", 1), parts),
            Deadline.in(Duration.ofMinutes(1)))) {
      // As a thread does that gives a turn to a sweep with a look that does not end.
      synchronized (nights) {
        assertThat(
                CompletableFuture.supplyAsync(() -> look(nights, alone, parts))
                    .get(60, TimeUnit.SECONDS))
            .isEmpty();
      }
    }
  }

  private Optional<HostedSweep> look(SharedNights nights, HostedSweep alone, SimulatedParts parts) {
    try {
      return nights.look(alone, List.of(alone), parts.instant());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(alone);
    }
  }
}
