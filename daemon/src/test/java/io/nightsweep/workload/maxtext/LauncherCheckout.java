package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;

/** The launcher's checkout of the model {@code tiny} on two nodes. */
abstract class LauncherCheckout extends MaxTextCheckout {
  @BeforeEach
  void makeACheckout() throws IOException {
    write("submit.sh", "#!/bin/bash\nprintenv > " + folder.resolve("seen") + "\n");
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(true)).isTrue();
    write("_job.sbatch", "#!/bin/bash\n#SBATCH --exclusive\nexit 7\n");
    write("_train_with_ray.sh", "#!/bin/bash\n");
    write("configs/tiny.gpu.yml", "per_device_batch_size: 1\nici_fsdp_parallelism: -1\n");
    write(
        "container_env.sh",
        """
        DOCKER_IMAGE="${DOCKER_IMAGE:-rocm/jax-training:maxtext-v26.2}"
        MAXTEXT_REPO_DIR="${MAXTEXT_REPO_DIR:-/workspace/maxtext}"                # inside the container
        MAXTEXT_PATCH_BRANCH="${MAXTEXT_PATCH_BRANCH-}"                           # empty = the image's own
        """);
  }

  final String git(String... arguments) {
    return in(checkout, arguments);
  }

  static String in(Path where, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", where.toString()));
    command.addAll(List.of(arguments));
    return MaxTextLab.run(command);
  }

  /** Puts a MaxText where the container's shell starts, and creates the job's own folder. */
  final void installed(String where, String base, String logger) throws IOException {
    Path job = Files.createDirectories(folder.resolve("job"));
    MaxTextLab.run(List.of("rm", "-rf", job.resolve("src").toString()));
    Path package_ = job.resolve(where);
    Files.createDirectories(package_.resolve("configs"));
    Files.createDirectories(package_.resolve("utils"));
    Files.writeString(package_.resolve("configs/base.yml"), base);
    Files.writeString(package_.resolve("utils/max_logging.py"), logger + "\n");
  }

  /** The script's output in the job's own folder, as the second rank. */
  final String bash(String script) throws IOException {
    Path job = Files.createDirectories(folder.resolve("job"));
    return MaxTextLab.run(
        List.of(
            "env",
            "-C",
            job.toString(),
            "OUTPUT_PATH=/outputs/7-JAX",
            "NODE_RANK=1",
            "bash",
            "-euo",
            "pipefail",
            "-c",
            script));
  }

  final Workload.LaunchRequest request(Map<String, String> more) {
    TreeMap<String, String> settings = new TreeMap<>(Map.of("repository", checkout.toString()));
    settings.putAll(more);
    ConfigTag tag = new ConfigTag("default", new TreeMap<>());
    TrialId id = new TrialId(1);
    SweepSpec spec =
        new SweepSpec(
            new Cell("tiny", "FSDP=2", List.of("n1", "n2"), Optional.empty()),
            "maxtext",
            settings,
            new Metric(Measuring.TOKENS, "tok/s/device", Metric.Better.HIGHER),
            List.of(tag),
            List.of(Profile.baseline()),
            new Plan("test", List.of(), List.of()),
            Budgets.ofJobs(9),
            Policy.defaults(),
            playbook(),
            List.of());
    return new Workload.LaunchRequest(
        spec,
        new Trial(id, "w", 1, Trial.Purpose.SCREEN, Profile.BASELINE, "default", 1),
        Profile.baseline(),
        tag,
        new AttemptId(id, 1),
        "ns-s-t0001a1",
        folder.resolve("jobs/t0001a1/out"));
  }
}
