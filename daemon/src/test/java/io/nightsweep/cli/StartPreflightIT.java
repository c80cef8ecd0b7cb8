package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.lab.SlurmLab;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code start} checks by itself what a real Slurm says about the nodes and other people's jobs.
 */
@Tag("shipped")
class StartPreflightIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final SlurmLab lab = SlurmLab.up();
  private final Path folder = lab.shared("preflight");

  @ParameterizedTest
  @CsvSource({"drain, drained", "fail, fail"})
  void aNodeThatTakesNoJobsIsNamedWithItsReasonAndNothingIsStarted(String state, String told)
      throws Exception {
    node("State=" + state, "Reason=a fan is broken");
    try {
      await().atMost(PATIENCE).until(() -> state("n2").contains(told));
      for (String command : List.of("start", "doctor")) {
        Said said = say(command, sweep("true"));
        assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.UNFIT);
        assertThat(said.text())
            .containsPattern("node n2 is " + told + ".*: a fan is broken")
            .contains("scontrol update NodeName=n2 State=RESUME, once its reason is gone")
            .doesNotContain("started ");
      }
      assertThat(folder.resolve("state/sweeps"))
          .satisfiesAnyOf(
              sweeps -> assertThat(sweeps).doesNotExist(),
              sweeps -> assertThat(sweeps).isEmptyDirectory());
    } finally {
      node("State=RESUME");
      await().atMost(PATIENCE).until(() -> state("n2").contains("idle"));
    }
  }

  /**
   * A sweep would wait for such a job all night. This test's sweep cannot start, so it leaves
   * nothing behind.
   */
  @Test
  void anothersJobOnTheNodesIsTold() throws Exception {
    String job =
        lab.slurm("sbatch", "--parsable", "--nodelist=n1", "--wrap=sleep 600", "--output=/dev/null")
            .strip();
    try {
      Said said = say("start", sweep("kernels-that-are-not-there"));
      assertThat(said.text())
          .contains("warning  1 other job wants the pinned nodes, such as " + job + " of ")
          .contains("wait for them, or reserve the nodes")
          .doesNotContain("started ");
      assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.UNFIT);
    } finally {
      lab.slurm("scancel", job);
    }
  }

  /** Each node has its own /tmp: the first job would fail, at night. */
  @Test
  @Tag("people")
  void aStateFolderThatTheNodesCannotSeeIsRefused(@TempDir Path below) throws Exception {
    for (String command : List.of("start", "doctor")) {
      Said said = say(below.resolve("state"), command, sweep("true"));
      assertThat(said.text())
          .contains("jobs write into " + below, "each node has a /tmp of its own", "--state")
          .doesNotContain("started ");
      assertThat(said.code()).as(said.text()).isEqualTo(ExitCode.UNFIT);
    }
  }

  private record Said(int code, String text) {}

  private void node(String... changes) {
    List<String> command = new ArrayList<>(List.of("scontrol", "update", "NodeName=n2"));
    command.addAll(List.of(changes));
    lab.slurm(command.toArray(String[]::new));
  }

  private String state(String node) {
    return lab.slurm("sinfo", "--noheader", "--nodes=" + node, "--format=%T");
  }

  private String sweep(String program) throws Exception {
    return Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            model: demo
            parallelism: ranks=2
            slot: {nodelist: "n[1-2]"}
            workload: {kind: maxtext, repository: %s}
            budget: {jobs: 30}
            """
                .formatted(folder.resolve(program)))
        .toString();
  }

  private Said say(String... arguments) throws Exception {
    return say(folder.resolve("state"), arguments);
  }

  /** Runs in a separate process that uses the lab's Slurm. */
  private Said say(Path state, String... arguments) throws Exception {
    List<String> command = MainProcess.command(List.of(arguments));
    command.addAll(List.of("--state", state.toString()));
    Path said = folder.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("SLURM_CONF", lab.slurmConf());
    builder.environment().put("HOME", folder.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    int code = process.waitFor();
    return new Said(code, Files.readString(said, StandardCharsets.UTF_8));
  }
}
