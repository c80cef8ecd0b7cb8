package io.nightsweep.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The lab's launcher prints the same lines as maxtext-slurm in the same order: {@code
 * lab/launcher-grammar} is the list, and {@code bench/real-maxtext} checks the real launcher
 * against it.
 */
@Tag("xla")
class LauncherGrammarIT {
  private static final Path GRAMMAR = Path.of("lab/launcher-grammar").toAbsolutePath();
  private static final Pattern SUBMITTED = Pattern.compile("Submitted batch job (\\d+)");
  private static final String STEPS = "steps=2";

  private final SlurmLab lab = SlurmLab.up();
  private final Path checkout = MaxTextLab.checkout(lab, "grammar-" + System.nanoTime());

  private record Job(Path submitted, Path log) {}

  @Test
  void aJobThatSucceedsSpeaksAsTheRealLauncherDoes() throws Exception {
    Job job = submitted(Map.of(), "tiny:ok", STEPS, "_env_NCCL_PROTO=\"Simple\"");

    assertThat(grammar(job, "ok")).isEqualTo("every line has its shape");
    String whole = Files.readString(job.log());
    Files.writeString(job.log(), whole.replaceAll("(?m)^ *1: .*\n", ""));
    assertThat(grammar(job, "ok")).contains("rank 1: it says nothing, and the job has 2 nodes");
    Files.writeString(job.log(), whole);
    assertThat(whole)
        .contains("The lab's launcher")
        .containsPattern("(?m)^0: NCCL_PROTO=Simple$")
        .doesNotContainPattern("(?m)^0: SLURM_");
  }

  @Test
  void whereOneRankRaisesTheOthersPrintAnEchoOfIt() throws Exception {
    Job job = submitted(Map.of(), "tiny:raises", STEPS, "_env_LAB_RAISE_ON_RANK=1");

    assertThat(grammar(job, "failed")).isEqualTo("every line has its shape");
    assertThat(Files.readString(job.log()))
        .contains("1: RuntimeError: this rank was told to raise")
        .contains("1: NODE_EXIT host=n2 exit=1\n", "0: NODE_EXIT host=n1 exit=143\n")
        .containsPattern("== Training FAILED \\(exit=\\d+, \\d+s\\) ==")
        .contains("FAILED (exit 1) — Training FAILED (exit=");
  }

  @Test
  void underRayLinesCarryItsPrefixAndAreWholeInItsWorkersFiles() throws Exception {
    Job job = submitted(Map.of("RAY", "1"), "tiny:ray", STEPS);

    assertThat(grammar(job, "ok", "ray")).isEqualTo("every line has its shape");
    assertThat(Files.readString(job.log()))
        .containsPattern(
            "(?m)^0: \\e\\[36m\\(MaxTextTrainerActor pid=\\d+\\)\\e\\[0m completed step: 1, ");
    String folder = job.log().toString().replaceAll("\\.log$", "");
    try (var files = Files.walk(Path.of(folder, "ray_logs", "n1"))) {
      Path worker =
          files.filter(f -> f.toString().matches(".*/worker-.*\\.out")).findFirst().orElseThrow();
      assertThat(Files.readString(worker)).containsPattern("(?m)^completed step: 1, ");
    }
  }

  @Test
  void theReleasesOfMaxTextDifferAsTheyDo() throws Exception {
    Job silent =
        submitted(Map.of("DOCKER_IMAGE", "nightsweep/jax-cpu:maxtext-2026-01"), "tiny:new", STEPS);
    assertThat(grammar(silent, "ok")).isEqualTo("every line has its shape");
    assertThat(Files.readString(silent.log())).doesNotContain("completed step", "Memstats");

    Job shown =
        submitted(Map.of("DOCKER_IMAGE", "nightsweep/jax-cpu:maxtext-absl"), "tiny:absl", STEPS);
    assertThat(grammar(shown, "ok")).isEqualTo("every line has its shape");
    assertThat(Files.readString(shown.log()))
        .containsPattern("(?m)^0: I\\d{4} [\\d:.]+ +\\d+ metric_logger.py:180] completed step: 1,");

    Job upstream =
        submitted(
            Map.of("DOCKER_IMAGE", "nightsweep/jax-cpu:maxtext-2025-12"),
            "tiny:upstream",
            "jax_distributed_heartbeat_timeout_seconds=9");
    assertThat(grammar(upstream, "failed")).isEqualTo("every line has its shape");
    assertThat(Files.readString(upstream.log()))
        .contains("ValueError: 'jax_distributed_heartbeat_timeout_seconds' not in 'run_name', ");
  }

  /** Slurm's own record of a job on the shared partition with fake GPUs in its nodes. */
  @Test
  void whatTheCommandLineAsksForOutweighsTheLaunchersOwnWords() throws Exception {
    List<String> command =
        new ArrayList<>(List.of("env", "SLURM_CONF=" + lab.slurmConf(), checkout + "/submit.sh"));
    command.addAll(List.of("tiny:asks", "--exclusive", "--ntasks-per-node=1", "--cpus-per-task=1"));
    // Held: a step that is cancelled while it starts may outlive its signals, and drain its node.
    command.addAll(List.of("--gpus-per-task=1", "-p", "shared", "-w", "n1,n2", "-N2", "--hold"));
    command.addAll(List.of("--", STEPS));
    Matcher id = SUBMITTED.matcher(MaxTextLab.run(command));
    assertThat(id.find()).isTrue();
    String job = lab.slurm("scontrol", "--oneliner", "show", "job", id.group(1));
    lab.slurm("scancel", id.group(1));
    assertThat(job)
        .contains(
            "Partition=shared", "TresPerTask=gres:gpu:1", "CPUs/Task=1", "NtasksPerN:B:S:C=1:");
  }

  /** One job on two nodes, after its end. */
  private Job submitted(Map<String, String> environment, String model, String... passthrough)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "SLURM_CONF=" + lab.slurmConf()));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.addAll(List.of(checkout + "/submit.sh", model, "-w", "n1,n2", "-N2", "--"));
    command.add("dataset_type=synthetic");
    command.addAll(Arrays.asList(passthrough));
    String output = MaxTextLab.run(command);
    Matcher id = SUBMITTED.matcher(output);
    assertThat(id.find()).as(output).isTrue();
    Path submitted = checkout.resolve(model.replace(':', '.') + ".submitted");
    Files.writeString(submitted, output);
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> lab.slurm("squeue", "-h", "-j", id.group(1)).isBlank());
    try (var files = Files.list(checkout.resolve("outputs"))) {
      return new Job(
          submitted,
          files
              .filter(f -> f.getFileName().toString().matches(id.group(1) + "-.*\\.log"))
              .findFirst()
              .orElseThrow());
    }
  }

  /** The job's lines that match no form, and the missing forms. */
  private static String grammar(Job job, String... kinds) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("python3", GRAMMAR.toString(), "" + job.submitted(), "" + job.log()));
    command.addAll(List.of(kinds));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
