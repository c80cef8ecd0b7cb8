package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A newcomer's first session and a morning after, on terminals of three widths and without Unicode.
 */
@Tag("people")
class SessionScreenIT {
  private static final String INIT = "init --workload command --cluster local -o fresh.yaml";

  /** Run after {@link #INIT}, all in one process, since each process takes seconds to start. */
  private static final List<String> COMMANDS =
      List.of(
          "doctor --cluster local fresh.yaml",
          "rehearse --cluster local --nights 16 fresh.yaml",
          "rehearse --cluster local --nights 16 small.yaml",
          "start --cluster local wrong.yaml",
          "help start",
          "sweeps",
          "status --sweep monday",
          "explain --sweep monday",
          "explain p3 --sweep monday",
          "explain p3 --events --sweep monday",
          "compare monday tuesday",
          "triage job.log",
          "doctor --cluster local fresh.yaml --log job.log",
          "add --sweep tuesday foo",
          "report --sweep monday",
          "clean --all --yes");

  @TempDir private Path dir;

  @BeforeEach
  void aStateOfTwoNights() throws IOException {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    List<Entry> night =
        new Night(
                Specs.kernels(6, 60),
                Specs.surface(0.08, 0.002),
                Faults.none().with(Faults.Kind.JOB_FAILS, 0.2),
                Duration.ofMinutes(2),
                7)
            .run()
            .entries();
    write(state, "monday", night);
    write(state, "tuesday", night.subList(0, night.size() / 2));
    Files.writeString(dir.resolve("job.log"), "step 1\nbash: line 3: zstdd: command not found\n");
  }

  private static void write(StateDirectory state, String id, List<Entry> entries)
      throws IOException {
    SweepDirectory sweep = state.sweep(id);
    Files.createDirectories(sweep.root());
    try (FileJournal journal = FileJournal.open(sweep.journal(), e -> {})) {
      for (Entry entry : entries) {
        journal.append(
            entry.at(),
            List.of(
                entry.event() instanceof Event.SweepStarted s
                    ? new Event.SweepStarted(id, s.seed(), s.spec())
                    : entry.event()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"60, LANG=C", "80, LANG=C.UTF-8", "200, LANG=C.UTF-8"})
  void noCommandLeavesTheBreakingOfLinesToTheTerminal(int columns, String language)
      throws Exception {
    String session =
        """
        cd '%s'
        unset COLUMNS NO_COLOR LC_ALL
        export %s NIGHTSWEEP_STATE='%s'
        nightsweep() { %s "$@"; }
        nightsweep %s </dev/null
        sed 's/^  jobs: .*/  jobs: 4/' fresh.yaml >small.yaml
        sed 's/^profiles:/profils:/' fresh.yaml >wrong.yaml
        nightsweep %s
        echo all done
        cat
        """
            .formatted(
                dir,
                language,
                dir.resolve("state"),
                MainProcess.shellInTurn(),
                INIT,
                String.join(" " + InTurn.THEN + " ", COMMANDS));
    Path script = Files.writeString(dir.resolve("session.sh"), session);
    try (Tmux terminal = new Tmux()) {
      terminal.open(columns, 50, "sh " + script);
      terminal.screen(s -> s.contains("all done"));
      String said =
          terminal
              .history()
              .lines()
              .map(line -> line.stripTrailing() + "\n")
              .collect(Collectors.joining());
      assertThat(InTurn.answers(said)).as(said).hasSize(1 + COMMANDS.size());
      assertThat(said)
          .contains(
              "written: fresh.yaml", "unknown key 'profils'", "cheapest budget that is enough")
          .contains("p3 wins by +", "verdict ", "baseline of B over A", "Appendix: every attempt")
          .contains("kept tuesday, which has not finished");
      assertThat(terminal.brokenByTheTerminal(columns)).isEmpty();
      if (language.equals("LANG=C")) {
        assertThat(said).matches("\\p{ASCII}*");
      }
    }
  }
}
