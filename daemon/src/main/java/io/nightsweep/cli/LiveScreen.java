package io.nightsweep.cli;

import static io.nightsweep.cli.Display.line;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * The full-screen view of a sweep on a terminal: redraws {@link LiveView} each second and reacts to
 * keys.
 */
final class LiveScreen {
  private static final long REDRAW_MILLIS = 1000;

  /** The rest of a cursor key's sequence arrives within this time; otherwise the key was Escape. */
  private static final long SEQUENCE_MILLIS = 50;

  private static final int MOST_EVENTS = 100;
  private static final int ESCAPE = 27;
  private static final int UP = -10;
  private static final int DOWN = -11;
  private static final String KEYS =
      "p pause  up/down choose  e explain  q quit (the sweep goes on)";

  /** The actions behind the keys. */
  interface Controls {
    /** Sends a command; returns the daemon's answer as a line. */
    String tell(SweepDirectory sweep, Command command) throws IOException;

    /** What only the daemon knows about the sweep. */
    DaemonWord.Word word(Progress progress) throws IOException;
  }

  private final PrintWriter out;
  private final Ink ink;
  private final Typeable typeable;
  private final Controls controls;
  private final Deque<Announcements.AnnouncedLine> events = new ArrayDeque<>();
  private final AtomicBoolean left = new AtomicBoolean();
  private List<String> overlay = List.of();
  private String footer = KEYS;
  private boolean asking;
  private int chosen;

  LiveScreen(PrintWriter out, Ink ink, Typeable typeable, Controls controls) {
    this.out = out;
    this.ink = ink;
    this.typeable = typeable;
    this.controls = controls;
  }

  /** Shows the sweep until it is finished, {@code until} is true, or the person quits. */
  SweepState follow(SweepDirectory sweep, Predicate<SweepState> until) throws IOException {
    Announcements news = new Announcements(sweep, MOST_EVENTS);
    try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
      Attributes before = terminal.enterRawMode();
      terminal.handle(Terminal.Signal.INT, signal -> left.set(true));
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      try {
        follow(sweep, until, news, terminal);
      } finally {
        terminal.puts(Capability.exit_ca_mode);
        terminal.puts(Capability.cursor_visible);
        terminal.setAttributes(before);
        terminal.flush();
      }
    }
    // The last state stays on the screen after the view ends.
    Instant now = Instant.now();
    Progress seen = Progress.of(news.state(), now);
    io.nightsweep.cli.Display.lines(seen, Optional.empty(), controls.word(seen), now)
        .forEach(out::println);
    out.flush();
    return news.state();
  }

  private void follow(
      SweepDirectory sweep, Predicate<SweepState> until, Announcements news, Terminal terminal)
      throws IOException {
    Display display = new Display(terminal, true);
    Size drawn = new Size();
    while (!left.get()) {
      for (Announcements.AnnouncedLine line : news.look()) {
        events.add(line);
        if (events.size() > MOST_EVENTS) {
          events.remove();
        }
      }
      SweepState s = news.state();
      Size size = size(terminal);
      if (!size.equals(drawn)) {
        display.resize(size.getRows(), size.getColumns());
        display.clear();
        drawn = size;
      }
      draw(display, size, s);
      if (s.isFinished() || until.test(s)) {
        return;
      }
      obey(key(terminal.reader()), sweep, s);
    }
  }

  /** Some terminals report no size. */
  private static Size size(Terminal terminal) {
    Size told = terminal.getSize();
    return told.getRows() > 0 && told.getColumns() > 0 ? told : new Size(80, 24);
  }

  private void draw(Display display, Size size, SweepState s) throws IOException {
    Instant now = Instant.now();
    Progress progress = Progress.of(s, now);
    LiveView.Scene scene =
        new LiveView.Scene(
            s,
            progress,
            new ArrayList<>(events),
            controls.word(progress),
            chosen,
            overlay,
            footer,
            now);
    show(display, new LiveView(ink, typeable, size.getColumns(), size.getRows()).lines(scene));
  }

  /** Copies the list: JLine keeps it and modifies it on a later call when it scrolls. */
  static void show(Display display, List<AttributedString> lines) {
    display.update(new ArrayList<>(lines), 0);
  }

  private static int key(NonBlockingReader keys) throws IOException {
    int key = keys.read(REDRAW_MILLIS);
    if (key != ESCAPE) {
      return key;
    }
    int second = keys.read(SEQUENCE_MILLIS);
    if (second != '[' && second != 'O') {
      return ESCAPE;
    }
    return switch (keys.read(SEQUENCE_MILLIS)) {
      case 'A' -> UP;
      case 'B' -> DOWN;
      default -> ESCAPE;
    };
  }

  private void obey(int key, SweepDirectory sweep, SweepState s) throws IOException {
    if (key == NonBlockingReader.READ_EXPIRED) {
      return;
    }
    if (key == NonBlockingReader.EOF) {
      left.set(true);
      return;
    }
    if (asking) {
      asking = false;
      footer = key == 'y' || key == 'Y' ? controls.tell(sweep, pauseOrResume(s)) : KEYS;
      return;
    }
    if (!overlay.isEmpty()) {
      overlay = List.of();
      footer = KEYS;
      return;
    }
    List<String> ranking = LiveSections.ranking(s);
    switch (key) {
      case 'q', 'Q' -> left.set(true);
      case UP, 'k' -> chosen = Math.max(0, chosen - 1);
      case DOWN, 'j' -> chosen = Math.max(0, Math.min(ranking.size() - 1, chosen + 1));
      case 'p', 'P' -> {
        asking = true;
        footer =
            pauseOrResume(s) instanceof Command.Pause
                ? "Pause? Running jobs end and are measured. y/n"
                : "Resume? y/n";
      }
      case 'e', 'E' -> {
        if (chosen < ranking.size()) {
          overlay = explanation(s, ranking.get(chosen));
          footer = "any key: back";
        }
      }
      default -> footer = KEYS;
    }
  }

  private static Command pauseOrResume(SweepState s) {
    return switch (s.phase()) {
      case Phase.Paused p -> resume();
      case Phase.Halted p -> resume();
      default -> new Command.Pause();
    };
  }

  private static Command resume() {
    return new Command.Resume(Optional.empty(), Optional.empty());
  }

  private static List<String> explanation(SweepState s, String profile) {
    List<String> lines = new ArrayList<>(List.of(profile, ""));
    lines.addAll(ProfileVerdict.lines(s, profile));
    lines.add("");
    lines.add("runs, each against the baseline of its own time:");
    ComparedRuns.of(s, profile, Phrases.EN).forEach(run -> lines.add(line(run)));
    lines.add("");
    lines.add("more: nightsweep explain " + profile);
    return lines;
  }
}
