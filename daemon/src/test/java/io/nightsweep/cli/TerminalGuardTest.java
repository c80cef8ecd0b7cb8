package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Statement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands print neither controls a terminal nor discloses a secret. */
@Tag("guard")
class TerminalGuardTest {
  private static final String TOKEN = "hf_canaryInTheLog0123456789";

  /** Sets a title, clears the screen, writes the clipboard and reverses text. */
  private static final String HOSTILE = "\u001b]0;title\u0007\u001b[2J\u001b]52;c;eA==\u0007\u202e";

  @TempDir Path dir;

  @Test
  void triageMasksWhatItQuotes() throws Exception {
    Path log = dir.resolve("job.log");
    Files.writeString(
        log,
        "quux.Frobnication: the mesh refused HF_TOKEN="
            + TOKEN
            + " "
            + HOSTILE
            + " password: hunter2isMine\n");
    for (String form : List.of("--json", "--propose-class", "--steps=15")) {
      assertThat(say("triage", form, log.toString()))
          .contains("the mesh refused")
          .doesNotContain(TOKEN, "hunter2isMine", "\u001b", "\u0007", "\u202e");
    }
  }

  /** Journals of earlier builds contain jobs' output unfiltered. */
  @Test
  void whatAJournalTellsIsNotObeyedByATerminal() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory sweep = state.sweep("s");
    Files.createDirectories(sweep.root());
    try (FileJournal journal = FileJournal.open(sweep.journal(), e -> {})) {
      journal.append(
          Instant.now(),
          List.of(
              new Event.SweepStarted("s", 1, Specs.kernels(3)),
              new Event.ClusterUnreachable("slurm_load_jobs error" + HOSTILE),
              new Event.SweepHalted(new HaltCause.DaemonError(1, "halted" + HOSTILE), List.of())));
    }
    new FileDecisionLog(sweep.decisions())
        .add(
            3,
            Instant.now(),
            new Decision.Append(
                new Event.SweepHalted(new HaltCause.DaemonError(1, "halted" + HOSTILE), List.of()),
                Statement.words("it failed" + HOSTILE)));
    for (List<String> command :
        List.of(List.of("status"), List.of("explain"), List.of("watch", "--exit-status"))) {
      String said =
          say(
              Stream.concat(command.stream(), Stream.of("--state", state.root().toString()))
                  .toArray(String[]::new));
      assertThat(said)
          .as(command.getFirst())
          .contains("halted")
          .doesNotContain("\u001b", "\u0007", "\u202e");
    }
  }

  /** A start on a full disk, or a file system that lost a file, leaves these journals. */
  @Test
  void oneSweepThatCannotBeReadHidesNoOther() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    for (String id :
        List.of("a-empty", "b-cut", "c-lost", "d-damaged", "e-good", "f-long", "g" + HOSTILE)) {
      Files.createDirectories(state.sweep(id).root());
    }
    Files.createFile(state.sweep("a-empty").journal());
    Files.writeString(state.sweep("b-cut").journal(), "{\"v\":12,\"se");
    Files.createDirectory(state.sweep("c-lost").journal());
    Files.writeString(state.sweep("d-damaged").journal(), "{}\n{}\n");
    Files.write(state.sweep("f-long").journal(), new byte[17 << 20]);
    Files.writeString(state.sweep("g" + HOSTILE).journal(), "{}\n{}\n");
    try (FileJournal journal = FileJournal.open(state.sweep("e-good").journal(), e -> {})) {
      journal.append(Instant.now(), List.of(new Event.SweepStarted("e-good", 1, Specs.kernels(3))));
    }
    String root = state.root().toString();
    assertThat(say("sweeps", "--state", root))
        .contains("e-good", "f-long: ", "has more than 16 MiB")
        .doesNotContain("\u001b", "\u0007", "\u202e");
    for (String told :
        List.of(say("status", "--state", root), say("status", "--json", "--state", root))) {
      assertThat(told)
          .contains("b-cut: ", "c-lost: ", "d-damaged: ", "has more than 16 MiB")
          .doesNotContain("\u001b", "\u0007", "\u202e")
          .containsPattern("(?m)^(e-good|\\{.*\"e-good\")");
    }
  }

  /** A server, a command or a file may report the failure, together with its arguments. */
  @Test
  void anErrorIsMaskedWithItsTrace() {
    Path missing = dir.resolve("HF_TOKEN=" + TOKEN + HOSTILE);
    for (List<String> command :
        List.of(
            List.of("rehearse", missing.toString()),
            List.of("rehearse", "--verbose", missing.toString()),
            List.of("doctor", "--cluster", "local", "--state", dir.toString(), missing.toString()),
            List.of("report", "--state", dir.toString(), "--sweep", "no-" + TOKEN))) {
      assertThat(say(command.toArray(String[]::new)))
          .as(command.getFirst())
          .isNotBlank()
          .doesNotContain(TOKEN, "\u001b", "\u0007", "\u202e");
    }
  }

  private static String say(String... words) {
    return Typed.line(words).said();
  }
}
