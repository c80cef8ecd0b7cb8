package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A checkout of the launcher and a MaxText in its image, in the existing forms of both. */
@Tag("xla")
@Tag("slow")
class LauncherAsItIsTest extends LauncherCheckout {
  private static final String HEARTBEAT = "jax_distributed_heartbeat_timeout_seconds";

  // What the installed MaxText knows.

  @Test
  void aSettingOfTheForkIsPassedOnlyWhereTheInstalledMaxTextHasIt() throws Exception {
    installed("src/MaxText", "steps: 1\n" + HEARTBEAT + ": 100\n", "print(user_str)");
    assertThat(passed("steps=15")).containsExactly("steps=15", HEARTBEAT + "=99999");
    assertThat(passed(HEARTBEAT + "=5")).as("a person's own").containsExactly(HEARTBEAT + "=5");
    installed("src/MaxText", "steps: 1\n", "print(user_str)");
    assertThat(passed("steps=15")).containsExactly("steps=15");
  }

  /**
   * MaxText's default writes checkpoints; the launcher names a job's folder after its arguments,
   * and finds no {@code enable_checkpointing_true} there.
   */
  @Test
  void noTuningRunWritesACheckpointUnlessItsConfigurationSaysSo() throws Exception {
    installed("src/MaxText", "steps: 1\nenable_checkpointing: true\n", "print(user_str)");
    assertThat(passed("steps=15")).containsExactly("steps=15", "enable_checkpointing=false");
    write(
        "configs/tiny.gpu.yml",
        "per_device_batch_size: 1\nici_fsdp_parallelism: -1\nenable_checkpointing: False\n");
    assertThat(passed("steps=15")).containsExactly("steps=15");
    assertThat(MaxTextSettings.breaksRule("enable_checkpointing", "True"))
        .hasValue(
            "enable_checkpointing=True, where no tuning run writes checkpoints; leave it out");
    for (String off : List.of("False", "no", "off", "0")) {
      assertThat(MaxTextSettings.breaksRule("enable_checkpointing", off)).isEmpty();
    }
    write(
        "configs/tiny.gpu.yml",
        "per_device_batch_size: 1\nici_fsdp_parallelism: -1\nload_parameters_path: gs://b/0/items\n");
    assertThat(passed("steps=15")).as("MaxText loads it only so").containsExactly("steps=15");
    write("configs/tiny.gpu.yml", "per_device_batch_size: 1\nici_fsdp_parallelism: -1\n");
    assertThat(passed("steps=15", "export M_ENABLE_CHECKPOINTING=true\n"))
        .as("MaxText takes one of the two only")
        .containsExactly("steps=15");
  }

  /**
   * The launcher's OUTPUT_PATH is then the model's folder, which does not begin with a job's id.
   */
  @Test
  void aRunThatWritesCheckpointsHasItsMetricsInTheJobsFolder() throws Exception {
    installed("src/MaxText", "metrics_file: ''\n", "logging.info(user_str) # absl");
    Path outputs = Files.createDirectories(folder.resolve("outputs/7-JAX")).getParent();
    assertThat(passed("steps=15", "export OUTPUT_PATH=" + outputs + "/tiny JOB_DIR=7-JAX\n"))
        .containsExactly(
            "steps=15", "metrics_file=" + outputs + "/7-JAX/nightsweep-metrics-1.jsonl");
  }

  /** An image may have it as a package without a checkout. */
  @Test
  void aMaxTextThatIsInstalledAsAPackageIsAskedToo() throws Exception {
    Path site = folder.resolve("site/MaxText");
    Files.createDirectories(site.resolve("configs"));
    Files.writeString(site.resolve("__init__.py"), "raise SystemExit('it is not imported')\n");
    Files.writeString(site.resolve("configs/base.yml"), HEARTBEAT + ": 100\n");
    String path = "export PYTHONPATH=" + site.getParent() + "\n";
    assertThat(passed("steps=15", path)).containsExactly("steps=15", HEARTBEAT + "=99999");
    assertThat(passed("steps=15", "export PYTHONPATH=\n")).containsExactly("steps=15");
  }

