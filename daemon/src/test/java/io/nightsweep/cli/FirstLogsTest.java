package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What doctor and triage say about the first logs of a user's own program. */
@Tag("people")
@Tag("slow")
class FirstLogsTest {
  @TempDir private Path dir;

  /** The packed template as 'init' writes it, with steps 0 to 9. */
  @Test
  void doctorTriesThePatternOnALog() throws IOException {
    Typed right =
        doctor("step 0 of 10: 900 tokens/s, loss 2.5", "step 9 of 10: 1009 tokens/s, loss 2.5");
    assertThat(right.out())
        .contains("ok    steps in the log, by the number of its last: 10; in a run: 10");
  }

  /** Many programs count from 1; the last step is measured too, so no run may end before it. */
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

  /** As progress bars write: each step overwrites the line. */
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

  @Test
  void aRunWhoseLossIsNoNumberIsNoMeasurement() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int step = 0; step < 10; step++) {
      lines.add("step %d of 10: 1000 tokens/s, loss %s".formatted(step, step < 6 ? "2.5" : "nan"));
    }
    Typed said = doctor(lines.toArray(String[]::new));
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out()).contains("ok    measured: ", "FAULT nan-loss: ", "step 6");
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
          Segmentation fault (core dumped)        | FAULT the program crashed: Segmentation fault (core dumped) | start the command by hand
          """)
  void aLogThatMeasuresNothingIsExplained(String line, String found, String next)
      throws IOException {
    Typed said = doctor("starting", line);
    assertThat(said.code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.out()).contains("FAULT").contains(found.replace("0 of 1", "0 of 2"), next);
  }

  /** A program's summary contains figures too, but its step lines are more numerous. */
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

  /** A full disk also loses the line that each job prints before its command begins. */
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
    assertThat(said.out()).contains("FAULT the program crashed: my.package.Broken: no such mode");
  }

  /** A log that is not known to belong to a running job indicates no hang. */
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

  private static String triage(Path log) {
    return Typed.line("triage", log.toString()).said();
  }

  /** How the job ended is not in a log; only such a command may end well after a crash. */
  @Test
  void onlyACommandWithoutSetEIsAdvisedToBeginWithIt() throws IOException {
    String crash = "Segmentation fault (core dumped)";
    String advice = "begin workload.command with 'set -eo pipefail'";
    String template = say("init", "--workload", "command", "--cluster", "local").out();
    assertThat(doctorOf(template, crash).out()).doesNotContain("exit code 0", advice);
    assertThat(doctorOf(template.replace("    set -eo pipefail\n", ""), crash).out())
        .contains("FAULT crashed: the program crashed: " + crash, advice);
  }

  private Typed doctor(String... lines) throws IOException {
    return doctorOf(say("init", "--workload", "command", "--cluster", "local").out(), lines);
  }

  private Typed doctorOf(String sweep, String... lines) throws IOException {
    Path file = dir.resolve("sweep.yaml");
    Files.writeString(file, sweep);
    Path log = Files.write(dir.resolve("job.log"), Arrays.asList(lines));
    Typed said = say("doctor", file.toString(), "--log", log.toString());
    assertThat(said.err()).isEmpty();
    return said;
  }

  private Typed say(String... words) {
    return Typed.in(dir.resolve("state"), words);
  }
}
