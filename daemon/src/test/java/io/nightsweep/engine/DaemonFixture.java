package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A state directory with simulated parts, requests to its daemon, and the journals that it writes.
 */
abstract class DaemonFixture {
  static final Command.Origin ME = new Command.Origin(Command.Origin.Door.CLI, "me");
  static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path dir;
  StateDirectory state;
  final SimulatedParts parts = new SimulatedParts();

  @BeforeEach
  void stateDirectory() {
    state = new StateDirectory(dir.resolve("state"));
  }

  static Request.Start start(String name, String... nodes) {
    SweepSpec spec = Specs.kernels(4, 30).on(List.of(nodes));
    ClusterChoice local = new ClusterChoice(ClusterChoice.Kind.LOCAL, Optional.empty());
    return new Request.Start(name, "# none", new SweepOrigin(local, "sweep.yaml", "me"), spec);
  }

  /** The same sweep with an optional run on real data. */
  static Request.Start validatable(Request.Start start) {
    return new Request.Start(
        start.name(), start.sweepFile(), start.origin(), Specs.thatCanBeValidated(start.spec()));
  }

  static Reply tell(Daemon daemon, String sweep, Command command) throws InterruptedException {
    return daemon.handle(new Request.Tell(sweep, command, ME));
  }

  SweepState folded(String sweep) throws IOException {
    return JournalReader.fold(state.sweep(sweep).journal());
  }

  List<Entry> entries(String sweep) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(state.sweep(sweep).journal(), entries::add);
    return entries;
  }

  static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