  @Test
  void noRunNeedsAMaxTextThatCanBeFound() throws Exception {
    assertThat(passed("steps=15")).containsExactly("steps=15");
  }

  /** The launcher checks the branch out after the model's env file. */
  @Test
  void theSettingsAreThoseOfTheBranchThatWillRun() throws Exception {
    installed("src/MaxText", "steps: 1\nmetrics_file: ''\n", "logging.info(user_str) # absl");
    Path job = folder.resolve("job");
    in(job, "init", "-q", "-b", "theirs");
    in(job, "add", "-A");
    in(job, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "Theirs");
    String theirs = in(job, "rev-parse", "HEAD").strip();
    Path origin = folder.resolve("origin");
    MaxTextLab.run(List.of("git", "clone", "-q", job.toString(), origin.toString()));
    in(job, "remote", "add", "origin", origin.toString());
    in(origin, "checkout", "-qb", "a/patch");
    Files.writeString(origin.resolve("src/MaxText/configs/base.yml"), HEARTBEAT + ": 100\n");
    Files.writeString(origin.resolve("src/MaxText/utils/max_logging.py"), "print(user_str)\n");
    in(origin, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qam", "A patch");
    String patched = in(origin, "rev-parse", "HEAD").strip();

    String metrics = "metrics_file=/outputs/7-JAX/nightsweep-metrics-1.jsonl";
    assertThat(passed("steps=15")).containsExactly("steps=15", metrics);
    assertThat(passed("steps=15", "export MAXTEXT_PATCH_BRANCH=a/patch\n"))
        .containsExactly("steps=15", HEARTBEAT + "=99999");
    // The launcher stores the environment given by the arguments like this; it takes precedence.
    String arguments = "declare -A EXTRACTED_ENV_MAP=([MAXTEXT_PATCH_BRANCH]=%s)\n";
    assertThat(passed("steps=15", arguments.formatted("a/patch")))
        .containsExactly("steps=15", HEARTBEAT + "=99999");
    assertThat(passed("steps=15", "MAXTEXT_PATCH_BRANCH=a/patch\n" + arguments.formatted("theirs")))
        .containsExactly("steps=15", metrics);
    assertThat(passed("steps=15", "MAXTEXT_PATCH_BRANCH=nobodys\n"))
        .as("the launcher refuses it")
        .containsExactly("steps=15", metrics);
    assertThat(in(job, "rev-parse", "HEAD").strip()).as("nothing is checked out").isEqualTo(theirs);
    String told =
        bash("MAXTEXT_PATCH_BRANCH=a/patch\n" + InstalledMaxText.script(new TreeMap<>(), ""));
    assertThat(told).contains("nightsweep: provenance MaxText commit=" + patched);
  }

  @Test
  void theMetricsFileTellsTheStepsWhereTheLoggerIsAbsls() throws Exception {
    installed("src/maxtext", "metrics_file: \"\"\n", "logging.info(user_str) # absl");
    assertThat(passed("steps=15"))
        .containsExactly("steps=15", "metrics_file=/outputs/7-JAX/nightsweep-metrics-1.jsonl");
    Path top = folder.resolve("job/src/maxtext");
    Path of150 = Files.move(top.resolve("utils/max_logging.py"), top.resolve("max_logging.py"));
    assertThat(passed("steps=15")).as("the layout of 1.5.0").hasSize(2);
    Files.delete(of150);
    installed("src/maxtext", "metrics_file: \"\"\n", "print(user_str)");
    assertThat(passed("steps=15")).as("the log tells them").containsExactly("steps=15");
  }

  @Test
  void stepsOfAMetricsFileAreMeasuredAsThoseOfALog() throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Path log = Files.writeString(outputs.resolve("7-JAX-tiny.log"), "0: no step is printed\n");
    Path job = Files.createDirectories(outputs.resolve("7-JAX-tiny/run"));
    StringBuilder lines = new StringBuilder();
    for (int step = 0; step < 15; step++) {
      lines.append(
          """
          {"learning/loss": %s, "perf/step_time_seconds": 2.5, "perf/per_device_tflops_per_sec": 1.5, \
          "perf/per_device_tokens_per_sec": %d.25, "step": %d.0, "run_name": "r"}
          """
              .formatted(step == 3 ? "NaN" : "8.5", 100 + step, step));
    }
    Path metrics = job.resolve("nightsweep-metrics-0.jsonl");
    Files.writeString(metrics, lines + "{\"step\": 15.0, \"perf");
    Workload.LaunchRequest request = request(Map.of());
    Workload.WorkloadReading reading =
        workload.read(
            request, new JobLog(() -> workload.logs(request, Optional.of(new JobId("7")), log)));
    assertThat(reading.step()).isEqualTo(14);
    Measurement measured = reading.measurement().orElseThrow();
    assertThat(measured.steps()).hasSize(15);
    assertThat(measured.steps().get(3).loss().orElseThrow()).isNaN();
    assertThat(reading.divergedAt()).hasValue(3);
    assertThat(measured.steps().get(14).value()).isEqualTo(114.25);
  }

