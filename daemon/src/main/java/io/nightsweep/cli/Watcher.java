package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Predicate;

/** Follows a sweep by a line per event, for pipes, files and terminals that cannot be drawn on. */
final class Watcher {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final PrintWriter out;

  Watcher(PrintWriter out) {
    this.out = out;
  }

  /**
   * Watches until the sweep is finished or {@code until} says so.
   *
   * @return the state at that time
   */
  SweepState follow(SweepDirectory sweep, Predicate<SweepState> until)
      throws IOException, InterruptedException {
    Announcements news = new Announcements(sweep, Integer.MAX_VALUE);
    while (true) {
      for (Announcements.AnnouncedLine line : news.look()) {
        out.println(Display.CLOCK.format(line.at()) + " " + line.words());
      }
      out.flush();
      if (news.state().isFinished() || until.test(news.state())) {
        return news.state();
      }
      Thread.sleep(LOOK);
    }
  }
}
