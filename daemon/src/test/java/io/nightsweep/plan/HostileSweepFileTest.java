package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nightsweep.triage.LogTriage;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that could hang, crash or trick their reader. */
@Tag("guard")
@Timeout(120)
@Tag("slow")
class HostileSweepFileTest {
  private static final String SWEEP =
      """
      model: m
      parallelism: ranks=1
      slot: {nodelist: n1}
      workload: {kind: command, command: 'echo "step 1 of 1: 2"', launch: once, pattern: 'step (?<step>\\d+) of \\d+: (?<value>\\d+)', steps: 1}
      metric: {name: speed, unit: tok/s, better: higher}
      profiles: {one: {env: {SPEED: 1}}}
      plan: {waves: [{name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 3, why: noise}, {name: screen, kind: screen, profiles: [one], repetitions: 1, why: once}]}
      budget: {jobs: 5}
      playbook: common
      """;

  @TempDir private Path folder;

  private void read(String text) throws InvalidInputException {
    SweepFile.parse("sweep.yaml", text, Resources.below(folder))
        .onPaper(ZonedDateTime.of(2026, 1, 1, 20, 0, 0, 0, ZoneOffset.UTC));
  }

  @Test
  void theFileIsGoodBeforeItIsSpoilt() throws Exception {
    read(SWEEP);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jobs: 5             | jobs: 95e58",
        "jobs: 5             | jobs: 1e999999999",
        "{nodelist: n1}      | {nodes: 999999999999}",
        "SPEED: 1            | 'SPEED: \"a\\0b\"'",
        "SPEED: 1            | 'SPEED: \"a\\ud83db\"'",
        "SPEED: 1            | '\"X; touch PWNED; Y\": 1'",
        "nodelist: n1        | 'nodelist: \"n1;reboot\"'",
        "steps: 1            | steps: 5001",
        "jobs: 5             | jobs: 5.0",
        "jobs: 5             | jobs: 1e1",
        "repetitions: 3      | repetitions: 3.0",
        "playbook: common    | 'policy: {confirmRuns: 4.0}\nplaybook: common'",
        "playbook: common    | 'policy: {jobTimeLimit: 0m}\nplaybook: common'",
        "playbook: common    | 'policy: {expectedJob: 0s}\nplaybook: common'",
        "model: m            | 'model: \"m\\e]0;title\\a\"'",
        "model: m            | 'model: \"m\\u202E\"'",
        "unit: tok/s         | 'unit: \"\\e[2Jtok/s\"'",
        "name: speed         | 'name: \"speed\\e[2J\"'",
      })
  void isRefusedAtItsPlace(String good, String hostile) {
    assertThat(SWEEP).contains(good);
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> read(SWEEP.replace(good, hostile)))
        .withMessageMatching("(?s)(?:sweep\\.yaml|.*\\n?sweep\\.yaml):\\d+:\\d+: .*");
  }

  @Test
  void isRefusedBeforeItTakesLong() {
    for (String hostile :
        List.of(
            SWEEP.replace("jobs: 5", "jobs: " + "9".repeat(2_500_000)),
            SWEEP.replace("nodelist: n1", "nodelist: \"" + "n[0-65535],".repeat(2_000) + "n\""))) {
      assertThatExceptionOfType(InvalidInputException.class).isThrownBy(() -> read(hostile));
    }
  }

  @Test
  void aLongFileIsRefusedBeforeItIsRead() throws Exception {
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, SWEEP + "# " + "x".repeat(1 << 20) + "\n");
    for (Path endless : List.of(file, Path.of("/dev/zero"))) {
      assertThatExceptionOfType(InvalidInputException.class)
          .isThrownBy(() -> SweepFile.load(endless))
          .withMessage(
              endless.getFileName() + ": the file is longer than 1 MiB; expected a YAML text");
    }
  }

  /**
   * One engine may accept what another refuses: a log is read with the pattern, or the playbook is
   * refused.
   */
  @ParameterizedTest
  @ValueSource(strings = {"\\x{1F525}", "(?U)\\w", "(?:ab{200}){200}", "(?:\\s|\\w)*$"})
  void aPatternThatAnEngineRefusesStopsNoTick(String pattern) throws Exception {
    String packed = Resources.packed("playbooks/common.yaml").orElseThrow();
    Files.createDirectories(folder.resolve("playbooks"));
    Files.writeString(
        folder.resolve("playbooks/mine.yaml"),
        packed.replaceFirst(
            "'\\(\\?i\\)no space left on device'", Matcher.quoteReplacement("'" + pattern + "'")));
    Path log =
        Files.writeString(folder.resolve("job.log"), "a b ".repeat(16_000) + "\nab\u1F525 end\n");
    try {
      LogTriage triage =
          new LogTriage(
              new Playbooks(Resources.below(folder)).read("mine").recognition(),
              Workloads::hearSteps);
      assertThat(triage.ended(log, Optional.empty(), OptionalInt.of(1), 1).failureClass())
          .isNotEmpty();
    } catch (InvalidInputException e) {
      assertThat(e.getMessage()).contains("playbooks/mine.yaml:");
    }
  }
}