  @Test
  void stepsThatOnlyTensorBoardWasToldAreMeasured() throws Exception {
    Path outputs = Files.createDirectories(checkout.resolve("outputs"));
    Path log = Files.writeString(outputs.resolve("7-JAX-tiny.log"), "0: no step is printed\n");
    Path run = Files.createDirectories(outputs.resolve("7-JAX-tiny/tiny/tensorboard/tiny"));
    Files.copy(
        Path.of("src/test/resources/events/maxtext-1.4.0.events"),
        run.resolve("events.out.tfevents.1795344650.n1"));
    Workload.LaunchRequest request = request(Map.of());
    Workload.WorkloadReading reading =
        workload.read(
            request, new JobLog(() -> workload.logs(request, Optional.of(new JobId("7")), log)));
    assertThat(reading.step()).isEqualTo(14);
    assertThat(reading.measurement().orElseThrow().steps()).hasSize(15);
  }

  // Values that XLA cannot parse.

  /** As XLA parses its flags: it ends at the first value that it cannot parse. */
  @Test
  void theProbeAsksForAllFlagsButThoseWhoseValueCannotBeParsed() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path python = bin.resolve("python3");
    Files.writeString(
        python,
        """
        #!/bin/bash
        [[ $2 != *platform_version* || $XLA_FLAGS == *--xla_a* ]] || echo "nightsweep: provenance XLA=build 7"
        [[ $2 == *probed* ]] || exit 0
        for word in $XLA_FLAGS; do
          case $word in
            *=1G) echo "E0601 command_line_flags.cc:61] Couldn't interpret value 1G for flag ${word:2:-3}."; echo usage; exit 1;;
            --xla_bare) echo "E0601 command_line_flags.cc:61] Couldn't interpret value  for flag ${word:2}."; echo usage; exit 1;;
          esac
        done
        for word in $XLA_FLAGS; do
          [[ $word != --xla_nobody* ]] || { echo "Unknown flag(s) in XLA_FLAGS: $word"; exit 134; }
        done
        echo "nightsweep: probed 2"
        """);
    assertThat(python.toFile().setExecutable(true)).isTrue();
    Path env = folder.resolve("probe.sh");
    Map<String, String> bad =
        Map.of("--xla_a", "1G", "--xla_b", "true", "--xla_bare", "", "--xla_c", "1G");
    Files.writeString(env, EnvBlock.probe("", bad, List.of()));
    String path = "export PATH=" + bin + ":$PATH XLA_FLAGS=--xla_image=1\n";
    assertThat(bash(path + "source " + env))
        .contains(
            "Couldn't interpret value 1G for flag xla_a",
            "Couldn't interpret value  for flag xla_bare",
            "Couldn't interpret value 1G for flag xla_c",
            "nightsweep: probed 2");
    Path first = Files.writeString(folder.resolve("x.log"), bash(path + "source " + env) + "\n");
    assertThat(workload.read(request(Map.of()), new JobLog(first)).unknownFlags())
        .containsExactly("--xla_a=1G", "--xla_bare=", "--xla_c=1G");
    Files.writeString(
        env, EnvBlock.probe("", Map.of("--xla_a", "1G", "--xla_nobodys", "true"), List.of()));
    Path log = Files.writeString(folder.resolve("probe.log"), bash(path + "source " + env) + "\n");
    Workload.WorkloadReading reading = workload.read(request(Map.of()), new JobLog(log));
    assertThat(reading.unknownFlags()).containsExactly("--xla_a=1G", "--xla_nobodys");
    assertThat(reading.provenance()).containsEntry("XLA", "build 7");
  }

  // The launcher's own variables.

  @Test
  void theLaunchersVariablesReachItAndNoOthersDo() throws Exception {
    Workload.LaunchRequest request =
        request(Map.of("launcher.DOCKER_IMAGE", "my/image:1", "launcher.SBATCH_ACCOUNT", "team a"));
    Workload.Launch.Launcher launch = (Workload.Launch.Launcher) workload.launch(request);
    MaxTextLab.run(
        List.of("bash", "-c", "export STRAY=1; launch() {\n" + launch.script() + "\n}\nlaunch"));
    assertThat(Files.readAllLines(folder.resolve("seen")))
        .contains("DOCKER_IMAGE=my/image:1", "SBATCH_ACCOUNT=team a")
        .noneMatch(line -> line.startsWith("STRAY="));
    assertThat(workload.inventory(request.spec())).contains(new Fact("image", "my/image:1", true));
  }

  @Test
  void aVariableThatCannotGoToTheLauncherIsRefusedAtItsPlace() {
    assertThat(refused("launcher.DOCKER_TOKEN")).contains("DOCKER_TOKEN is named like a secret");
    assertThat(refused("launcher.JOB_WORKSPACE"))
        .contains("JOB_WORKSPACE has a setting of its own");
    assertThat(refused("launcher.A-B")).contains("'A-B' is not the name of a variable");
    assertThat(refused("launcher.SBATCH_ACCOUNT")).isEmpty();
  }

  // What is inherited.

  @Test
  void anEmptyDefaultIsNoBranchAndTheAxesAreThoseOfTheCell() {
    List<Fact> facts = workload.inventory(request(Map.of()).spec());
    assertThat(facts)
        .contains(
            new Fact("image", "rocm/jax-training:maxtext-v26.2", true),
            new Fact("MaxText directory", "/workspace/maxtext", true),
            new Fact("dcn_fsdp_parallelism", "2", false))
        .noneMatch(fact -> fact.name().equals("MaxText branch"));
  }

  @Test
  void aSwitchIsTrueOrFalse() {
    Function<String, List<SettingProblem>> problems =
        ray ->
            MaxTextChecks.of(
                new SweepSettings(
                    new SweepSettings.Section(
                        List.of("workload"),
                        new LinkedHashMap<>(
                            Map.of("repository", Optional.of("/r"), "ray", Optional.of(ray)))),
                    List.of()));
    assertThat(problems.apply("false")).isEmpty();
    assertThat(problems.apply("maybe"))
        .containsExactly(
            new SettingProblem.Unfit(
                List.of("workload", "ray"), false, "'ray' is 'maybe'", "expected true or false"));
  }

  /**
   * maxtext-slurm's files for deepseek3-671b choose their flags by the topology in the
   * configuration of the same name.
   */
  @Test
  void aDeployedFileFindsTheConfigurationOfItsName() throws Exception {
    Path copy = folder.resolve("copy");
    Files.createDirectories(copy.resolve("configs"));
    Files.writeString(
        copy.resolve("configs/tiny.env.sh"),
        "export DEPLOYED=$(sed -n 's/^dcn_fsdp_parallelism: //p' \"${BASH_SOURCE[0]%.env.sh}.gpu.yml\")\n");
    Workload.LaunchRequest request = request(Map.of());
    ModelConfig config = ModelFiles.config(checkout, "tiny");
    Files.writeString(copy.resolve("configs/tiny.gpu.yml"), "dcn_fsdp_parallelism: 2\n");
    Rendering rendering = Rendering.of(request, MaxTextSettings.of(request.spec()), config);
    ModelFiles.prepare(copy, config, rendering, request);
    assertThat(bash("source " + copy + "/configs/tiny.env.sh >/dev/null; echo \"$DEPLOYED\""))
        .isEqualTo("2\n");
  }

  /**
   * A person's deployed file may end early, as Nightsweep's own patch for the image's defaults
   * does.
   */
  @Test
  void anEnvFileThatReturnsDoesNotEndWhatIsAppended() throws Exception {
    Path copy = folder.resolve("copy");
    Files.createDirectories(copy.resolve("configs"));
    Files.writeString(copy.resolve("configs/tiny.env.sh"), "export DEPLOYED=1\nreturn 0\n");
    Workload.LaunchRequest request = request(Map.of());
    ModelConfig config = ModelFiles.config(checkout, "tiny");
    Rendering rendering = Rendering.of(request, MaxTextSettings.of(request.spec()), config);
    ModelFiles.prepare(copy, config, rendering, request);
    assertThat(
            bash(
                "source "
                    + copy
                    + "/configs/tiny.env.sh >/dev/null; echo \"$DEPLOYED"
                    + " ${NIGHTSWEEP_PROFILE_HASH:-none}\""))
        .startsWith("1 ")
        .doesNotContain("none");
  }

  @Test
  void theBatchScriptKeepsTheExitCodeOfTheLaunchersOwn() throws Exception {
    Workload.LaunchRequest request = request(Map.of());
    assertThat(workload.launch(request)).isInstanceOf(Workload.Launch.Launcher.class);
    Path copy;
    try (var entries = Files.list(request.outputDirectory().getParent())) {
      copy =
          entries
              .filter(p -> p.getFileName().toString().startsWith("checkout-"))
              .findFirst()
              .orElseThrow();
    }
    ProcessBuilder batch = new ProcessBuilder("bash", copy.resolve("_job.sbatch").toString());
    batch.environment().putAll(Map.of("MAXTEXT_SLURM_DIR", copy.toString(), "SLURM_JOB_ID", "7"));
    Process job = batch.directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(job.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(job.waitFor()).as(said).isEqualTo(7);
  }

  /** The training's arguments after the model's env file, sourced as by the launcher. */
  private List<String> passed(String given) throws Exception {
    return passed(given, "");
  }

  private List<String> passed(String given, String before) throws Exception {
    Rendering rendering =
        Rendering.of(
            request(Map.of()),
            MaxTextSettings.of(request(Map.of()).spec()),
            ModelFiles.config(checkout, "tiny"));
    Path env = folder.resolve("env.sh");
    Files.writeString(
        env,
        EnvBlock.around("", Profile.baseline(), rendering.exports(), rendering.whereKnown(), ""));
    return bash(before
            + "PASSTHROUGH_ARGS=("
            + given
            + ")\nsource "
            + env
            + " >/dev/null\nprintf '%s\\n' \"${PASSTHROUGH_ARGS[@]}\"")
        .lines()
        .collect(Collectors.toList());
  }

  private List<String> refused(String setting) {
    return workload.preflight(request(Map.of(setting, "x")).spec()).stream()
        .filter(p -> p.setting().startsWith("workload/launcher/"))
        .map(p -> Phrases.EN.text(p.found()))
        .map(found -> found.replace("the variable ", ""))
        .toList();
  }
}
