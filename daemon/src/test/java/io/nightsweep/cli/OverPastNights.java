package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;

/** Commands typed over a state folder in which nights were left. */
abstract class OverPastNights {
  static final List<Entry> NIGHT = PastNights.ofFewProfiles(0.08, 7);

  @TempDir Path dir;

  /** Leaves the first events of the night. */
  final SweepDirectory sweep(String id, int events) throws IOException {
    return night(id, NIGHT.subList(0, events));
  }

  final SweepDirectory night(String id, List<Entry> entries) throws IOException {
    return PastNights.leave(dir.resolve("state"), id, entries);
  }

  /** The same night of another sweep. */
  static List<Entry> with(UnaryOperator<SweepSpec> other) {
    return NIGHT.stream()
        .map(
            e ->
                e.event() instanceof Event.SweepStarted begun
                    ? new Entry(
                        e.seq(),
                        e.at(),
                        new Event.SweepStarted(
                            begun.sweep(), begun.seed(), other.apply(begun.spec())))
                    : e)
        .toList();
  }

  final Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
