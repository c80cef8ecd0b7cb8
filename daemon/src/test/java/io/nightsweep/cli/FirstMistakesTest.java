package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What newcomers get wrong with a program of their own, and what they read then. */
@Tag("people")
@Tag("slow")
class FirstMistakesTest {
  @TempDir private Path dir;

  /** The packed template, as 'init' writes it, with steps 0 to 9. */
  @Test
  void doctorTriesThePatternOnALog() throws IOException {
    Typed right =
        doctor("step 0 of 10: 900 tokens/s, loss 2.5", "step 9 of 10: 1009 tokens/s, loss 2.5");
    assertThat(right.out())
        .contains("ok    steps in the log, by the number of its last: 10; in a run: 10");
  }

  /** It has no line 1 that anybody could look at. */
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

  /** Where nobody can be asked, the file is the one that Enter chooses on a terminal. */
  @Test
  void initWithoutATerminalSaysForWhatItsFileIsAndWhichOthersThereAre() throws IOException {
    Typed said = say("init", "--cluster", "local");
    assertThat(said.out()).contains("kind: command").doesNotContain("This is the file for");
    assertThat(said.err())
        .contains("This is the file for a program of your own")
        .contains("--workload kernels  a kernel of Nightsweep's own", "--workload maxtext ");
    assertThat(say("init", "--cluster", "local", "--workload", "command").err()).isEmpty();
  }

  /** A night may be planned away from its cluster; the file is for that one, and says so. */
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

