package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Follows a sweep with one line per event, for pipes, files and simple terminals. */
final class Watcher {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final PrintWriter out;
  private final DaemonWord daemon;

  Watcher(PrintWriter out, DaemonWord daemon) {
    this.out = out;
    this.daemon = daemon;
  }

  /** The reason for waiting that was last printed; a change of it is printed again. */
  private record LastWait(Class<? extends Phase> phase, DaemonWord.Care care) {}

  /**
   * Watches until the sweep is finished or {@code until} is true.
   *
   * @return the state at that time
   */
  SweepState follow(SweepDirectory sweep, Predicate<SweepState> until)
      throws IOException, InterruptedException {
    Announcements news = new Announcements(sweep, Integer.MAX_VALUE);
    Optional<LastWait> said = Optional.empty();
    while (true) {
      for (Announcements.AnnouncedLine line : news.look()) {
        println(line.at(), line.words());
      }
      SweepState s = news.state();
      if (s.isFinished() || until.test(s)) {
        out.flush();
        return s;
      }
      if (!(s.phase() instanceof Phase.NotStarted)) {
        Progress progress = Progress.of(s, Instant.now());
        DaemonWord.Word word = daemon.about(progress);
        Optional<LastWait> waits = Optional.of(new LastWait(s.phase().getClass(), word.care()));
        if (!waits.equals(said)) {
          waiting(progress, word).forEach(line -> println(Instant.now(), line));
          said = waits;
        }
      }
      out.flush();
      Thread.sleep(LOOK);
    }
  }

  private void println(Instant at, String words) {
    out.println(Display.CLOCK.format(at) + " " + words);
  }

  private static List<String> waiting(Progress p, DaemonWord.Word word) {
    if (word.care() != DaemonWord.Care.DRIVEN) {
      return word.lines().stream().map(String::strip).map(Terminal::plain).toList();
    }
    return List.of(
        switch (p.phase()) {
          case Phase.NotStarted phase -> "waits for its first event";
          case Phase.Running running ->
              "running: waits for the next event"
                  + p.expectedEnd()
                      .map(end -> "; about done at " + Display.CLOCK.format(end))
                      .orElse("");
          case Phase.Paused paused -> "paused: waits for 'nightsweep resume'";
          case Phase.Halted halted -> "halted: waits for 'nightsweep resume' or 'nightsweep stop'";
          case Phase.Stopping stopping -> "stopping: waits for the jobs that run";
          case Phase.Finished finished -> "finished";
        });
  }
}
