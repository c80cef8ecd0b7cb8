package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Replay;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Words;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Follows a sweep: redrawn in place on a terminal, a line per event elsewhere. */
final class Watcher {
  private static final Duration REDRAW = Duration.ofSeconds(1);

  private final PrintWriter out;
  private final boolean terminal;
  private int drawn;
  private long seen;

  Watcher(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Until the sweep is finished, or {@code until} says so. */
  SweepState follow(SweepDirectory directory, BooleanSupplier until)
      throws IOException, InterruptedException {
    while (true) {
      Replay replay = new Replay();
      JournalReader.read(
          directory.journal(),
          entry -> {
            replay.accept(entry);
            announce(entry);
          });
      SweepState state = replay.state();
      if (terminal) {
        draw(Display.lines(Progress.of(state, Instant.now()), Instant.now()));
      }
      out.flush();
      if (state.isFinished() || until.getAsBoolean()) {
        return state;
      }
      Thread.sleep(REDRAW);
    }
  }

  private void draw(List<String> lines) {
    if (drawn > 0) {
      out.print("\033[" + drawn + "F\033[J");
    }
    lines.forEach(out::println);
    drawn = lines.size();
  }

  private void announce(Entry entry) {
    if (terminal || entry.seq() <= seen) {
      return;
    }
    seen = entry.seq();
    switch (entry.event()) {
      case Event.WaveOpened e -> say(entry);
      case Event.WaveClosed e -> say(entry);
      case Event.WaveSkipped e -> say(entry);
      case Event.AttemptStarted e -> say(entry);
      case Event.AttemptJudged e -> say(entry);
      case Event.ProfileDropped e -> say(entry);
      case Event.ConfirmationPlanned e -> say(entry);
      case Event.SweepHalted e -> say(entry);
      case Event.SweepFinished e -> say(entry);
      default -> {}
    }
  }

  private void say(Entry entry) {
    out.println(entry.at().toString().substring(11, 19) + " " + Words.of(entry.event()));
  }
}
