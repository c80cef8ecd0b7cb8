package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What triage answers to a person who brings a log from elsewhere. */
@Tag("joblog")
@Tag("slow")
class TriageAnswersTest {
  private static final String UNKNOWN = "level 4: 75 MB/s\nthe gizmo is out of tune: fatal\n";

  @TempDir private Path folder;

  private Path log(String text) throws IOException {
    return Files.writeString(folder.resolve("job.log"), text);
  }

  private Typed triage(String text, String... options) throws IOException {
    return triaged(log(text), options);
  }

  private static Typed triaged(Path log, String... options) {
    return Typed.line(
        Stream.of(Stream.of("triage"), Stream.of(options), Stream.of(log.toString()))
            .flatMap(s -> s)
            .toArray(String[]::new));
  }

  /** As sacct reports it, and as a shell does. */
  @Test
  void theSignalThatKilledTheJobIsNamedWithWhoSendsIt() throws IOException {
    for (String code : new String[] {"0:9", "137"}) {
      for (String text : new String[] {"", UNKNOWN}) {
        assertThat(triage(text, "--exit-code", code).out())
            .contains("killed by signal 9 (SIGKILL)", "memory is full (oom-host)")
            .doesNotContain("exit code 137");
      }
    }
    assertThat(triage(UNKNOWN, "--exit-code", "3").out())
        .contains("with exit code 3")
        .doesNotContain("signal");
  }

  /** Such as OUT_OF_ME+, in a column of ten characters. */
  @Test
  void aStateThatSacctCutsIsKnownByItsBeginning() throws IOException {
    assertThat(triage("", "--state", "OUT_OF_ME+").out()).contains("oom-host");
    assertThat(triage("", "--state", "CANCELLED+").out()).contains("cancelled");
    for (String unclear : new String[] {"COMPLET+", "OUT_OF_ME", "+"}) {
      assertThat(triage("", "--state", unclear).err()).contains("expected a state");
    }
  }

