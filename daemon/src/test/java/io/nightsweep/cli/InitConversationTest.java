package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.plan.FakeCluster;
import io.nightsweep.plan.InitFile;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.StartingValues;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code init} on a terminal: a few answers become a file that passes its own rehearsal. */
@Tag("people")
class InitConversationTest {
  private static final List<Node> NODES =
      List.of(
          FakeCluster.node("n1", Node.Availability.IDLE, "batch"),
          FakeCluster.node("n2", Node.Availability.IDLE, "batch"),
          FakeCluster.node("n3", Node.Availability.IDLE, "batch"));

  @TempDir private Path dir;

  @Test
  void aProgramOfOnesOwnBecomesASweepThatItsRehearsalPasses() throws Exception {
    Answering person =
        new Answering(
            "n[1-3]",
            "zstd -b3 -i1 corpus.tar",
            ".",
            "step 9 of 20: 151.2 MB/s",
            // The default, as printed in the line.
            "",
            "MB/s",
            "yes",
            "240",
            "ZSTD_CLEVEL=3 ZSTD_NBTHREADS=4",
            "0.2");
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE);
    String filled = new InitConversation(person, complaint -> {}).fill(text, "command", NODES, dir);
    assertThat(person.asked)
        .contains("Which nodes of n[1-3]? [n[1-2]]:", "How many hours may it take? [2]:");
    StringWriter said = new StringWriter();
    String carried =
        Rehearsing.carried(filled, new StateDirectory(dir.resolve("state")), new PrintWriter(said));
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", carried, Resources.beside(dir.resolve("sweep.yaml")))
            .onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    assertThat(spec.cell().model()).isEqualTo("zstd");
    assertThat(spec.cell().nodes()).containsExactly("n1", "n2", "n3");
    assertThat(spec.settings())
        .containsEntry("steps", "20")
        .containsEntry("windowFrom", "10")
        .hasEntrySatisfying("command", c -> assertThat(c).contains("pipefail", "zstd -b3"));
    assertThat(Pattern.compile(spec.settings().get("pattern")).matcher("step 9 of 20: 151.2 MB/s"))
        .matches(m -> m.find() && m.group("step").equals("9") && m.group("value").equals("151.2"));
    assertThat(spec.profiles())
        .extracting(Profile::name)
        .contains("ZSTD_CLEVEL-3", "ZSTD_NBTHREADS-4");
    assertThat(spec.metric().unit()).isEqualTo("MB/s");
    // A fifth of an hour is too short for a night; the file says what suffices.
    assertThat(said.toString())
        .contains("is too small for the plan; the file gives it ", "rehearsed: ")
        .doesNotContain("the budget is likely to end before the plan does");
    assertThat(spec.policy().expectedJob()).contains(Duration.ofMinutes(4));
    assertThat(spec.policy().jobTimeLimit()).isEqualTo(Duration.ofMinutes(40));
    assertThat(spec.budget().duration().orElseThrow()).isGreaterThan(Duration.ofMinutes(12));
  }

  /** What people type first: a loop over a file of theirs, and a variable without a usual value. */
  @Test
  void aCommandRunsInThePersonsFolderAndItsBaselineHasAValueOfEachVariable() throws Exception {
    Answering person =
        new Answering(
            "for i in 1 2 3; do pigz -p $P -b ${B:-128} data.txt; done",
            "",
            "round 1: 12.5 MB/s",
            "3",
            "MB/s",
            "yes",
            "60",
            "P=1 P=2 B=256",
            "2",
            "8");
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE, 1);
    String filled =
        new InitConversation(person, complaint -> {}).fill(text, "command", List.of(), dir);
    assertThat(person.answers).isExhausted();
    assertThat(person.asked)
        .contains("What is P today? The settings are compared with that:")
        .noneMatch(question -> question.contains("What is B") || question.contains("Which nodes"));
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", filled, Resources.beside(dir.resolve("sweep.yaml")))
            .onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    assertThat(spec.cell().model()).isEqualTo("pigz");
    assertThat(spec.cell().nodes()).containsExactly("n1");
    assertThat(spec.settings()).containsEntry("directory", dir.toString());
    assertThat(filled).contains("\n  env: {P: \"2\"}\n");
    assertThat(spec.profiles()).extracting(Profile::name).contains("P-1", "B-256");
    assertThat(spec.profiles()).extracting(Profile::name).doesNotContain("P-2");
  }

  @Test
  void emptyAnswersLeaveTheStartingFileAsItIs() throws Exception {
    String text = InitFile.text(new FakeCluster(NODES), "kernels", StartingValues.NONE);
    assertThat(
            new InitConversation(question -> Optional.empty(), complaint -> {})
                .fill(text, "kernels", NODES, dir))
        .isEqualTo(text);
  }

  /**
   * After an answer that was not understood, the file must say that a line is still the example's.
   */
  @Test
  void anAnswerThatDoesNotFitIsSaidAndAskedForAgain() throws Exception {
    Answering person =
        new Answering(
            "n9",
            "n2",
            "./bench",
            "nowhere",
            "/",
            "speed 151.2 MB/s",
            "step 9: 151.2 MB/s",
            "ten",
            "12",
            "MB per s",
            "MB/s",
            "maybe",
            "no",
            "a minute",
            "1.5",
            "-T 4",
            "T=4",
            "two",
            "2");
    List<String> said = new ArrayList<>();
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE);
    String filled = new InitConversation(person, said::add).fill(text, "command", NODES, dir);
    assertThat(person.answers).isExhausted();
    assertThat(said)
        .satisfiesExactly(
            s -> assertThat(s).contains("'n9': expected nodes of n[1-3]"),
            s -> assertThat(s).contains("'nowhere': expected a folder"),
            s ->
                assertThat(s)
                    .contains("'speed 151.2 MB/s': no number in it counts", "run in a loop"),
            s -> assertThat(s).isEqualTo("  from that line: step 9, value 151.2 MB/s"),
            s -> assertThat(s).startsWith("  its result is checked by its exit status alone"),
            s -> assertThat(s).contains("'ten': expected a whole number"),
            s -> assertThat(s).contains("'MB per s': expected at most 20 letters"),
            s -> assertThat(s).contains("'maybe': expected yes or no"),
            s -> assertThat(s).contains("'a minute': expected a number of seconds"),
            s -> assertThat(s).contains("'-T 4': expected variables", "${NAME:-usual}"),
            s -> assertThat(s).contains("'two': expected a number of hours"))
        .filteredOn(s -> !s.contains("from that line") && !s.contains("its result is checked"))
        .allMatch(s -> s.endsWith("; Enter keeps what is set"));
    assertThat(filled)
        .contains("n2", "    ./bench\n", "steps: 12", "better: lower", "expectedJob: 2s", "T-4: ")
        .contains("\n  hours: 2\n");
  }

  @ParameterizedTest
  @CsvSource({
    "zstd -b3 -i1 corpus.tar, zstd",
    "OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} /opt/venv/bin/python3.11 -u /home/ann/train.py, train",
    "env A=1 ./bin/solver --fast, solver",
    "mpirun -np ./stencil, stencil",
    "for i in 1 2 3; do pigz -c data; done, pigz",
    "for i in 1 2; do t=$(date +%s%N); pigz -c data; done, pigz",
    "set -e; while read line; do ./step.sh $line; done, step",
    "python, my-program"
  })
  void aSweepIsNamedAfterTheProgramAndNotAfterWhatStartsIt(String command, String name) {
    assertThat(InitConversation.name(command)).isEqualTo(name);
  }

  /**
   * If the line leaves open which number counts the steps, the person is asked, and the choice is
   * shown.
   */
  @Test
  void ofSeveralNumbersThePersonChoosesOne() throws Exception {
    Answering person =
        new Answering(
            "./bench",
            "",
            "type 16 bytes 64 bytes",
            "",
            "Train Epoch: 1 [640/60000 (1%)] Loss: 0.3",
            "c",
            "640",
            "0.3",
            "10",
            "s",
            "",
            "60",
            "T=4",
            "1");
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE, 1);
    List<String> said = new ArrayList<>();
    String filled = new InitConversation(person, said::add).fill(text, "command", List.of(), dir);
    assertThat(person.answers).isExhausted();
    assertThat(person.asked)
        .contains(
            "Which number counts the steps? a) 'type 16 bytes', b) 'bytes 64 bytes' [none of"
                + " them]:",
            "Which number counts the steps? a) 'Epoch: 1', b) '1 [640/60000 (1%)]' [none of them]:")
        .anyMatch(q -> q.startsWith("Which number is measured? a) ") && q.contains("'Loss: 0.3'"));
    assertThat(said)
        .anyMatch(s -> s.startsWith("  'type 16 bytes 64 bytes': no number in it counts the steps"))
        .anyMatch(s -> s.startsWith("  'c': expected one of a, b"))
        .contains("  from that line: step 640, value 0.3");
    assertThat(filled).contains("(?<step>", "Loss:");
  }

  /** Enter accepts the unit in the line, and the direction of improvement that follows from it. */
  @Test
  void theUnitIsTakenFromTheLine() throws Exception {
    Answering person =
        new Answering("./bench", "", "step 9: took 12.5 ms", "10", "", "", "60", "T=4", "1");
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE, 1);
    List<String> said = new ArrayList<>();
    String filled = new InitConversation(person, said::add).fill(text, "command", List.of(), dir);
    assertThat(person.answers).isExhausted();
    assertThat(said).first().isEqualTo("  from that line: step 9, value 12.5 ms");
    assertThat(said).last().asString().contains("exit status alone", "(?<loss>...)");
    assertThat(person.asked).contains("The unit of what is measured, such as tok/s or s [ms]:");
    assertThat(filled).contains("\nmetric: {name: measured, unit: \"ms\", better: lower}\n");
  }

  @Test
  void aProgramOfOnesOwnIsNotLeftWithTheExamplesSettingsInSilence() throws Exception {
    Answering person =
        new Answering("./prog", "", "step 9 1006 tok/s, loss 2.5", "10", "", "", "1", "", "2");
    List<String> said = new ArrayList<>();
    String text = InitFile.text(new FakeCluster(NODES), "command", StartingValues.NONE, 1);
    String filled = new InitConversation(person, said::add).fill(text, "command", List.of(), dir);
    assertThat(person.answers).isExhausted();
    assertThat(filled).contains("(?<loss>");
    assertThat(said)
        .anyMatch(line -> line.contains("its result is checked by its loss"))
        .last()
        .asString()
        .contains("the example's SPEED", "below 'profiles'");
  }

  /** Gives its answers in order, and remembers the questions. */
  private static final class Answering implements Function<String, Optional<String>> {
    final List<String> asked = new ArrayList<>();
    final Iterator<String> answers;

    Answering(String... answers) {
      this.answers = List.of(answers).iterator();
    }

    @Override
    public Optional<String> apply(String question) {
      asked.add(question);
      return Optional.of(answers.next());
    }
  }
}