  /** Many programs count from 1; the last step is measured too, and no run may end before it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 10 | ok    measured: tokensPerSecond 1008.00 tok/s, the mean of steps 5 to 9
          1 | 9  | too-few-steps: the last step in the log is step 9 (9 in all); with workload.steps 10 it must be step 10
          0 | 9  | ok    measured: tokensPerSecond 1007.00 tok/s, the mean of steps 5 to 9
          0 | 8  | too-few-steps: the last step in the log is step 8 (9 in all); with workload.steps 10 it must be step 9
          """)
  void stepsAreCountedFromTheCommandsFirst(int first, int last, String told) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int step = first; step <= last; step++) {
      lines.add("step %d of 10: %d tokens/s, loss 2.5".formatted(step, 1000 + step));
    }
    assertThat(doctor(lines.toArray(String[]::new)).out()).contains(told);
  }

  /** As progress bars are written: one line over itself. */
  @Test
  void stepsThatAreWrittenOverOneAnotherAreRead() throws IOException {
    StringBuilder bar = new StringBuilder();
    for (int step = 0; step < 10; step++) {
      bar.append("\rstep %d of 10: %d tokens/s, loss 2.5".formatted(step, 1000 + step));
    }
    assertThat(doctor(bar.toString()).out())
        .contains(
            "ok    steps in the log, by the number of its last: 10; in a run: 10",
            "ok    measured: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          step 9 1006 tok/s                       | no-measurement: 0 of 1 lines match workload.pattern | the log says 'step 9 1006 tok/s'
          step 6 of 10: 906 tokens/s, loss 2.5    | too-few-steps: the last step in the log is step 6 (1 in all); with workload.steps 10 it must be step 9 | Set workload.steps
          bash: line 3: zstdd: command not found  | program-missing: a program, or a library or file that it needs, is not there: bash: line 3: zstdd: command not found | install it on every node
          ./run: error while loading shared libraries: libfoo.so.1: cannot open shared object file: No such file or directory | program-missing: a program, or a library | install it on every node
          ./run: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by ./run) | program-missing: a program, or a library | install it on every node
          Segmentation fault (core dumped)        | crashed: the program crashed: Segmentation fault (core dumped) | set -eo pipefail
          """)
  void aLogThatMeasuresNothingIsExplained(String line, String found, String next)
      throws IOException {
    Typed said = doctor("starting", line);
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out()).contains("FAULT").contains(found.replace("0 of 1", "0 of 2"), next);
  }

  /** A program's summary has figures too, and its step lines are many. */
  @Test
  void theLineThatLooksLikeAStepIsQuoted() throws IOException {
    assertThat(
            doctor(
                    "[ 1s ] 8155.76 MiB/sec",
                    "[ 2s ] 8121.75 MiB/sec",
                    "Total operations: 25013483 (8335604.59 per second)",
                    "execution time (avg/stddev):   2.3768/0.00")
                .out())
        .contains("the log says '[ 2s ] 8121.75 MiB/sec'");
  }

  /** A disk without room takes the line too that each job prints before its command begins. */
  @Test
  @Tag("guard")
  void anEmptyLogIsNoFaultOfTheProfile() throws IOException {
    assertThat(doctor().out()).contains("FAULT the log is empty").doesNotContain("pattern '");
    assertThat(doctor("nightsweep: effective X=1").out())
        .contains("the command ended well and printed nothing");
  }

  @Test
  void aTracebackIsQuotedByWhatWasRaised() throws IOException {
    Typed said =
        doctor(
            "Traceback (most recent call last):",
            "  File \"train.py\", line 3, in <module>",
            "my.package.Broken: no such mode");
    assertThat(said.out())
        .contains("crashed: the program crashed: my.package.Broken: no such mode");
  }

  /** The night would halt at its first job. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          for i in 1 2; do ;; echo $i; done ~ 1 ~ syntax error near unexpected token `;;'
          echo "not closed                  ~ 1 ~ unexpected EOF while looking for matching `"'
          for i in 1; do@  echo $i@don      ~ 3 ~ syntax error: unexpected end of file
          """)
  void aCommandThatBashCannotReadIsRefusedAtItsLine(String command, int line, String told)
      throws IOException {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path started = dir.resolve("started");
    List<String> lines = new ArrayList<>(List.of("touch " + started));
    lines.addAll(Arrays.asList(command.split("@", -1)));
    Path file =
        Files.writeString(
            dir.resolve("broken.yaml"),
            template.replaceFirst(
                "(?m)^    for step in .*$",
                Matcher.quoteReplacement("    " + String.join("\n    ", lines))));
    int first = Files.readAllLines(file).indexOf("    touch " + started) + 1;
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out())
        .contains(
            "FAULT broken.yaml:" + (first + line) + ":1: bash cannot read the command: " + told,
            "do: correct it; it was read and not started");
    assertThat(started).doesNotExist();
  }

  /** Else the night halts at its first job. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      textBlock =
          """
          /nowhere/bench --fast               ~ FAULT ~ the command starts /nowhere/bench, and there is no such program
          OMP_NUM_THREADS=2 time DIR/data     ~ FAULT ~ DIR/data, which is not executable
          for i in 1 2; do ./bench; done      ~ FAULT ~ the command starts ./bench in the job's own folder
          zstdd -V || true                    ~ warning  ~ 'zstdd', which is not on the PATH
          if zstdd -V; then echo yes; fi      ~ warning  ~ 'zstdd', which is not on the PATH
          zstdd -b3 data | tee log            ~ FAULT ~ the command starts 'zstdd', which is not on the PATH
          echo "step $(zstdd -b3)"            ~ warning  ~ 'zstdd', which is not on the PATH
          sleep 0; zstdd -b3                  ~ warning  ~ 'zstdd', which is not on the PATH
          touch bench; ./bench                ~ ~
          source env.sh; zstdd -b3            ~ ~
          [[ a < b && c < d ]] || echo none   ~ ~
          """)
  void aProgramThatIsNotThereIsToldBeforeTheNight(String command, String label, String told)
      throws IOException {
    Files.writeString(dir.resolve("data"), "no program");
    Path file = dir.resolve("absent.yaml");
    Files.writeString(
        file,
        say("init", "--workload", "command", "--cluster", "local")
            .out()
            .replaceFirst(
                "(?m)^    for step in .*$",
                Matcher.quoteReplacement("    " + command.replace("DIR", dir.toString()))));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    List<String> lines = said.out().lines().filter(l -> l.contains("the command starts")).toList();
    if (label == null) {
      assertThat(lines).isEmpty();
    } else {
      assertThat(lines)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith(label)
          .contains("absent.yaml:", told.replace("DIR", dir.toString()));
    }
    assertThat(said.code()).isEqualTo("FAULT".equals(label) ? ExitCode.UNFIT : ExitCode.OK);
    assertThat(said.out()).contains("nightsweep doctor " + file + " --log FILE");
  }

  /** What computes less is faster, and nothing else would tell. */
  @Test
  void aPatternThatReadsNothingOfTheResultIsDoubted() throws Exception {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path file = Files.writeString(dir.resolve("sweep.yaml"), template);
    String doubt =
        "nothing tells what the program computes: workload.pattern reads no (?<loss>...)";
    assertThat(say("doctor", "--cluster", "local", file.toString()).out()).doesNotContain(doubt);
    Files.writeString(file, template.replace(", loss (?<loss>[\\d.]+|nan)", ""));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.OK);
    assertThat(said.out().lines())
        .anyMatch(line -> line.startsWith("warning  sweep.yaml:") && line.contains(doubt));
  }

  /** A node may have folders that the machine of the commands does not have. */
  @Test
  void whatNodesMaySeeIsOnlyDoubted() throws Exception {
    Path file = dir.resolve("absent.yaml");
    Files.writeString(
        file,
        say("init", "--workload", "command", "--cluster", "local")
            .out()
            .replaceFirst("(?m)^    for step in .*$", "    /nowhere/bench | zstdd"));
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    assertThat(Places.parts().workload("command").missingPrograms(spec, false))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.fatal()).isFalse();
              assertThat(Phrases.EN.text(problem.found()))
                  .contains("/nowhere/bench", "a node may see it all the same");
            });
  }

  /** It would be set all night, and change nothing. */
  @Test
  void aVariableThatLooksMisspeltIsDoubted() throws Exception {
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    Path file =
        Files.writeString(
            dir.resolve("misspelt.yaml"),
            template.replaceFirst(
                "(?m)^profiles:\\n(  .*\\n)+",
                """
                configTags:
                  tag: {SPED: 1}
                profiles:
                  swapped: {env: {SPEDE: 50}}
                  named: {env: {SPEED: 50}, overrides: {NIGHTSWEEP_STEPS: 9}}
                  other: {env: {OMP_NUM_THREADS: 4, S: 1, APP_PORT1: 1}}
                  fast: {env: {APP_MODE: fast, APP_PORT2: 1}}
                  slow: {env: {APP_MODE: slow, APP_PORT2: 2}}
                  typo: {env: {APP_MOED: fast, APP_MODUS: 1}}
                """));
    Typed said = say("doctor", "--cluster", "local", file.toString());
    assertThat(said.out().lines().filter(line -> line.contains("'APP_")))
        .as("the program reads it itself, and only others say how it is spelt")
        .singleElement()
        .asString()
        .contains("'APP_MOED'; it is set all the same", "did you mean 'APP_MODE'?");
    assertThat(said.out().lines().filter(line -> line.contains("'SPE")))
        .satisfiesExactly(
            line -> assertThat(line).contains("'SPEDE'; it is set all the same"),
            line -> assertThat(line).contains("'SPED'"))
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("warning  ")
                    .contains("misspelt.yaml:", "did you mean 'SPEED'?"));
    // The sweep that is started all the same does not forget it.
    SweepSpec spec = SweepFile.load(file).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    SweepDirectory sweep = new StateDirectory(dir.resolve("state")).sweep("night");
    Files.createDirectories(sweep.root());
    try (FileJournal journal = UnsyncedJournal.open(sweep.journal(), e -> {})) {
      journal.append(Instant.now(), List.of(new Event.SweepStarted("night", 1, spec)));
      journal.append(
          Instant.now(),
          List.of(
              new Event.CommandAccepted(
                  new Command.AddProfiles(
                      List.of(Profile.of("late", Map.of(), Map.of("SPEEED", "60"), Map.of()))),
                  new Command.Origin(Command.Origin.Door.CLI, "ann"))));
    }
    assertThat(say("status").out())
        .contains("  warning  The command never mentions 'SPEDE'", "is 'SPEED' meant?")
        .contains("  warning  The command never mentions 'SPEEED'");
    assertThat(say("report").out()).contains("never mentions `SPEDE`", "never mentions `SPED`");
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
        .contains("is no profile but the failure that ended t", "nightsweep explain t");
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

  /** A log that nobody said to be of a running job is of no hang. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ValueError: bad                 | program-error
          Segmentation fault (core dumped) | program-crash
          ''                              | no failure found
          all good                        | no failure found
          """)
  void aPlainLogIsNotCalledAHang(String line, String told) throws IOException {
    Path log = Files.writeString(dir.resolve("plain.log"), line + "\n");
    assertThat(triage(log)).contains(told).doesNotContain("hang");
  }

  /** Without a sweep file as with one, since both are asked about the same log. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bash: line 3: zstdd: command not found",
        "sh: 1: zstdd: not found",
        "/shared/job.sh: line 7: ./train: No such file or directory",
        "slurmstepd: error: execve(): ./train: No such file or directory",
        "python3: can't open file '/shared/train.py': [Errno 2] No such file or directory",
        "./run: error while loading shared libraries: libfoo.so.1: cannot open shared object file:"
            + " No such file or directory",
        "./run: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by ./run)"
      })
  void aMissingProgramIsNamedAlikeByTriageAndDoctor(String line) throws IOException {
    assertThat(doctor("starting", line).out()).contains("program-missing: ");
    assertThat(triage(dir.resolve("job.log"))).contains("job.log: program-missing (");
  }

  /** Of a program of one's own nothing is known to be spread over anything. */
  @Test
  void aNameInPlaceOfAxesIsToldWhatWouldDo() throws IOException {
    Path file = dir.resolve("named.yaml");
    Typed template = say("init", "--workload", "command", "--cluster", "local");
    Files.writeString(file, template.out().replace("parallelism: ranks=1", "parallelism: mine"));
    Typed said = say("rehearse", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(said.err())
        .contains(
            "'mine' is no axis of a parallelism; expected axes of any name such as 'ranks=1'");
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

  private static String triage(Path log) {
    return Typed.line("triage", log.toString()).said();
  }

  private Typed doctor(String... lines) throws IOException {
    Path file = dir.resolve("sweep.yaml");
    Typed written = say("init", "--workload", "command", "--cluster", "local");
    Files.writeString(file, written.out());
    Path log = Files.write(dir.resolve("job.log"), Arrays.asList(lines));
    Typed said = say("doctor", file.toString(), "--log", log.toString());
    assertThat(said.err()).isEmpty();
    return said;
  }

  private Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
