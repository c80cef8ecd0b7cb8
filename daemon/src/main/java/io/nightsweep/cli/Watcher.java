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
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Follows a sweep: redrawn in place on a terminal, a line per event elsewhere. */
final class Watcher {
  /** The alternate screen, with lines cut at its edge rather than wrapped (xterm). */
  private static final String ENTER_SCREEN = "\033[?1049h\033[?7l";

  private static final String LEAVE_SCREEN = "\033[?7h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String CLEAR_TO_END_OF_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";
  private static final Duration REDRAW = Duration.ofSeconds(1);

  private final PrintWriter out;
  private final boolean terminal;
  private final Aside aside;
  private List<String> last = List.of();
  private long seen;

  /** Lines below the sweep's own. */
  interface Aside {
    List<String> about(Progress progress) throws IOException;
  }

  Watcher(PrintWriter out, boolean terminal, Aside aside) {
    this.out = out;
    this.terminal = terminal;
    this.aside = aside;
  }

  /** Until the sweep is finished, or {@code until} says so. */
  SweepState follow(SweepDirectory directory, Predicate<SweepState> until)
      throws IOException, InterruptedException {
    Thread restore = new Thread(this::leaveScreen);
    if (terminal) {
      Runtime.getRuntime().addShutdownHook(restore);
      out.print(ENTER_SCREEN);
    }
    try {
      return followed(directory, until);
    } finally {
      if (terminal) {
        Runtime.getRuntime().removeShutdownHook(restore);
        leaveScreen();
      }
    }
  }

  private SweepState followed(SweepDirectory directory, Predicate<SweepState> until)
      throws IOException, InterruptedException {
    long length = -1;
    SweepState state = SweepState.empty();
    while (true) {
      long now = Files.size(directory.journal());
      if (now != length) {
        length = now;
        Replay replay = new Replay();
        JournalReader.read(
            directory.journal(),
            entry -> {
              replay.accept(entry);
              announce(entry, replay.state());
            });
        state = replay.state();
      }
      if (terminal) {
        Progress progress = Progress.of(state, Instant.now());
        List<String> lines = new ArrayList<>(Display.lines(progress, Instant.now()));
        lines.addAll(aside.about(progress));
        draw(lines);
      }
      out.flush();
      if (state.isFinished() || until.test(state)) {
        last = terminal ? Display.lines(Progress.of(state, Instant.now()), Instant.now()) : last;
        return state;
      }
      Thread.sleep(REDRAW);
    }
  }

  private void draw(List<String> lines) {
    out.print(HOME);
    lines.forEach(line -> out.print(line + CLEAR_TO_END_OF_LINE + "\n"));
    out.print(CLEAR_BELOW);
  }

  /** What was drawn last stays to be read. */
  private void leaveScreen() {
    out.print(LEAVE_SCREEN);
    last.forEach(out::println);
    out.flush();
  }

  private void announce(Entry entry, SweepState state) {
    if (terminal || entry.seq() <= seen) {
      return;
    }
    seen = entry.seq();
    switch (entry.event()) {
      case Event.WaveOpened e -> say(entry);
      case Event.WaveClosed e -> say(entry);
      case Event.WaveSkipped e -> say(entry);
      case Event.AttemptStarted e ->
          say(entry, Judged.profile(state, e.attempt()) + ": " + Words.of(e));
      case Event.AttemptJudged e -> say(entry, Judged.words(state, e));
      case Event.ProfileDropped e -> say(entry);
      case Event.ConfirmationPlanned e -> say(entry);
      case Event.CommandAccepted e -> say(entry);
      case Event.ClusterUnreachable e -> say(entry);
      case Event.ClusterReachable e -> say(entry);
      case Event.RemedyBegun e -> say(entry);
      case Event.QuestionAsked e -> say(entry);
      case Event.QuestionLapsed e -> say(entry);
      case Event.SweepHalted e -> say(entry);
      case Event.SweepFinished e -> say(entry);
      default -> {}
    }
  }

  private void say(Entry entry) {
    say(entry, Words.of(entry.event()));
  }

  private void say(Entry entry, String words) {
    out.println(entry.at().toString().substring(11, 19) + " " + Terminal.plain(words));
  }
}
