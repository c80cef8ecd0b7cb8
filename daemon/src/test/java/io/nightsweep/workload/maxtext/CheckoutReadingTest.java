package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.nightsweep.joblog.StepTeller;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is read from a checkout, from its launcher's input, and from the files of its jobs. */
@Tag("xla")
class CheckoutReadingTest extends LauncherCheckout {
  @Test
  void anImageIsReadFromAnyPlainAssignment() throws Exception {
    for (String line :
        List.of(
            "DOCKER_IMAGE='rocm/jax:1'",
            "DOCKER_IMAGE=${DOCKER_IMAGE:-'rocm/jax:1'}",
            "DOCKER_IMAGE=\"${DOCKER_IMAGE-rocm/jax:1}\"  # the image",
            "export DOCKER_IMAGE=rocm/jax:1; export X=1",
            "if true; then\n  X=1\nfi\nDIRS=(\n  a\n)\nDOCKER_IMAGE=rocm/jax:1")) {
      write("container_env.sh", line + "\n");
      SweepSpec spec = request(Map.of()).spec();
      assertThat(workload.preflight(spec)).as(line).isEmpty();
      assertThat(workload.inventory(spec)).contains(new Fact("image", "rocm/jax:1", true));
    }
    for (String digest : List.of("sha256:" + "0a".repeat(32), "sha512:" + "0a".repeat(64))) {
      write("container_env.sh", "DOCKER_IMAGE=rocm/jax@" + digest + "\n");
      assertThat(workload.preflight(request(Map.of()).spec())).as(digest).isEmpty();
    }
  }

  @Test
  void aHeartbeatOfTheModelsOwnIsKept() throws Exception {
    String key = "jax_distributed_heartbeat_timeout_seconds";
    assertThat(envFile()).contains("nightsweep_pass " + key);
    write(
        "configs/tiny.gpu.yml",
        "per_device_batch_size: 1\nici_fsdp_parallelism: -1\n" + key + ": 300\n");
    assertThat(envFile()).doesNotContain("nightsweep_pass " + key);
  }

  /** All launches of a sweep use the copy made for the first one: a new sweep for each. */
  private String envFile() throws Exception {
    Path copy = folder.resolve("jobs");
    if (Files.exists(copy)) {
      MaxTextLab.run(List.of("rm", "-r", "" + copy));
    }
    workload.launch(request(Map.of()));
    try (var files = Files.find(copy, 5, (f, a) -> f.endsWith("configs/tiny.env.sh"))) {
      return Files.readString(files.findFirst().orElseThrow());
    }
  }

