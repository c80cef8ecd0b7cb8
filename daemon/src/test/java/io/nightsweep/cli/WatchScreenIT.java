package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.SocketServer;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code watch} shows on a real terminal (tmux's), and what its keys do. */
@Tag("people")
class WatchScreenIT {
  private static final List<Entry> NIGHT =
      new Night(
              Specs.kernels(6, 60),
              Specs.surface(0.08, 0.002),
              Faults.none().with(Faults.Kind.JOB_FAILS, 0.2),
              Duration.ofMinutes(2),
              7)
          .run()
          .entries();

  @TempDir private Path dir;
  private Tmux terminal = new Tmux();

  @BeforeEach
  void halfANight() throws IOException {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory sweep = state.sweep("half");
    Files.createDirectories(sweep.root());
    List<Entry> half = NIGHT.subList(0, NIGHT.size() * 2 / 3);
    Duration ago = Duration.between(half.getLast().at(), Instant.now());
    try (FileJournal journal = FileJournal.open(sweep.journal(), e -> {})) {
      for (Entry entry : half) {
        journal.append(
            entry.at().plus(ago),
            List.of(
                entry.event() instanceof Event.SweepStarted s
                    ? new Event.SweepStarted("half", s.seed(), s.spec())
                    : entry.event()));
      }
    }
  }

  @AfterEach
  void endTerminal() throws Exception {
    terminal.close();
  }

  @Test
  void everythingThatMattersStandsOnTerminalsOf80And60And200Columns() throws Exception {
    open(80, 24, "LANG=C.UTF-8");
    assertThat(terminal.screen(s -> s.contains("EVENTS")))
        .contains("NO DAEMON", "half", "jobs ", "FAILURES", "LEADERBOARD", "interval")
        .contains("NODES", "no daemon drives it", "q quit")
        .doesNotContain("RUNNING", "ETA ")
        .satisfies(s -> assertThat(s.indexOf("FAILURES")).isLessThan(s.indexOf("LEADERBOARD")))
        .satisfies(s -> assertThat(Tmux.widest(s)).isLessThanOrEqualTo(80));

    terminal.resize(60, 24);
    assertThat(terminal.screen(s -> Tmux.widest(s) <= 60 && s.contains("EVENTS")))
        .contains("NO DAEMON", "FAILURES", "LEADERBOARD", "NODES", "q quit");

    terminal.resize(200, 50);
    String large = terminal.screen(s -> Tmux.widest(s) > 150 && s.contains("EVENTS"));
    assertThat(large).contains("WAVES", "●");
    assertThat(large.lines().filter(l -> !l.isBlank()).count()).isGreaterThan(20);
    // Jobs, nodes and events appear beside the failures.
    assertThat(large.lines()).anyMatch(l -> l.contains("FAILURES") && Tmux.widest(l) > 100);
  }

  @Test
  void aTerminalOfAsciiIsDrawnInAsciiAndWithColoursUnlessTheyAreUnwanted() throws Exception {
    open(80, 24, "LANG=C LC_ALL=C");
    assertThat(terminal.screen(s -> s.contains("EVENTS")))
        .matches("\\p{ASCII}*")
        .contains("####", "# measured");
    assertThat(terminal.coloured()).contains("\033[1m\033[31mFAILURES");
    open(80, 24, "LANG=C NO_COLOR=1");
    terminal.screen(s -> s.contains("EVENTS"));
    assertThat(terminal.coloured()).doesNotContainPattern("\033\\[[0-9;]*3[0-7]m");
  }

  /** A report contains a star and a delta, a rehearsal contains bars. */
  @Test
  void noCommandWritesBeyondAsciiToATerminalThatHasNoMore() throws Exception {
    for (String terminalOf : List.of("LANG=C", "LANG=C.UTF-8 TERM=dumb")) {
      open(100, 80, terminalOf, "report");
      assertThat(terminal.screen(s -> s.contains("left with 0")))
          .matches("\\p{ASCII}*")
          .contains("Appendix: every attempt");
      assertThat(terminal.history()).matches("\\p{ASCII}*").contains("| delta vs baseline |");
    }
    open(100, 30, "LANG=C.UTF-8", "report");
    terminal.screen(s -> s.contains("left with 0"));
    assertThat(terminal.history()).contains("| Δ vs baseline |");
  }

  @Test
  void keysExplainAskBeforeTheyPauseAndLeave() throws Exception {
    open(100, 30, "LANG=C.UTF-8");
    terminal.screen(s -> s.contains("EVENTS"));
    terminal.keys("Down");
    terminal.keys("e");
    assertThat(terminal.screen(s -> s.contains("any key: back")))
        .contains("verdict", "settings", "each against the baseline of its own time");
    terminal.keys("x");
    terminal.screen(s -> s.contains("EVENTS"));
    terminal.keys("p");
    terminal.screen(s -> s.contains("Pause? Running jobs end and are measured. y/n"));
    terminal.keys("n");
    terminal.screen(s -> s.contains("p pause"));
    terminal.keys("p");
    terminal.screen(s -> s.contains("Pause?"));
    terminal.keys("y");
    terminal.screen(s -> s.contains("no answer from the daemon; the current state is above"));
    terminal.keys("q");
    assertThat(terminal.screen(s -> s.contains("left with 0")))
        .as("what was seen last stays to be read")
        .contains("half  ", "NO DAEMON", "no daemon drives it");
  }

  @Test
  @Tag("guard")
  void whatWasSeenLastStaysWithItsAgeWhenTheDaemonIsGone() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    Reply.Hosting.Sweep half =
        new Reply.Hosting.Sweep(
            "half", Optional.empty(), Optional.empty(), 0, true, Duration.ofSeconds(3));
    Reply hosting = new Reply.Hosting(List.of(half), Map.of(), "announcements are kept");
    OwnerLock daemon = OwnerLock.acquire(state.owner());
    SocketServer server =
        SocketServer.listen(state.socket(), request -> hosting, Duration.ofMinutes(1));
    String board;
    try (daemon;
        server) {
      open(100, 40, "LANG=C.UTF-8");
      String driven = terminal.screen(s -> s.contains("looked at 3 s ago"));
      assertThat(driven).contains("RUNNING", "ETA ");
      board = leaderboard(driven);
    }
    String gone = terminal.screen(s -> s.contains("no daemon drives it"));
    assertThat(leaderboard(gone)).contains("p3").isEqualTo(board);
    assertThat(gone.replaceAll("\\s+", " "))
        .containsPattern("go on: nightsweep start.*its journal was last written \\d+ (s|min) ago")
        .contains("NO DAEMON")
        .doesNotContain("RUNNING", "ETA ");
  }

  private static String leaderboard(String screen) {
    return screen.lines().dropWhile(l -> !l.contains("LEADERBOARD")).limit(5).toList().toString();
  }

  private void open(int columns, int rows, String environment) throws Exception {
    open(columns, rows, environment, "watch");
  }

  private void open(int columns, int rows, String environment, String command) throws Exception {
    String watch =
        "env -u NO_COLOR -u LC_ALL -u LANG %s '%s' --enable-native-access=ALL-UNNAMED -cp '%s' %s %s --state '%s'"
            .formatted(
                environment,
                Path.of(System.getProperty("java.home"), "bin/java"),
                System.getProperty("java.class.path"),
                Main.class.getName(),
                command,
                dir.resolve("state"));
    Path script = Files.writeString(dir.resolve("watch.sh"), watch + "\necho left with $?\ncat\n");
    terminal.close();
    terminal = new Tmux();
    terminal.open(columns, rows, "sh " + script);
  }
}
