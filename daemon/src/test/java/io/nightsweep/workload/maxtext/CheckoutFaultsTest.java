package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.lab.MaxTextLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of a checkout and its hosts, reported before a job is submitted. */
@Tag("xla")
class CheckoutFaultsTest extends LauncherCheckout {
  @Test
  void aFileThatTheLauncherWouldPullIsToldAsAFile() throws Exception {
    write("container_env.sh", "DOCKER_IMAGE=maxtext-v26.2.tar.gz\n");
    assertThat(workload.preflight(request(Map.of()).spec()))
        .anyMatch(
            p ->
                p.fatal()
                    && Phrases.EN
                        .text(p.found())
                        .contains("maxtext-v26.2.tar.gz is a file by its name"));
  }

  /**
   * The launcher tests the name in the job's start folder, and pulls what it does not find there.
   */
  @Test
  void aFileThatIsNamedFromAFolderOnIsRefusedAlsoWhereItIsThere() throws Exception {
    write("images/jax.tar", "layers");
    write("container_env.sh", "DOCKER_IMAGE=images/jax.tar\n");
    assertThat(workload.preflight(request(Map.of()).spec()))
        .singleElement()
        .matches(p -> p.fatal() && p.whatToDo().startsWith("name it by its full path"));
    write("container_env.sh", "DOCKER_IMAGE=" + checkout.resolve("images/jax.tar") + "\n");
    assertThat(workload.preflight(request(Map.of()).spec())).isEmpty();
  }

  @Test
  void aConfigurationThatIsNotYamlIsToldAtItsLine() throws Exception {
    write("configs/tiny.gpu.yml", "per_device_batch_size: 1\nsteps: [15\n");
    Workload.SetupProblem problem = workload.preflight(request(Map.of()).spec()).getFirst();
    assertThat(Phrases.EN.text(problem.found()))
        .matches(".*/configs/tiny\\.gpu\\.yml:[23] is not YAML");
    assertThat(problem.fatal()).isTrue();
  }

  @Test
  void aLinkWithoutItsFolderIsToldBeforeTheLauncherMeetsIt() throws Exception {
    Files.createSymbolicLink(checkout.resolve("outputs"), folder.resolve("nowhere"));
    Workload.SetupProblem problem = workload.preflight(request(Map.of()).spec()).getFirst();
    assertThat(Phrases.EN.text(problem.found()))
        .endsWith("outputs is a link to " + folder.resolve("nowhere") + ", which is not there");
    assertThat(problem.fatal()).isTrue();
    Files.createDirectory(folder.resolve("nowhere"));
    assertThat(workload.preflight(request(Map.of()).spec())).isEmpty();
  }

  @Test
  void lineEndsOfWindowsAreToldWithTheRemedy() throws Exception {
    write("configs/tiny.env.sh", "export A=1\r\n");
    Path file = checkout.resolve("configs/tiny.env.sh");
    Workload.SetupProblem problem = workload.preflight(request(Map.of()).spec()).getFirst();
    assertThat(Phrases.EN.text(problem.found())).startsWith(file + " has the line ends of Windows");
    assertThat(problem.whatToDo()).isEqualTo("sed -i 's/\\r$//' " + file);
  }

  @Test
  void aHistoryWithoutItsObjectsIsNone() throws Exception {
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=n@x", "commit", "-qm", "One");
    assertThat(workload.inventory(request(Map.of()).spec()))
        .anyMatch(f -> f.name().equals("launcher commit"));
    CommandRunner silent = (command, timeout) -> new CommandRunner.Output(0, "", "");
    assertThat(workload.preflight(request(Map.of()).spec(), silent)).isEmpty();
    MaxTextLab.run(List.of("rm", "-rf", checkout.resolve(".git/objects").toString()));
    Files.createDirectory(checkout.resolve(".git/objects"));
    assertThat(workload.inventory(request(Map.of()).spec()))
        .noneMatch(f -> f.name().equals("launcher commit"));
    assertThat(workload.preflight(request(Map.of()).spec(), silent))
        .singleElement()
        .matches(
            p ->
                !p.fatal()
                    && Phrases.EN.text(p.found()).startsWith("git shows no commit of " + checkout));
  }

