package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bad settings of a workload, each reported at its place. */
@Tag("sweep")
class BadWorkloadInputTest {
  private static final String COMMAND =
      """
      model: m
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: command
        command: ./train.sh
        pattern: 'step (?<step>\\d+) (?<value>[0-9.]+)'
        steps: 10
      metric: {name: x, better: higher}
      plan: kernels
      profiles: {a: {env: {A: 1}}}
      budget: {jobs: 30}
      """;

  private static final Path FOLDER = Path.of("nowhere");

  @Test
  void aCommandsMisspeltSettingsAreFoundWhereTheyStand() throws Exception {
    assertThat(SweepText.load(FOLDER, COMMAND).missing()).isEmpty();
    assertThat(
            SweepText.problems(FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  windowForm: 5")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:9:3: unknown setting of command 'windowForm'")
        .endsWith("did you mean 'windowFrom'?");
    assertThat(SweepText.problems(FOLDER, COMMAND.replace("(?<value>", "(?<valeu>")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:7:12: the pattern names no group 'step', or neither");
    assertThat(SweepText.problems(FOLDER, COMMAND.replace("(?<step>", "(?<step")))
        .singleElement()
        .asString()
        .contains("the pattern is not valid");
    assertThat(
            SweepText.problems(FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  windowFrom: 10")))
        .singleElement()
        .asString()
        .contains("'windowFrom' is 10 of 10 steps");
    assertThat(
            SweepText.load(FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  screeningSteps: 3"))
                .missing())
        .isEmpty();
    assertThat(
            SweepText.problems(
                FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  screeningSteps: 10")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:9:19: 'screeningSteps' is 10 of 10 steps");
    assertThat(SweepText.problems(FOLDER, COMMAND.replace("  steps: 10\n", "")))
        .singleElement()
        .asString()
        .contains("'steps' is missing in 'workload'");
  }

  @Test
  @Tag("people")
  void aValueOfTheWrongTypeIsToldOnceAtItsPlace() throws Exception {
    assertThat(SweepText.problems(FOLDER, COMMAND.replace("steps: 10", "steps: ten")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:8:10: 'steps' is")
        .endsWith("expected a whole number, at least 1");
    assertThat(
            SweepText.problems(FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  launch: onec")))
        .singleElement()
        .asString()
        .endsWith("expected one of ranks, once; did you mean 'once'?");
    assertThat(SweepText.problems(FOLDER, COMMAND.replace("steps: 10", "steps: 10\n  env: A=1")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:9:8: 'env' is")
        .endsWith("expected environment variables");
  }

  /** The settings of a config tag or profile become variables of the job and conditions in bash. */
  @Test
  @Tag("shipped")
  void aCommandsConfigTagsSetVariables() throws Exception {
    assertThat(SweepText.load(FOLDER, COMMAND + "configTags: {a: {MODE: fast}, b: {}}\n").missing())
        .isEmpty();
    assertThat(
            SweepText.problems(
                FOLDER, COMMAND + "configTags: {a: {\"x//;1e touch y #\": 1}, b: {}}\n"))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:13:18: unknown setting of command 'x//;1e touch y #'");
    assertThat(
            SweepText.problems(FOLDER, COMMAND.replace("{env: {A: 1}}", "{overrides: {mode: 1}}")))
        .singleElement()
        .asString()
        .startsWith("sweep.yaml:11:28: unknown setting of command 'mode'");
  }

  @Test
  void aMaxTextCellsMisspeltSettingsAreNoSettingsOfTheTraining() throws Exception {
    String good =
        """
        model: m
        parallelism: FSDP=2
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: /r, ray: false, max_target_length: 4096}
        """;
    assertThat(SweepText.load(FOLDER, good).missing()).isEmpty();
    assertThat(SweepText.problems(FOLDER, good.replace("repository: /r, ", "")))
        .anyMatch(p -> p.contains("'repository' is missing in 'workload'"));
    assertThat(SweepText.problems(FOLDER, good.replace("ray: false", "stageTimeout: 5")))
        .anyMatch(p -> p.contains("'stageTimeout'") && p.endsWith("did you mean 'stageTimeouts'?"));
    assertThat(SweepText.problems(FOLDER, good.replace("ray: false", "dataset_type: grain")))
        .anyMatch(
            p ->
                p.contains(
                    "dataset_type=grain, where every tuning run has dataset_type=synthetic"));
  }
}
