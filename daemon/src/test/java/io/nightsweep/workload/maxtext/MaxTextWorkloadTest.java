package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.measure.Window;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("xla")
class MaxTextWorkloadTest extends MaxTextCheckout {
  @BeforeEach
  void makeACheckout() throws IOException {
    layOutDs();
  }

  // Disagreement 1: the model's env file shadows everything set before it.

  @Test
  void aProfilesFlagsComeAfterThoseOfTheModelsEnvFile() throws Exception {
    String flags = sourced(AG_1G, "--image=1").get("XLA_FLAGS");
    assertThat(flags).isEqualTo("--image=1 " + FLAG + "=8589934592 " + FLAG + "=1073741824");
    // The naive place, before the env file, loses: XLA takes the last value.
    assertThat(XlaFlags.parse(FLAG + "=1073741824 " + FLAG + "=8589934592").values())
        .containsEntry(FLAG, "8589934592");
  }

  @Test
  void restoreDefaultTakesBackAllThatTheEnvFileSets() throws Exception {
    Profile noEnv =
        new Profile(
            "none",
            Profile.Base.NO_ENV,
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            List.of());
    Map<String, String> env = sourced(noEnv, "--image=1");
    assertThat(env).containsEntry("XLA_FLAGS", "--image=1").doesNotContainKey("NCCL_PROTO");
    assertThat(env).containsEntry("NIGHTSWEEP_BASE_XLA_FLAGS", "--image=1");
  }

  // Disagreement 2: the evidence run's profiler is inside the usual window.

  // What is submitted.

  @Test
  void everyRunIsShortAndSyntheticAndCarriesTheIntentInItsName() throws Exception {
    SubmitCommand command = rendered(AG_1G, Purpose.SCREEN).command();
    assertThat(command.passthrough())
        .containsEntry("steps", "15")
        .containsEntry("dataset_type", "synthetic")
        .containsEntry("per_device_batch_size", "7")
        .doesNotContainKey("dcn_fsdp_parallelism");
    assertThat(command.jobName()).startsWith("JAX-ds-ag-1G.ns-s-t0001a1-").contains("-steps_15-");
    assertThat(command.sbatch())
        .contains("--nodelist=n1,n2,n3,n4,n5,n6,n7,n8", "--comment=ns-s-t0001a1");
  }

