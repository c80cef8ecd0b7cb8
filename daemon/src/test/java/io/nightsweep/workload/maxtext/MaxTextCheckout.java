package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Budgets;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A launcher's checkout in a separate folder, and sweeps that use it. */
abstract class MaxTextCheckout {
  static final String FLAG = "--xla_gpu_all_gather_combine_threshold_bytes";
  static final Profile AG_1G = Profile.of("ag-1G", Map.of(FLAG, "1073741824"), Map.of(), Map.of());

  @TempDir Path folder;
  Path checkout = Path.of("");
  final MaxTextWorkload workload = new MaxTextWorkload();

  @BeforeEach
  final void nameTheCheckout() {
    checkout = folder.resolve("checkout");
  }

  /** The model {@code ds} on eight nodes. */
  final void layOutDs() throws IOException {
    write("submit.sh", "#!/bin/bash\n");
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(true)).isTrue();
    write("_job.sbatch", "#!/bin/bash\n#SBATCH --exclusive\necho real\n");
    write(
        "configs/ds.gpu.yml",
        """
        steps: 2000   # left over
        dataset_type: "grain"
        dcn_data_parallelism: -1
        dcn_fsdp_parallelism: 8
        dcn_pipeline_parallelism: 1
        ici_fsdp_parallelism: 1
        ici_expert_parallelism: 8
        per_device_batch_size: 7
        profiler: ""
        skip_first_n_steps_for_profiler: 5
        profiler_steps: 3
        """);
    write(
        "configs/ds.env.sh",
        "export XLA_FLAGS=\"${XLA_FLAGS:+$XLA_FLAGS }"
            + FLAG
            + "=8589934592\"\nexport NCCL_PROTO=LL\n");
  }

  final void write(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  final Path copyOf(Workload.LaunchRequest request) throws IOException {
    try (var entries = Files.list(request.outputDirectory().getParent())) {
      return entries
          .filter(p -> p.getFileName().toString().startsWith("checkout-"))
          .findFirst()
          .orElseThrow();
    }
  }

  static ConfigTag tag() {
    return new ConfigTag("default", new TreeMap<>());
  }

  final Workload.LaunchRequest request(
      Profile profile,
      Purpose purpose,
      ConfigTag tag,
      String parallelism,
      Map<String, String> more) {
    TrialId id = new TrialId(1);
    return new Workload.LaunchRequest(
        spec(tag, parallelism, more),
        new Trial(id, "w", 1, purpose, profile.name(), tag.name(), 1),
        profile,
        tag,
        new AttemptId(id, 1),
        "ns-s-t0001a1",
        folder.resolve("jobs/t0001a1/out"));
  }

  static Playbook playbook() {
    Remedy retry =
        new Remedy(
            List.of(),
            Remedy.Then.RESUBMIT,
            1,
            Remedy.RemedyScope.PROFILE,
            false,
            Remedy.Then.FAIL_TRIAL);
    return new Playbook("test", new TreeMap<>(), retry);
  }

  final SweepSpec spec(ConfigTag tag, String parallelism, Map<String, String> more) {
    TreeMap<String, String> settings = new TreeMap<>(Map.of("repository", checkout.toString()));
    settings.putAll(more);
    return new SweepSpec(
        new Cell(
            "ds",
            parallelism,
            List.of("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"),
            Optional.empty()),
        "maxtext",
        settings,
        new Metric(Measuring.TOKENS, "tok/s/device", Metric.Better.HIGHER),
        List.of(tag),
        List.of(
            Profile.baseline(),
            AG_1G,
            Profile.of("other", Map.of("--xla_other", "true"), Map.of(), Map.of())),
        new Plan("test", List.of(), List.of()),
        Budgets.ofJobs(9),
        Policy.defaults(),
        playbook(),
        List.of());
  }

  final Rendering rendered(Profile profile, Purpose purpose)
      throws UnsupportedTrialException, IOException {
    return rendered(profile, purpose, Map.of());
  }

  final ModelConfig config() throws IOException {
    return ModelConfig.parse(Files.readString(checkout.resolve("configs/ds.gpu.yml")));
  }

  final MaxTextSettings settings(Map<String, String> more) {
    return MaxTextSettings.of(spec(tag(), "FSDP=8", more));
  }

  final Rendering rendered(Profile profile, Purpose purpose, Map<String, String> more)
      throws UnsupportedTrialException, IOException {
    return Rendering.of(request(profile, purpose, tag(), "FSDP=8", more), settings(more), config());
  }
}
