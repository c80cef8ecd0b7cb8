package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.workload.Workload.SetupProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Options that the checkout's scripts do not offer are refused before a job is submitted. */
@Tag("xla")
class LauncherScriptsTest extends LauncherCheckout {
  @BeforeEach
  void writeScriptsOfTheRealForm() throws IOException {
    write("submit.sh", "sbatch \"$SCRIPT_DIR/_job.sbatch\"\n");
    write(
        "_job.sbatch",
        """
        #SBATCH --exclusive
        source "$SCRIPT_DIR/utils/stage_timeout.sh"
        stage_timeout_init preflight:900 pull:900 ecc:300 train:none
        "$SCRIPT_DIR/_container.sh"
        """);
    write("_container.sh", "_train.sh\n: ${GPU_COUNT:=8}\n");
    write("_train.sh", "\n");
    write("_train_with_ray.sh", "\n");
  }

  @Test
  void whatTheScriptsOfferIsNoProblem() {
    assertThat(
            problems(
                Map.of(
                    "stageTimeouts", "pull:1800,train:2400",
                    "launcher.DOCKER_IMAGE", "an/image:1",
                    "launcher.SBATCH_ACCOUNT", "mine",
                    "launcher.DOCKER_HOST", "unix:///run/podman.sock")))
        .isEmpty();
  }

  @Test
  void aStageThatTheJobDoesNotHave() {
    SetupProblem problem = only(Map.of("stageTimeouts", "pull:1800,trian:2400"));
    assertThat(said(problem)).isEqualTo("the launcher has no stage 'trian'");
    assertThat(problem.valid()).containsExactly("preflight", "pull", "ecc", "train");
    assertThat(problem.setting()).isEqualTo("workload/stageTimeouts");
  }

  @Test
  void aSlipInTheNameOfAVariable() {
    SetupProblem problem = only(Map.of("launcher.DOKER_IMAGE", "an/image:1"));
    assertThat(said(problem)).isEqualTo("no script of the launcher reads DOKER_IMAGE");
    assertThat(problem.whatToDo()).isEqualTo("write DOCKER_IMAGE, which they read");
    assertThat(problem.setting()).isEqualTo("workload/launcher/DOKER_IMAGE");
    assertThat(only(Map.of("launcher.GPU_COUTN", "8")).whatToDo()).startsWith("write GPU_COUNT");
  }

  @Test
  void aLauncherWithoutRayAndASweepThroughIt() throws Exception {
    Files.delete(checkout.resolve("_train_with_ray.sh"));
    assertThat(only(Map.of()).whatToDo()).isEqualTo("set workload.ray to false");
    assertThat(problems(Map.of("ray", "false"))).isEmpty();
  }

  @Test
  void aScriptThatAnotherCallsAndThatIsNotThere() throws Exception {
    Files.delete(checkout.resolve("_train.sh"));
    assertThat(said(only(Map.of())))
        .isEqualTo("_container.sh calls _train.sh, which is not in " + checkout);
    Files.delete(checkout.resolve("_job.sbatch"));
    assertThat(said(only(Map.of()))).startsWith("submit.sh calls _job.sbatch");
  }

  @Test
  void aSubmitScriptThatIsNotExecutable() {
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(false)).isTrue();
    assertThat(only(Map.of()).whatToDo())
        .isEqualTo("make it executable: chmod +x " + checkout.resolve("submit.sh"));
  }

  private static String said(SetupProblem problem) {
    return Phrases.EN.text(problem.found());
  }

  private SetupProblem only(Map<String, String> settings) {
    List<SetupProblem> problems = problems(settings);
    assertThat(problems).hasSize(1).allMatch(SetupProblem::fatal);
    return problems.getFirst();
  }

  private List<SetupProblem> problems(Map<String, String> settings) {
    return workload.preflight(request(settings).spec());
  }
}