  @Test
  void theCallOfRsyncIsFoundWhereverItStands() throws Exception {
    CommandRunner without =
        (command, timeout) ->
            new CommandRunner.Output(command.getLast().contains("rsync") ? 1 : 0, "", "");
    for (String call : List.of("rsync -a a b\n", "build() {\n    rsync -a a b\n}\n")) {
      write("utils/artifact.sh", call);
      assertThat(workload.preflight(request(Map.of()).spec(), without))
          .as(call)
          .anyMatch(
              p ->
                  p.fatal()
                      && Phrases.EN
                          .text(p.found())
                          .endsWith("the machine that submits has no rsync"));
    }
    write("utils/artifact.sh", "# no rsync -a is called\necho rsync -a\n");
    assertThat(workload.preflight(request(Map.of()).spec(), without))
        .noneMatch(Workload.SetupProblem::fatal);
  }

  /** {@code DOCKER_REGISTRY} of the sweep file takes precedence over the checkout's. */
  @Test
  void theRegistryThatIsPulledFromIsTheSweepFiles() throws Exception {
    write("_container.sh", "\"${DOCKER_CMD[@]}\" pull \"$DOCKER_REGISTRY/$DOCKER_IMAGE\"\n");
    write("container_env.sh", "DOCKER_REGISTRY=ghcr.io\nDOCKER_IMAGE=us/jax:1\n");
    assertThat(pulled(Map.of())).isEqualTo("ghcr.io/us/jax:1");
    assertThat(pulled(Map.of("launcher.DOCKER_REGISTRY", "quay.io"))).isEqualTo("quay.io/us/jax:1");
    write("container_env.sh", "DOCKER_IMAGE=us/jax:1\n");
    assertThat(pulled(Map.of())).isEqualTo("docker.io/us/jax:1");
    write("_container.sh", "\"${DOCKER_CMD[@]}\" pull \"$DOCKER_IMAGE\"\n");
    assertThat(pulled(Map.of("launcher.DOCKER_REGISTRY", "quay.io"))).isEqualTo("us/jax:1");
  }

  private String pulled(Map<String, String> more) {
    JobImage image = JobImage.of(MaxTextSettings.of(request(more).spec())).orElseThrow();
    return ((RegistryImage) image).pulled();
  }

  /** The script that queries a node, run here with a docker without a daemon. */
  @Test
  void aDockerWithoutADaemonIsNoEngine() throws Exception {
    write("_container.sh", "#!/bin/bash\n");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path docker = bin.resolve("docker");
    String said = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.";
    Files.writeString(docker, "#!/bin/bash\necho '" + said + "' >&2\nexit 1\n");
    assertThat(docker.toFile().setExecutable(true)).isTrue();
    CommandRunner nodes =
        (command, timeout) ->
            command.contains("ssh")
                ? CommandRunner.direct(Map.of("PATH", bin + ":/usr/bin:/bin"))
                    .run(List.of("bash", "-c", command.getLast()), timeout)
                : new CommandRunner.Output(0, "", "");
    assertThat(workload.preflight(request(Map.of()).spec(), nodes))
        .filteredOn(Workload.SetupProblem::fatal)
        .singleElement()
        .satisfies(
            p -> {
              assertThat(Phrases.EN.text(p.found()))
                  .endsWith("engine of n1 does not answer: " + said);
              assertThat(p.whatToDo()).contains("start its daemon on the nodes");
            });
    Files.writeString(docker, "#!/bin/bash\necho 'permission denied' >&2\n[[ $1 != info ]]\n");
    assertThat(workload.preflight(request(Map.of()).spec(), nodes))
        .as("the launcher calls it by sudo")
        .noneMatch(Workload.SetupProblem::fatal);
  }
}