  /** Eight steps leave a window of three; confirming and explaining runs are whole. */
  @Test
  void whereTheSweepAsksForItScreeningIsShorter() throws Exception {
    Map<String, String> asked = Map.of("screeningSteps", "8");
    for (Purpose purpose : Purpose.values()) {
      Rendering r = rendered(AG_1G, purpose, asked);
      boolean brief = purpose == Purpose.SCREEN || purpose == Purpose.CONTROL;
      if (purpose.measures()) {
        assertThat(r.command().passthrough()).containsEntry("steps", brief ? "8" : "15");
        assertThat(r.window()).isEqualTo(new Window(5, brief ? 7 : 14));
      }
    }
    write(
        "configs/ds.gpu.yml",
        Files.readString(checkout.resolve("configs/ds.gpu.yml"))
            .replace("profiler: \"\"", "profiler: xplane"));
    assertThatThrownBy(() -> rendered(AG_1G, Purpose.SCREEN, asked))
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e -> assertThat(Phrases.EN.text(e.why())).contains("workload.screeningSteps"));
  }

  @Test
  void anEvidenceRunIsProfiledAndDumped() throws Exception {
    assertThat(rendered(Profile.baseline(), Purpose.EVIDENCE).command().passthrough())
        .containsEntry("profiler", "xplane")
        .containsEntry("steps", "15")
        .containsEntry("_env_ENABLE_XLA_DUMP", "1");
    assertThat(rendered(Profile.baseline(), Purpose.EVIDENCE).command().sbatch())
        .as("writing the profile takes its time")
        .contains("--time=50");
    assertThat(rendered(AG_1G, Purpose.SCREEN).command().sbatch()).contains("--time=45");
  }

  @Test
  void aNameThatWouldBeTooLongIsShortenedByTheAttemptsOwnConfiguration() throws Exception {
    ConfigTag tag =
        new ConfigTag(
            "sparse",
            new TreeMap<>(
                Map.of(
                    "use_turbo_grouped_gemm", "true",
                    "use_deepep_dispatch", "true",
                    "sparse_matmul", "true",
                    "num_layers_per_pipeline_stage", "1",
                    "num_pipeline_microbatches", "16")));
    Rendering r =
        Rendering.of(
            request(AG_1G, Purpose.SCREEN, tag, "PP=8", Map.of()), settings(Map.of()), config());
    assertThat(r.command().jobNameBytes()).isLessThanOrEqualTo(243);
    assertThat(r.command().passthrough())
        .containsEntry("steps", "15")
        .containsEntry("dataset_type", "synthetic");
    assertThat(r.configChanges())
        .containsEntry("sparse_matmul", "true")
        .containsEntry("dcn_pipeline_parallelism", "8");
    assertThat(ModelConfig.parse(config().textWith(r.configChanges())).values())
        .containsEntry("sparse_matmul", "true")
        .containsEntry("dcn_pipeline_parallelism", "8")
        .containsEntry("steps", "2000");
  }

  @Test
  void aNameThatCannotBeShortenedIsRefusedBeforeItIsSubmitted() {
    TreeMap<String, String> many = new TreeMap<>();
    for (int i = 0; i < 9; i++) {
      many.put("some_long_setting_of_the_profile_" + i, "1");
    }
    assertThatThrownBy(() -> rendered(Profile.of("long", Map.of(), Map.of(), many), Purpose.SCREEN))
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e -> assertThat(Phrases.EN.text(e.why())).contains("bytes, and a file name holds 243"));
  }

  @Test
  void aValueThatNoFileNameHoldsGoesIntoTheEnvFile() throws Exception {
    Profile p =
        Profile.of(
            "topo",
            Map.of(),
            Map.of("NCCL_TOPO_FILE", "/a/b.xml", "NCCL_PROTO", "Simple"),
            Map.of());
    Rendering r = rendered(p, Purpose.SCREEN);
    assertThat(r.command().passthrough())
        .containsEntry("_env_NCCL_PROTO", "Simple")
        .doesNotContainKey("_env_NCCL_TOPO_FILE");
    assertThat(r.exports()).containsEntry("NCCL_TOPO_FILE", "/a/b.xml");
  }

  @Test
  void aRunOnRealDataOrOfOtherLengthIsNoTuningRun() {
    assertThatThrownBy(
            () ->
                rendered(
                    Profile.of("x", Map.of(), Map.of(), Map.of("dataset_type", "grain")),
                    Purpose.SCREEN))
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e ->
                assertThat(Phrases.EN.text(e.why()))
                    .contains(
                        "dataset_type=grain, where every tuning run has dataset_type=synthetic"));
    assertThatThrownBy(
            () ->
                rendered(
                    Profile.of("x", Map.of(), Map.of("XLA_FLAGS", "--a"), Map.of()),
                    Purpose.SCREEN))
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e -> assertThat(Phrases.EN.text(e.why())).contains("drops the image's own flags"));
  }

  @Test
  void aValidationRunIsOnRealData() throws Exception {
    Rendering r =
        Rendering.of(
            request(
                AG_1G,
                Purpose.VALIDATE,
                tag(),
                "FSDP=8",
                Map.of("validation.steps", "200", "validation.dataset_type", "grain")),
            settings(Map.of()),
            config());
    assertThat(r.command().passthrough())
        .containsEntry("steps", "200")
        .containsEntry("dataset_type", "grain");
    assertThat(r.steps()).isEqualTo(200);
  }

  @Test
  void axesMultiplyToTheNodesAndTheirDevices() {
    assertThat(axes("FSDP=8").overrides()).isEmpty();
    assertThat(axes("PP=8").overrides())
        .containsEntry("dcn_pipeline_parallelism", "8")
        .containsEntry("dcn_fsdp_parallelism", "1");
    assertThat(axes("PP=4,FSDP=2").overrides())
        .containsEntry("dcn_pipeline_parallelism", "4")
        .containsEntry("dcn_fsdp_parallelism", "2");
    assertThat(axes("FSDP=8,TP=2").overrides())
        .containsEntry("ici_tensor_parallelism", "2")
        .containsEntry("ici_expert_parallelism", "4");
    assertThat(axes("PP=4,FSDP=4").problem().orElseThrow())
        .contains("dcn_fsdp_parallelism=4", "multiply to 16, and there are 8 nodes");
    assertThat(axes("FSDP=4").problem()).isPresent();
    assertThat(axes("FSDP=8,TP=3").problem().orElseThrow()).contains("8 devices");
    assertThat(axes("ranks=8").problem().orElseThrow()).contains("knows no axis 'ranks'");
  }

  // Bad input.

  @Test
  void whatIsMissingIsSaidBeforeAnythingIsSubmitted() throws Exception {
    SweepSpec good = spec(tag(), "FSDP=8", Map.of());
    assertThat(workload.preflight(good)).isEmpty();
    assertThat(
            Phrases.EN.text(workload.preflight(spec(tag(), "FSDP=4", Map.of())).getFirst().found()))
        .contains("multiply to 4");
    write("configs/ds.gpu.yml", "dcn_fsdp_parallelism: 8\n");
    assertThat(Phrases.EN.text(workload.preflight(good).getFirst().found()))
        .contains("no per_device_batch_size");
    Files.move(checkout.resolve("configs/ds.gpu.yml"), checkout.resolve("configs/other.gpu.yml"));
    assertThat(Phrases.EN.text(workload.preflight(good).getFirst().found()))
        .contains("there is no " + checkout.resolve("configs/ds.gpu.yml"));
    assertThat(workload.preflight(good).getFirst().valid()).containsExactly("other");
    assertThatThrownBy(
            () -> workload.launch(request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of())))
        .as("a night in which the file goes away loses the trial and not the sweep")
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e -> assertThat(Phrases.EN.text(e.why())).contains("the models are other"));
    Files.delete(checkout.resolve("submit.sh"));
    assertThat(Phrases.EN.text(workload.preflight(good).getFirst().found()))
        .contains("no submit.sh");
  }

  @Test
  void theInventoryIsWhatTheCellInheritsAsTheSweepOverridesIt() throws Exception {
    write(
        "container_env.sh",
        """
        DOCKER_IMAGE="${DOCKER_IMAGE:-rocm/jax-training:v26}"
        export MAXTEXT_PATCH_BRANCH=tuned
        """);
    List<Fact> facts =
        workload.inventory(spec(tag(), "FSDP=8", Map.of("max_target_length", "4096")));
    assertThat(facts)
        .contains(
            new Fact("image", "rocm/jax-training:v26", true),
            new Fact("MaxText branch", "tuned", true),
            new Fact("base config", "configs/ds.gpu.yml", true),
            new Fact("max_target_length", "4096", true),
            new Fact("per_device_batch_size", "7", false),
            new Fact("ds.env.sh: NCCL_PROTO", "LL", false))
        .as("the left-over of a loss test does not hold in a tuning run")
        .contains(new Fact("steps", "15", true), new Fact("dataset_type", "synthetic", false))
        .noneMatch(f -> f.name().startsWith("profiler"));
    assertThat(workload.inventory(spec(tag(), "PP=8", Map.of())))
        .as("the axes of the cell override the model's own")
        .contains(
            new Fact("dcn_pipeline_parallelism", "8", false),
            new Fact("dcn_fsdp_parallelism", "1", false));
    assertThat(facts).contains(new Fact("earlier tuning", "fresh start", true));
    write("ds-tuning.md", "# ds\n\nBest so far: `--xla_a=1` with NCCL_PROTO=LL, not `--xla_b=`.\n");
    assertThat(workload.inventory(spec(tag(), "FSDP=8", Map.of())))
        .contains(new Fact("earlier tuning", "ds-tuning.md, 2 settings", true));
    assertThat(workload.namedBefore(spec(tag(), "FSDP=8", Map.of())))
        .containsExactlyInAnyOrder("--xla_a=1", "NCCL_PROTO=LL");
    write("configs/ds.env.sh", "if x; then\n  export A=1\nfi\nexport B=1\nexport C=1\n");
    assertThat(workload.inventory(spec(tag(), "FSDP=8", Map.of("env.C", "2"))))
        .contains(
            new Fact("ds.env.sh, not for every cell: A", "1", false),
            new Fact("ds.env.sh: B", "1", false))
        .as("the sweep file's own comes last")
        .noneMatch(f -> f.name().endsWith(": C"));
    Files.delete(checkout.resolve("configs/ds.env.sh"));
    assertThat(workload.inventory(spec(tag(), "FSDP=8", Map.of())))
        .noneMatch(f -> f.name().startsWith("ds.env.sh"));
  }

  // The private copy.

  @Test
  void theOriginalIsNeverTouchedAndTheCopyClaimsTheIntent() throws Exception {
    String before = Files.readString(checkout.resolve("configs/ds.env.sh"));
    Workload.LaunchRequest request = request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of());
    Launch.Launcher launch = (Launch.Launcher) workload.launch(request);
    assertThat(Files.readString(checkout.resolve("configs/ds.env.sh"))).isEqualTo(before);
    assertThat(launch.script())
        .contains("env -i PATH=", " RAY=1", "'ds:ag-1G.ns-s-t0001a1'", "'steps=15'");
    Path copy = copyOf(request);
    assertThat(Files.readString(copy.resolve("_job.sbatch")))
        .contains("#SBATCH --exclusive", "nightsweep_record", "_job.nightsweep.sbatch");
    assertThat(Files.readString(copy.resolve("_job.nightsweep.sbatch"))).contains("echo real");
    assertThat(copy.resolve(".git")).isDirectory();
  }

  @Test
  void aJobAsksForItsNodesWholeAndForWhatItsTasksAreGiven() throws Exception {
    Launch.Launcher plain =
        (Launch.Launcher)
            workload.launch(request(AG_1G, Purpose.SCREEN, tag(), "FSDP=8", Map.of()));
    assertThat(plain.script())
        .contains("'--exclusive' '--ntasks-per-node=1'")
        .doesNotContain("--gpus-per-task", "--cpus-per-task", "gpusPerTask");
    Launch.Launcher asking =
        (Launch.Launcher)
            workload.launch(
                request(
                    AG_1G,
                    Purpose.SCREEN,
                    tag(),
                    "FSDP=8",
                    Map.of(
                        "gpusPerTask", "8", "cpusPerTask", "64", "sbatch", "--gpus-per-task=4")));
    assertThat(asking.script())
        .containsSubsequence(
            "'--exclusive' '--ntasks-per-node=1' '--cpus-per-task=64' '--gpus-per-task=8'",
            "'--gpus-per-task=4'")
        .doesNotContain("gpusPerTask");
  }

  @Test
  void aProbeAsksForAllFlagsOfAllCandidatesAndTrainsNothing() throws Exception {
    Workload.LaunchRequest request =
        request(Profile.baseline(), Purpose.PROBE, tag(), "FSDP=8", Map.of());
    Launch.Launcher launch = (Launch.Launcher) workload.launch(request);
    assertThat(launch.script()).doesNotContain("RAY=1");
    assertThat(Files.readString(copyOf(request).resolve("configs/ds.env.sh")))
        .contains("'" + FLAG + "=1073741824' '--xla_other=true'")
        .endsWith("exit \"$nightsweep_code\"\n# <<< nightsweep\n");
  }

  /** The environment after a real bash sourced the block, as the training script does. */
  private Map<String, String> sourced(Profile profile, String imageFlags) throws Exception {
    Path env = folder.resolve("env.sh");
    Files.writeString(
        env,
        EnvBlock.around(
            Files.readString(checkout.resolve("configs/ds.env.sh")),
            profile,
            Map.of(),
            new TreeMap<>(),
            ""));
    Process bash =
        new ProcessBuilder(
                "env",
                "-i",
                "PATH=" + System.getenv("PATH"),
                "XLA_FLAGS=" + imageFlags,
                "bash",
                "-c",
                "set -e; source " + env + "; printenv | sort")
            .redirectErrorStream(true)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    TreeMap<String, String> seen = new TreeMap<>();
    output
        .lines()
        .filter(l -> l.contains("="))
        .forEach(l -> seen.put(l.substring(0, l.indexOf('=')), l.substring(l.indexOf('=') + 1)));
    return seen;
  }

  private Axes axes(String parallelism) {
    try {
      return Axes.of(parallelism, config().values(), 8, OptionalInt.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