  @Test
  void theClustersConfigurationReachesTheLauncherAndItsRefusalIsOne() throws Exception {
    Workload.Launch.Launcher launch = (Workload.Launch.Launcher) workload.launch(request(Map.of()));
    String run = "launch() {\n" + launch.script() + "\n}\nlaunch; echo code=$?";
    MaxTextLab.run(List.of("bash", "-c", "export SLURM_CONF=/etc/x.conf; " + run));
    assertThat(Files.readAllLines(folder.resolve("seen"))).contains("SLURM_CONF=/etc/x.conf");
    MaxTextLab.run(List.of("rm", "-r", folder + "/jobs"));
    write("submit.sh", "#!/bin/bash\nexit 3\n");
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(true)).isTrue();
    Workload.Launch.Launcher refused =
        (Workload.Launch.Launcher) workload.launch(request(Map.of()));
    assertThat(
            MaxTextLab.run(
                List.of(
                    "bash", "-c", "launch() {\n" + refused.script() + "\n}\nlaunch; echo code=$?")))
        .contains("code=3");
  }

  @Test
  void aVariableWithASettingOfItsOwnIsRefused() {
    for (String name : List.of("RAY", "STAGE_TIMEOUTS")) {
      assertThat(workload.preflight(request(Map.of("launcher." + name, "1")).spec()))
          .anyMatch(
              p ->
                  p.fatal()
                      && Phrases.EN.text(p.found()).startsWith(name + " has a setting of its own"));
    }
  }

  /** MaxText reads the base file beside it, and the child's value wins. */
  @Test
  void aConfigurationHasWhatItInherits() throws Exception {
    write("configs/tiny.gpu.yml", "base_config: \"big.gpu.yml\"\nmax_target_length: 64\n");
    write(
        "configs/big.gpu.yml",
        "base_config: common.yml\nper_device_batch_size: 3\nmax_target_length: 8192\n");
    write("configs/common.yml", "base_config: tiny.gpu.yml\ndcn_pipeline_parallelism: 8\n");
    ModelConfig config = ModelFiles.config(checkout, "tiny");
    assertThat(config.values())
        .containsEntry("per_device_batch_size", "3")
        .containsEntry("max_target_length", "64")
        .containsEntry("dcn_pipeline_parallelism", "8")
        .containsEntry("base_config", "big.gpu.yml");
    assertThat(config.textWith(Map.of())).as("of the file alone").doesNotContain("per_device");
    SweepSpec spec = request(Map.of()).spec();
    assertThat(workload.preflight(spec)).isEmpty();
    assertThat(workload.inventory(spec))
        .anyMatch(f -> f.name().equals("per_device_batch_size") && f.value().equals("3"))
        .as("the cell is FSDP=2")
        .anyMatch(f -> f.name().equals("dcn_pipeline_parallelism") && f.value().equals("1"));
  }

  /** A job's copy of the checkout has no file beside it, and a name need not be a path. */
  @Test
  void onlyFilesOfTheCheckoutAreInherited() throws Exception {
    Files.writeString(folder.resolve("outside.yml"), "per_device_batch_size: 7\n");
    for (String named :
        List.of(
            "../../outside.yml", "" + folder.resolve("outside.yml"), "a\0b", "..", "none.yml")) {
      write("configs/tiny.gpu.yml", "base_config: " + named + "\nmax_target_length: 64\n");
      assertThat(ModelFiles.config(checkout, "tiny").values())
          .as(named)
          .containsEntry("max_target_length", "64")
          .doesNotContainKey("per_device_batch_size");
    }
    write("configs/tiny.gpu.yml", "base_config: ../models/big.yml\n");
    write("models/big.yml", "per_device_batch_size: 3\n");
    assertThat(ModelFiles.config(checkout, "tiny").values())
        .containsEntry("per_device_batch_size", "3");
    Path parent = checkout.resolve("models/big.yml");
    Files.write(parent, new byte[] {'a', ':', (byte) 0xff});
    assertThatIOException()
        .isThrownBy(() -> ModelFiles.config(checkout, "tiny"))
        .withMessage(parent + " is not UTF-8");
  }

  /** An axis that a configuration omits has MaxText's default and takes the remaining devices. */
  @Test
  void anAxisThatIsNotWrittenTakesTheRestOfTheNode() {
    TreeMap<String, String> partial = new TreeMap<>(Map.of("ici_tensor_parallelism", "2"));
    assertThat(Axes.of("FSDP=2,TP=4", partial, 2, OptionalInt.empty()).problem()).isEmpty();
    assertThat(Axes.of("FSDP=2,TP=4", partial, 2, OptionalInt.of(8)).problem()).isEmpty();
    assertThat(Axes.of("FSDP=2,TP=4", new TreeMap<>(), 2, OptionalInt.of(8)).problem()).isEmpty();
    assertThat(Axes.of("FSDP=2,TP=4", partial, 2, OptionalInt.of(6)).problem()).isPresent();
    TreeMap<String, String> experts = new TreeMap<>(Map.of("ici_expert_parallelism", "8"));
    assertThat(Axes.of("PP=4,TP=2", experts, 4, OptionalInt.of(8)).overrides())
        .as("an axis takes its devices from another")
        .containsEntry("ici_expert_parallelism", "4");
  }

  @Test
  void anOpenAxisFitsOnlyWhatDivides() {
    TreeMap<String, String> open = new TreeMap<>(Map.of("ici_fsdp_parallelism", "-1"));
    assertThat(Axes.of("FSDP=2,TP=2", open, 2, OptionalInt.of(4)).problem()).isEmpty();
    assertThat(Axes.of("FSDP=2,TP=3", open, 2, OptionalInt.of(4)).problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("multiply to 3"));
  }

  @Test
  void aJobsLogIsAFileAndNoFolderOfSuchAName() throws Exception {
    Files.createDirectories(folder.resolve("7-a.log"));
    Path log = Files.writeString(folder.resolve("7-b.log"), "");
    assertThat(JobLogs.main(folder, new JobId("7"))).contains(log);
  }

  @Test
  void ranksThatRunOtherSoftwareAreAllTold() {
    TrainingLog log = new TrainingLog(Set.of(), StepTeller.NOBODY);
    TrainingLogTest.accept(
        log, -1, "0: nightsweep: provenance jax=0.7\n1: nightsweep: provenance jax=0.8\n");
    assertThat(log.provenance()).containsEntry("jax", "0.7 and 0.8");
  }

  @Test
  void aMetricsLineBeforeTheFirstStepIsNoStep() {
    String line = "{\"step\": %s, \"perf/step_time_seconds\": 1.5}";
    assertThat(MetricsLine.parse(line.formatted("0.0"))).isPresent();
    assertThat(MetricsLine.parse(line.formatted("-1.0"))).isEmpty();
  }

  @Test
  void aFlagThatIsOnIsSoInAllWords() {
    XlaFlags on = XlaFlags.parse("--xla_a=true");
    for (String word : List.of("1", "t", "yes", "True")) {
      assertThat(XlaFlags.parse("--xla_a=" + word).differenceFrom(on)).as(word).isEmpty();
    }
    assertThat(XlaFlags.parse("--xla_a=no").differenceFrom(on)).isNotEmpty();
  }
}
