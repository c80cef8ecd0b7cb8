package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.report.Phrases;
import io.nightsweep.workload.Workload.SetupProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Slurm says about the sweep's jobs before any is queued; its answers are recorded. */
@Tag("xla")
class SubmissionCheckTest extends LauncherCheckout {
  private static final String REFUSED =
      "allocation failure: Requested node configuration is not available\n";

  private final List<List<String>> asked = new ArrayList<>();

  @Test
  void moreGpusThanTheNodesHaveAreToldWithTheRemedy() throws Exception {
    write("_job.sbatch", "#!/bin/bash\n#SBATCH --gpus-per-task=8\n##SBATCH --gpus-per-task=9\n");
    SetupProblem problem = problem(REFUSED, "n1|gpu:mi300x:8(S:0-1)\nn2|gpu:2\n", Map.of());
    assertThat(problem.fatal()).isTrue();
    assertThat(Phrases.EN.text(problem.found()))
        .isEqualTo(
            "Slurm would refuse every job of the sweep: Requested node configuration is not"
                + " available; the job asks for 8 GPUs a node, and n2 has 2");
    assertThat(problem.whatToDo()).startsWith("set workload.gpusPerTask to what each node has");
    assertThat(asked.getFirst())
        .startsWith("env", "SBATCH_ACCOUNT=a", "sbatch", "--test-only")
        .contains("--nodelist=n1,n2", "--exclusive")
        .endsWith(checkout.resolve("_job.sbatch").toString());
    assertThat(Phrases.EN.text(problem(REFUSED, "n1|(null)\n", Map.of("gpusPerTask", "4")).found()))
        .as("the sweep file's own word wins")
        .endsWith("asks for 4 GPUs a node, and n1 has 0");
  }

  /** {@code _job.sbatch} requests GPUs, so they are requested even without the option. */
  @Test
  void noGpusAreAskedForByName() throws Exception {
    write("_job.sbatch", "#!/bin/bash\n#SBATCH --gpus-per-task=8\n");
    assertThat(problems("", "", Map.of("gpusPerTask", "0"))).isEmpty();
    assertThat(asked.getFirst()).contains("--gpus-per-task=0");
  }

  @Test
  void anotherRefusalIsToldAndWhatPassesByItselfIsNot() throws Exception {
    assertThat(problem("allocation failure: Invalid account or account/partition\n", "", Map.of()))
        .extracting(SetupProblem::whatToDo)
        .isEqualTo("correct slot or workload.sbatch");
    assertThat(
            problems(
                "allocation failure: Required node not available (down, drained or reserved)\n",
                "",
                Map.of()))
        .isEmpty();
    assertThat(problems("sbatch: Job 18 to start at 2026-11-23T03:27:54\n", "", Map.of()))
        .isEmpty();
  }

  private SetupProblem problem(String sbatch, String sinfo, Map<String, String> settings)
      throws Exception {
    return problems(sbatch, sinfo, settings).getFirst();
  }

  private List<SetupProblem> problems(String sbatch, String sinfo, Map<String, String> settings)
      throws Exception {
    asked.clear();
    Map<String, String> all = new TreeMap<>(settings);
    all.put("launcher.SBATCH_ACCOUNT", "a");
    CommandRunner slurm =
        (command, timeout) -> {
          asked.add(command);
          return command.contains("sbatch")
              ? new CommandRunner.Output(sbatch.startsWith("alloc") ? 1 : 0, "", sbatch)
              : new CommandRunner.Output(0, command.contains("sinfo") ? sinfo : "", "");
        };
    return workload.preflight(request(all).spec(), slurm).stream()
        .filter(p -> Phrases.EN.text(p.found()).startsWith("Slurm"))
        .toList();
  }
}
