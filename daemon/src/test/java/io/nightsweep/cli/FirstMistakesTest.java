package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Typical mistakes of newcomers with their own programs, and the messages that they get. */
@Tag("people")
@Tag("slow")
class FirstMistakesTest {
  @TempDir private Path dir;

  /** The file has no line 1 to look at. */
  @Test
  void aFileThatIsNotThereHasNoLines() {
    Typed start = say("start", "--cluster", "local", "none.yaml");
    assertThat(start.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(start.err()).startsWith("none.yaml: there is no file none.yaml; write one with");
    assertThat(say("doctor", "--cluster", "local", "none.yaml").out())
        .contains("do: name the file, or write one: nightsweep init -o none.yaml");
    Typed bench = say("bench", "--cluster", "local", "none.yaml");
    assertThat(bench.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(bench.err()).contains("there is no file none.yaml; or name one of allreduce, ");
  }

  @Test
  void doctorEndsWithWhatToTypeWhereNothingIsWrong() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("sweep.yaml"),
            say("init", "--workload", "command", "--cluster", "local").out());
    String said = say("doctor", "--cluster", "local", file.toString()).out();
    assertThat(said.lines().toList().getLast())
        .startsWith("ok    ready: nightsweep start ")
        .endsWith(" --cluster local " + file);
    assertThat(say("doctor", "--cluster", "local", "none.yaml").out()).doesNotContain("ready:");
  }

  /** Without a terminal the choice is the one that Enter makes on a terminal. */
  @Test
  void initWithoutATerminalSaysForWhatItsFileIsAndWhichOthersThereAre() throws IOException {
    Typed said = say("init", "--cluster", "local");
    assertThat(said.out()).contains("kind: command").doesNotContain("This is the file for");
    assertThat(said.err())
        .contains("This is the file for a program of your own")
        .contains("--workload kernels  a kernel of Nightsweep's own", "--workload maxtext ");
    assertThat(say("init", "--cluster", "local", "--workload", "command").err()).isEmpty();
  }

  /**
   * A night may be planned on another machine than its cluster; the file is for the cluster, and
   * says so.
   */
  @Test
  @Tag("people")
  void aFileForALauncherThatCallsSbatchIsWrittenForAnotherCluster() {
    Path file = dir.resolve("elsewhere.yaml");
    Typed said = say("init", "--workload", "maxtext", "--cluster", "local", "-o", file.toString());
    assertThat(said.out())
        .contains("nightsweep rehearse " + file, "nightsweep start " + file)
        .doesNotContain("--cluster local");
    assertThat(said.err()).contains("calls sbatch", "nodes in 'slot'");
  }

  @Test
  void explainKnowsAProfileInThreeLinesAndRefusesAnUnknownOne() throws IOException {
    PastNights.leave(dir.resolve("state"), "night", PastNights.ofFewProfiles(0.08, 7));
    Typed winner = say("explain", "p3");
    assertThat(winner.code()).isZero();
    assertThat(winner.out().lines().toList().subList(0, 3))
        .satisfiesExactly(
            l -> assertThat(l).matches("verdict   wins: \\+8\\.\\d+ % \\(.*\\) by \\d+ fresh runs"),
            l -> assertThat(l).isEqualTo("settings  OMPI_MCA_knob=3"),
            l -> assertThat(l).matches("runs      \\d+ measured"));
    assertThat(winner.out()).doesNotContain("=>").contains("nightsweep explain p3 --events");
    assertThat(say("explain", "p3", "--events").out()).contains("verdict   wins");
    Typed unknown = say("explain", "q3");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(unknown.err())
        .contains("has no profile, wave, trial or config tag 'q3'; did you mean 'p3'?");
  }

  @Test
  void aHaltedSweepsStatusQuotesTheLogLine() throws IOException {
    assertThat(statusAfterAHalt("line 5 matches 'Error: '", "line 5 matches 'Error: '"))
        .contains(
            "] HALTED",
            "  program-error",
            "job.log:5: ModuleNotFoundError: No module named 'numpy'");
    Typed explained = say("explain", "program-error");
    assertThat(explained.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(explained.err())
        .contains("is not a profile but the failure that ended t", "nightsweep explain t");
    assertThat(say("explain", "baseline-deployed").out())
        .containsPattern(
            "failed    t\\d+a1 as program-error: .*\nlog       /.*/t\\d+a1/job\\.log\n");
  }

  @Test
  void aLogLineThatTheReasonQuotesIsShownOnce() throws IOException {
    assertThat(
            statusAfterAHalt(
                "the first of two jobs said: ModuleNotFoundError: No module named 'scipy'",
                "it said: ModuleNotFoundError: No module named 'numpy'"))
        .containsOnlyOnce("No module named");
  }

  /** Nothing is known about how a user's own program spreads over nodes. */
  @Test
  void aNameInPlaceOfAxesIsToldWhatWouldDo() throws IOException {
    Path file = dir.resolve("named.yaml");
    Typed template = say("init", "--workload", "command", "--cluster", "local");
    Files.writeString(file, template.out().replace("parallelism: ranks=1", "parallelism: mine"));
    Typed said = say("rehearse", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(said.err())
        .contains(
            "'mine' is not an axis of a parallelism; expected axes of any name, each with a whole number, such as 'ranks=1'");
  }

  private String statusAfterAHalt(String first, String detail) throws IOException {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory sweep = state.sweep("night");
    Files.createDirectories(sweep.root());
    Diagnosis diagnosis =
        new Diagnosis(
            "program-error",
            0.9,
            List.of(
                new Diagnosis.Quote("job.log", 5, "ModuleNotFoundError: No module named 'numpy'")),
            Statement.words(detail),
            List.of());
    try (FileJournal journal = UnsyncedJournal.open(sweep.journal(), e -> {})) {
      for (Entry entry : PastNights.ofFewProfiles(0.08, 7)) {
        if (entry.event() instanceof Event.AttemptJudged judged) {
          journal.append(
              entry.at(),
              List.of(
                  new Event.AttemptJudged(judged.attempt(), new Judgement.Failed(diagnosis)),
                  new Event.SweepHalted(
                      new HaltCause.Incurable("program-error", Statement.words(first), List.of()),
                      List.of())));
          break;
        }
        journal.append(entry.at(), List.of(entry.event()));
      }
    }
    return say("status").out();
  }

  private Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
