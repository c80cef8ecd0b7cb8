package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.plan.FakeCluster;
import io.nightsweep.plan.InitFile;
import io.nightsweep.sim.Specs;
import io.nightsweep.workload.StartingValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code start} insists on what {@code doctor} checks. */
@Tag("shipped")
@Tag("slow")
class FitnessTest {
  private static final String SWEEP =
      """
      model: demo
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload: {kind: command, command: "true", pattern: 'step (?<step>\\d+) (?<value>\\d+)', steps: 3}
      metric: {name: speed, unit: "1/s", better: higher}
      plan: kernels
      profiles: {a: {env: {A: 1}}}
      budget: {jobs: 30}
      """;

  @TempDir Path folder;

  @Test
  void aDrainedNodeOfTheCellIsUnfit() throws Exception {
    Cluster cluster =
        new FakeCluster(
            List.of(
                FakeCluster.node("n1", Cluster.Node.Availability.IDLE, "batch"),
                FakeCluster.node("n2", Cluster.Node.Availability.UNUSABLE, "batch"),
                FakeCluster.node("n3", Cluster.Node.Availability.UNUSABLE, "batch")));
    assertThat(
            Fitness.ofTheNodes(
                cluster, Specs.kernels(2), new StateDirectory(folder.resolve("state"))))
        .extracting(Fitness::grade)
        .containsExactly(Fitness.Grade.FIT, Fitness.Grade.UNFIT);
  }

  @Test
  @Tag("guard")
  void aSecretInANodesReasonIsNotRepeated() throws Exception {
    Cluster cluster =
        new FakeCluster(
            List.of(
                new Cluster.Node(
                    "n1",
                    Cluster.Node.Availability.UNUSABLE,
                    "drained",
                    "ask https://bob:canary-of-a-node@ipmi, HF_TOKEN=canary\033[2J",
                    List.of("batch"))));
    assertThat(
            Fitness.ofTheNodes(
                    cluster, Specs.kernels(1), new StateDirectory(folder.resolve("state")))
                .getFirst()
                .text())
        .contains("n1 is drained: ask ")
        .doesNotContain("canary", "\033");
    assertThat(InitFile.text(cluster, "command", StartingValues.NONE))
        .contains("ask ")
        .doesNotContain("canary");
  }

  /** Each node has its own /tmp: the first job would fail, at night. */
  @Test
  @Tag("people")
  void aStateFolderThatTheNodesCannotSeeIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), SWEEP);
    String words = "each node has a /tmp of its own";
    StateDirectory state = new StateDirectory(folder.resolve("state"));
    state.create();
    assertThat(Fitness.ofTheFolder(state, ClusterChoice.Kind.SLURM))
        .singleElement()
        .satisfies(unfit -> assertThat(unfit.text()).contains("jobs write into ", words))
        .satisfies(unfit -> assertThat(unfit.whatToDo()).contains("--state"));
    assertThat(Fitness.ofTheFolder(state, ClusterChoice.Kind.LOCAL)).isEmpty();
    assertThat(say("start", file.toString(), "--at", "03:00"))
        .contains(words)
        .doesNotContain("scheduled as");
  }

  /** A person without Slurm reads first that none is needed, and nothing about Slurm nodes. */
  @Test
  @Tag("people")
  void whereNoSlurmAnswersTheFirstWordIsHowToGoWithoutOne() throws Exception {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), SWEEP);
    assertThat(saidInAProcess("start", file.toString()).lines().findFirst().orElseThrow())
        .contains("no Slurm answers here", "--cluster local", "nightsweep lab up");
    assertThat(saidInAProcess("doctor", file.toString()))
        .contains("FAULT no Slurm answers here: ", "nightsweep doctor --cluster local " + file)
        .contains("nightsweep lab up")
        .doesNotContain("/tmp of its own");
  }

  /**
   * A launcher that calls sbatch cannot run as a process of this machine: the message does not
   * suggest it.
   */
  @Test
  @Tag("people")
  void whereNoSlurmAnswersALauncherThatCallsSbatchIsSentToNoLocalCluster() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            model: m
            parallelism: PP=8
            slot: {nodelist: "n[1-8]"}
            workload: {kind: maxtext, repository: /nowhere, num_pipeline_microbatches: 16}
            profiles: {mine: {overrides: {num_pipeline_microbatches: 16}}}
            plan: xla-tuning
            """);
    assertThat(saidInAProcess("doctor", file.toString()))
        .contains("FAULT no Slurm answers here: ", "run this where sbatch works", "lab up")
        .contains("ok    sweep file: valid on paper, 26 candidates")
        .contains("no wave of the plan tries the profile 'mine'")
        .doesNotContain("--cluster local");
  }

  /** A night's journal and logs would not fit: the sweep would stop in the middle. */
  @Test
  void aFullDiskIsRefusedNowAndForLater() throws Exception {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), SWEEP);
    Path state = Files.createDirectories(folder.resolve("state"));
    run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", state.toString());
    try {
      String words = "MiB are free at " + state;
      assertThat(say("doctor", file.toString(), "--cluster", "local"))
          .contains("FAULT only ", words, "free a gigabyte or use --state");
      assertThat(say("start", file.toString(), "--cluster", "local"))
          .contains("only ", words, "free a gigabyte or use --state")
          .doesNotContain("started");
      assertThat(say("start", file.toString(), "--cluster", "local", "--at", "03:00"))
          .contains(words)
          .doesNotContain("scheduled as");
      assertThat(state.resolve("sweeps"))
          .satisfiesAnyOf(
              sweeps -> assertThat(sweeps).doesNotExist(),
              sweeps -> assertThat(sweeps).isEmptyDirectory());
    } finally {
      run("umount", state.toString());
    }
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  /** Unreadable credentials are useless: the night would send no messages. */
  @Test
  void startRefusesWhatTheDoctorFaults() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve(".tg_config"), "TG_BOT_TOKEN=nonsense\n");
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, SWEEP);
    String usual = System.getProperty("user.home");
    System.setProperty("user.home", home.toString());
    try {
      String told = say("doctor", file.toString(), "--cluster", "local");
      assertThat(told).contains("FAULT notices: ");
      String fault =
          told.lines().filter(l -> l.startsWith("FAULT ")).findFirst().orElseThrow().substring(6);
      assertThat(say("start", file.toString(), "--cluster", "local"))
          .contains(fault)
          .doesNotContain("started");
    } finally {
      System.setProperty("user.home", usual);
    }
  }

  /**
   * Slurm is configured by an empty file, wherever the tests run; without a file, Slurm's commands
   * wait for it for a minute.
   */
  private String saidInAProcess(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(MainProcess.command(List.of(arguments)));
    command.addAll(List.of("--state", folder.resolve("state").toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SLURM_CONF", "/dev/null");
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isNotZero();
    return said.replace(" --state " + folder.resolve("state"), "");
  }

  private String say(String... words) {
    Typed typed = Typed.in(folder.resolve("state"), words);
    assertThat(typed.code()).as(typed.said()).isEqualTo(ExitCode.UNFIT);
    return typed.said();
  }
}