  /** Nothing hangs between two steps after the last of them. */
  @Test
  void whatHangsIsToldByTheStepsThatAreKnown() throws IOException {
    String steps =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    "completed step: "
                        + i
                        + ", seconds: 2.311, TFLOP/s/device: 212.010, Tokens/s/device: 3545.310,"
                        + " total_weights: 65536, loss: 10.670\n")
            .collect(Collectors.joining());
    assertThat(triage(steps, "--state", "RUNNING").out())
        .contains("hang-after-step0", "step 2, no new step")
        .doesNotContain(" of ");
    assertThat(triage(steps, "--state", "RUNNING", "--steps", "10").out()).contains("step 2 of 9");
    assertThat(triage(steps, "--state", "RUNNING", "--steps", "3").out())
        .contains("no failure found", "all of its 3 steps");
  }

  @Test
  void aJobThatDoesNotRunDoesNotHang() throws IOException {
    assertThat(triage("", "--state", "PENDING").out())
        .contains("no failure found", "has written nothing yet");
    assertThat(triage("", "--state", "REQUEUED").out()).contains("preempted");
    assertThat(triage("", "--state", "COMPLETING").out()).doesNotContain("hang");
    assertThat(triage("", "--state", "RUNNING").out()).contains("hang-before-memstats");
    assertThat(triage("0: CUDA out of memory\n", "--state", "PENDING").out()).contains("oom-gpu");
  }

  @Test
  void whatTheLogSaysOfTheJobsEndIsTold() throws IOException {
    String end = "srun: error: gpu-a-17: task 0: Exited with exit code 1";
    assertThat(triage(UNKNOWN + end + "\n").out())
        .contains("of its end the log says '" + end + "'")
        .doesNotContain("nobody said");
    assertThat(triage(UNKNOWN).out()).contains("nobody said how the job ended");
  }

  @Test
  void ofADirectoryItsFilesAreNamed() throws IOException {
    assertThat(triaged(folder).err())
        .isEqualTo(folder + ": it is a directory, and no file is in it\n");
    Files.writeString(folder.resolve("a.txt"), "");
    assertThat(triaged(folder).err()).contains("nightsweep triage " + folder + "/*\n");
    log("");
    Typed said = triaged(folder);
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said.err())
        .isEqualTo(
            folder
                + ": it is a directory; for its files: nightsweep triage "
                + folder
                + "/*.log\n");
  }

  @Test
  void aMistypedNameIsAnsweredWithTheNearest() throws IOException {
    Path there = log("");
    assertThat(triaged(folder.resolve("jbo.log")).err())
        .isEqualTo(
            folder.resolve("jbo.log") + ": there is no such log; did you mean '" + there + "'?\n");
    assertThat(triaged(folder.resolve("no/such.log")).err()).endsWith("there is no such log\n");
  }

  /** The line where the failure began comes first. */
  @Test
  void theOtherLinesStandAsInTheLog() throws IOException {
    assertThat(
            quoted(
                """
                5: error: one odd thing
                3: error: two odd things
                4: Traceback (most recent call last):
                4: mylib.WeirdProblem: no shard
                2: error: three odd things
                """))
        .containsExactly(4, 1, 2, 3, 5);
    assertThat(
            quoted(
                """
                0: completed step: 0, seconds: 2.311, TFLOP/s/device: 212.010, Tokens/s/device: 3545.310, total_weights: 65536, loss: 10.670
                0: saved
                0: completed step: 1, seconds: 2.311, TFLOP/s/device: 212.010, Tokens/s/device: 3545.310, total_weights: 65536, loss: 10.670
                """))
        .containsExactly(1, 2, 3);
  }

  private List<Integer> quoted(String text) throws IOException {
    return Pattern.compile("job\\.log:(\\d+): ")
        .matcher(triage(text).out())
        .results()
        .map(m -> Integer.valueOf(m.group(1)))
        .toList();
  }

  @Test
  void whatTheFirstLineSaysIsNotSaidTwice() throws IOException {
    assertThat(triage("0: CUDA out of memory\n").out())
        .containsOnlyOnce("CUDA out of memory")
        .doesNotContain("because");
    assertThat(triage(UNKNOWN, "--exit-code", "3").out())
        .containsOnlyOnce("gizmo")
        .contains("because  ended as FAILED with exit code 3; no signature fits\n");
    assertThat(triage("HOSTNAME=n7\nCUDA out of memory\n").out())
        .contains("because  on n7: line 2");
  }

  @Test
  void programsGetTheMeaningAndWhatToDoToo() throws IOException {
    assertThat(triage("0: CUDA out of memory\n", "--json").out())
        .contains("\"meaning\":\"The device's memory does not hold", "\"next\":\"\"");
    assertThat(triage(UNKNOWN, "--json").out())
        .contains("\"meaning\":\"\"", "\"next\":\"--propose-class writes a class");
  }

  /** A log from elsewhere has no profile that could be dropped. */
  @Test
  void whatASweepWouldDoIsToldAsSuchAndLast() throws IOException {
    assertThat(
            triage("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 132.00 MiB.\n")
                .out()
                .lines()
                .toList())
        .last()
        .isEqualTo("  remedy   in a sweep: drop the profile");
    assertThat(triage(UNKNOWN).out())
        .containsPattern("  next .*--propose-class.*\n  remedy   in a sweep: resubmit");
  }

  /** Each class once, below one key. */
  @Test
  void theClassesOfSeveralLogsArePastedTogether() throws IOException {
    String[] texts = {
      "the gizmo of lane 7 is out of tune: fatal\n",
      "the gizmo of lane 8 is out of tune: fatal\n",
      "the gizmo of lane 8 is out of oil: fatal\n",
      "all good\n"
    };
    List<String> line = new ArrayList<>(List.of("triage", "--propose-class"));
    for (String text : texts) {
      line.add(Files.writeString(folder.resolve(line.size() + ".log"), text).toString());
    }
    String proposed = Typed.line(line.toArray(String[]::new)).out();
    assertThat(proposed)
        .containsOnlyOnce("\nclasses:\n")
        .containsOnlyOnce("out of tune: fatal'")
        .containsOnlyOnce("out of oil: fatal'")
        .contains("playbooks/own.yaml", "playbooks/samples/own.yaml", "5.log: no failure found");
    Path own =
        Files.writeString(folder.resolve("own.yaml"), "about: Own.\nextends: any\n" + proposed);
    Path samples = Files.createDirectory(folder.resolve("samples")).resolve("own.yaml");
    Files.writeString(
        samples,
        proposed
            .substring(proposed.indexOf("playbook test"))
            .lines()
            .skip(1)
            .map(l -> l.substring(2))
            .collect(Collectors.joining("\n")));
    Typed tested = Typed.line("playbook", "test", own.toString());
    assertThat(tested.code()).as(tested.said()).isEqualTo(ExitCode.OK);
    assertThat(triage(texts[1], "--playbook", own.toString(), "--propose-class").out())
        .contains("known already: the-gizmo-lane-out");
    assertThat(
            triage("the lever is stuck: fatal\n", "--playbook", own.toString(), "--propose-class")
                .out())
        .contains("# Into " + own, samples.toString());
    assertThat(triage(texts[0], "--propose-class", "--json").err()).contains("leave out --json");
  }

  @Test
  void manyLogsEndWithATableOfTheirClasses() throws IOException {
    List<String> line = new ArrayList<>(List.of("triage"));
    for (String text : new String[] {UNKNOWN, "0: CUDA out of memory\n", UNKNOWN}) {
      line.add(Files.writeString(folder.resolve(line.size() + ".log"), text).toString());
    }
    line.add(folder.resolve("no/such").toString());
    String[] words = line.toArray(String[]::new);
    String first = folder.resolve("1.log").toString();
    assertThat(Typed.line(words).out())
        .endsWith(
            """

            class                      logs  first
              unclassified                2  %s
              cannot be read              1  %s
              oom-gpu                     1  %s
              all                         4
            """
                .formatted(first, folder.resolve("no/such"), folder.resolve("2.log")));
    line.add(1, "--json");
    assertThat(Typed.line(line.toArray(String[]::new)).out().lines()).hasSize(3);
    assertThat(Typed.line("triage", first).out()).doesNotContain("first");
  }

  @Test
  void aPipeIntoNothingIsToldWhereItGoes() {
    assertThat(Typed.line("triage").err())
        .startsWith("Missing required parameter: 'LOG'\n")
        .contains("... | nightsweep triage -\n");
    assertThat(Typed.line("triage", "--nosuch", "x").err()).doesNotContain("triage -\n");
  }

  @Test
  void noExitCodeIsToldThatNobodyGave() throws IOException {
    assertThat(triage(UNKNOWN, "--state", "FAILED").out())
        .contains("ended as FAILED; no signature fits")
        .doesNotContain("exit code");
  }
}
