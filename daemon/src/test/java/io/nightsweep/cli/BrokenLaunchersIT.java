package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checkouts and hosts that cannot run a job: the first line of output names the cause and the
 * remedy, whichever command is run.
 */
@Tag("xla")
class BrokenLaunchersIT {
  private static final List<String> TOOLS =
      List.of(
          "bash", "cat", "df", "env", "git", "head", "id", "ls", "mkdir", "tail", "timeout",
          "uname");

  @TempDir private Path folder;
  private Path checkout;
  private Path bin;

  private record Said(int code, String out, String err) {
    /** The first line that is an error, a warning or a fault. */
    String first() {
      return (err + "\n" + out)
          .lines()
          .filter(l -> !l.isBlank() && !l.startsWith("ok ") && !l.startsWith("#"))
          .findFirst()
          .orElse("");
    }

    String faults() {
      StringBuilder faults = new StringBuilder();
      List<String> lines = out.lines().toList();
      for (int i = 0; i < lines.size() - 1; i++) {
        // Jobs are processes of this machine here, which no launcher can start.
        if (lines.get(i).startsWith("FAULT ") && !lines.get(i).contains(Setup.NO_SLURM)) {
          faults.append(lines.get(i).substring(6)).append("; ");
          faults.append(lines.get(i + 1).strip().replace("do: ", "")).append('\n');
        }
      }
      return faults.toString();
    }
  }

  @BeforeEach
  void makeACheckoutOfTheRealLaunchersForm() throws Exception {
    checkout = folder.resolve("checkout");
    write("submit.sh", "#!/bin/bash\nsource utils/artifact.sh\n");
    assertThat(checkout.resolve("submit.sh").toFile().setExecutable(true)).isTrue();
    write("utils/artifact.sh", "build_artifact() {\n    rsync -a \"$1/\" \"$2/\"\n}\n");
    write("_container.sh", "#!/bin/bash\n");
    write("_train_with_ray.sh", "#!/bin/bash\n");
    write("container_env.sh", "DOCKER_IMAGE=\"${DOCKER_IMAGE:-nvcr.io/nvidia/jax:26.1}\"\n");
    write("configs/tiny.gpu.yml", "per_device_batch_size: 1\nici_fsdp_parallelism: -1\n");
    bin = Files.createDirectories(folder.resolve("bin"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), which(tool));
    }
    program("rsync", "exit 0");
    program("docker", "exit 0");
    // A node is this machine with the same programs.
    program("ssh", "exec bash -c \"${@: -1}\"");
  }

  @Test
  void aGoodCheckoutIsWrittenIntoTheFileThatInitPrints() throws Exception {
    Said said = said(init());
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out())
        .contains(
            "\nmodel: tiny\n",
            "\n  repository: " + checkout + "\n",
            "\n  # The image of container_env.sh: nvcr.io/nvidia/jax:26.1\n",
            "\n  ray: true\n",
            "\nplaybook: maxtext-cuda\n");
    Files.delete(checkout.resolve("_train_with_ray.sh"));
    assertThat(said(init()).out()).contains("\n  ray: false\n");
  }

  /** Everything else is as it should be. */
  @Test
  void aMachineWithoutSlurm() throws Exception {
    List<Said> said = inTurn(List.of(start(), doctor(), init("--cluster", "slurm")));
    assertThat(said.getFirst().first())
        .startsWith("sweep.yaml:")
        .contains(Setup.NO_SLURM, "nightsweep init --state ", " --cluster local");
    assertThat(said.getFirst().code()).isEqualTo(ExitCode.UNFIT);
    assertThat(said.get(1).out().lines())
        .anyMatch(l -> l.startsWith("FAULT ") && l.contains(Setup.NO_SLURM));
    Said init = said.getLast();
    assertThat(init.first()).contains("the cluster gives no answer");
    assertThat(init.err()).contains("launcher calls sbatch").doesNotContain("--repository");
  }

  @Test
  void aMachineWithoutRsync() throws Exception {
    Files.delete(bin.resolve("rsync"));
    everyCommandSays(
        "submit.sh copies the repository by rsync, and the machine that submits has no rsync;"
            + " install rsync there");
  }

  @Test
  void nodesWithoutAContainerEngine() throws Exception {
    Files.delete(bin.resolve("docker"));
    String said = "the job runs in a container, and ";
    List<Said> told = inTurn(List.of(start(), doctor(), init()));
    assertThat(told.getFirst().first())
        .isEqualTo(
            "sweep.yaml:3:1: "
                + said
                + "n1 has neither podman nor docker; install one of them on the nodes, or choose"
                + " nodes that have one");
    begins(told.get(1), said + "n1 has neither podman nor docker; install");
    // No node is chosen yet.
    assertThat(told.getLast().first())
        .startsWith("warning  " + said)
        .endsWith(
            "; make sure that one works on the nodes: srun bash -c 'podman info || docker"
                + " info'");
  }

  @Test
  void aModelThatTheCheckoutDoesNotHave() throws Exception {
    Files.move(checkout.resolve("configs/tiny.gpu.yml"), checkout.resolve("configs/tinny.gpu.yml"));
    String said =
        "there is no "
            + checkout
            + "/configs/tiny.gpu.yml; expected one of tinny; did you mean 'tinny'?";
    List<Said> told = inTurn(List.of(start(), doctor()));
    assertThat(told.getFirst().first()).isEqualTo("sweep.yaml:1:8: " + said);
    begins(told.getLast(), "sweep.yaml:1:8: " + said);
    Files.delete(checkout.resolve("configs/tinny.gpu.yml"));
    assertThat(said(init()).first())
        .contains("there is no configs/<model>.gpu.yml in " + checkout, "write the model's");
  }

  @Test
  void anImageThatIsATarballWhichIsNotThere() throws Exception {
    write("container_env.sh", "DOCKER_IMAGE=\"${DOCKER_IMAGE:-/images/jax.tar}\"\n");
    String said = " cannot read the image /images/jax.tar; df of the existing part of its path: ";
    String remedy = "; put it there, or name another by workload.launcher.DOCKER_IMAGE";
    List<Said> told = inTurn(List.of(init(), doctor(), start()));
    assertThat(told.getFirst().first())
        .contains("the machine that submits" + said)
        .endsWith(remedy);
    begins(told.get(1), "n1" + said);
    assertThat(told.get(1).faults()).contains(remedy);
    assertThat(told.getLast().first())
        .startsWith("sweep.yaml:")
        .contains("n1" + said)
        .endsWith(remedy);
    // The check must query the nodes for the files that they see; this machine may see others.
    program("ssh", "script=${@: -1}; exec bash -c \"${script//\\/images\\/jax.tar/$0}\"");
    assertThat(said(doctor()).faults()).isEmpty();
  }

  @Test
  void anImageThatNoRegistryCanHave() throws Exception {
    write("container_env.sh", "DOCKER_IMAGE=\"/images/jax.sif\"\n");
    everyCommandSays(
        "the image /images/jax.sif is a path, and the launcher loads only files named .tar; name a"
            + " .tar file, or the image of a registry, by workload.launcher.DOCKER_IMAGE");
  }

  @Test
  void anImageWhoseNameNoRegistryTakes() throws Exception {
    write("container_env.sh", "DOCKER_IMAGE=\"${DOCKER_IMAGE:-nvcr.io/NVIDIA/jax:26.1}\"\n");
    everyCommandSays(
        "the image nvcr.io/NVIDIA/jax:26.1 has capital letters, which no registry takes in a name;"
            + " name it nvcr.io/nvidia/jax:26.1, by workload.launcher.DOCKER_IMAGE");
  }

  @Test
  void anImageThatItsRegistryDoesNotHave() throws Exception {
    nodesWithoutTheImage("no such manifest: nvcr.io/nvidia/jax:26.1");
    String said =
        "n1 does not have the image nvcr.io/nvidia/jax:26.1, and of nvcr.io/nvidia/jax:26.1 its"
            + " registry answers: no such manifest: nvcr.io/nvidia/jax:26.1; correct the name by"
            + " workload.launcher.DOCKER_IMAGE, or pull it on every node before the start: docker"
            + " pull nvcr.io/nvidia/jax:26.1";
    List<Said> told = inTurn(List.of(start(), doctor()));
    assertThat(told.getFirst().first()).startsWith("sweep.yaml:").endsWith(said);
    begins(told.getLast(), said);
    // The nodes may already have the image even if this user is not logged in.
    nodesWithoutTheImage("unauthorized: authentication required");
    Said doctor = said(doctor());
    assertThat(doctor.faults()).isEmpty();
    assertThat(doctor.out()).contains("authentication required; log in on the nodes, or pull");
  }

  /** maxtext-slurm pulls {@code $DOCKER_REGISTRY/$DOCKER_IMAGE}, whatever the image's name is. */
  @Test
  void anImageOfARegistryThatTheLauncherDoesNotPullFrom() throws Exception {
    write("_container.sh", "\"${DOCKER_CMD[@]}\" pull \"$DOCKER_REGISTRY/$DOCKER_IMAGE\"\n");
    String said =
        "the launcher puts DOCKER_REGISTRY before the image nvcr.io/nvidia/jax:26.1 and would pull"
            + " docker.io/nvcr.io/nvidia/jax:26.1, and ";
    String remedy =
        "pull it on every node before the start: docker pull nvcr.io/nvidia/jax:26.1; or";
    List<Said> before = inTurn(List.of(init(), doctor()));
    assertThat(before.getFirst().first())
        .startsWith(
            "warning  " + said + "the nodes could not be asked whether they have it; " + remedy);
    assertThat(before.getLast().faults()).as("n1 has it").isEmpty();
    nodesWithoutTheImage("denied: requested access to the resource is denied");
    List<Said> after = inTurn(List.of(start(), doctor()));
    assertThat(after.getFirst().first()).contains(said + "n1 does not have it yet; " + remedy);
    begins(after.getLast(), said + "n1 does not have it yet; " + remedy);
  }

  /**
   * From another registry it pulls one name and runs another, which the node then looks up
   * elsewhere.
   */
  @Test
  void anImageThatIsPulledByOneNameAndRunByAnother() throws Exception {
    write("_container.sh", "\"${DOCKER_CMD[@]}\" pull \"$DOCKER_REGISTRY/$DOCKER_IMAGE\"\n");
    write(
        "container_env.sh",
        "DOCKER_REGISTRY=\"${DOCKER_REGISTRY:-ghcr.io}\"\n"
            + "DOCKER_IMAGE=\"${DOCKER_IMAGE:-us/jax:1}\"\n");
    String said =
        "the launcher puts DOCKER_REGISTRY before the image us/jax:1 and would pull"
            + " ghcr.io/us/jax:1, but runs us/jax:1, and ";
    String remedy =
        "pull it on every node before the start:"
            + " docker pull ghcr.io/us/jax:1 && docker tag ghcr.io/us/jax:1 us/jax:1; or";
    assertThat(said(init()).first())
        .contains(said + "the nodes could not be asked whether they have it; " + remedy);
    nodesWithoutTheImage("denied: requested access to the resource is denied");
    assertThat(said(start()).first()).contains(said + "n1 does not have it yet; " + remedy);
  }

  private void nodesWithoutTheImage(String answer) throws IOException {
    program(
        "docker", "[[ $2 != inspect ]] || { echo 'a hint'; echo '" + answer + "'; exit 1; } >&2");
  }

  private void everyCommandSays(String what) throws Exception {
    List<Said> said = inTurn(List.of(init(), doctor(), start()));
    assertThat(said.getFirst().first()).contains(what);
    begins(said.get(1), what);
    Said start = said.getLast();
    assertThat(start.first()).endsWith(what).startsWith("sweep.yaml:");
    assertThat(start.code()).isEqualTo(ExitCode.UNFIT);
  }

  /** The doctor's first line that is not OK is the cause, and the line below it the remedy. */
  private static void begins(Said doctor, String what) {
    assertThat(doctor.faults()).contains(what);
    assertThat(doctor.first()).startsWith("FAULT ").contains(what.split("; ")[0]);
  }

  private List<String> init(String... more) {
    List<String> words =
        new ArrayList<>(List.of("init", "--workload", "maxtext", "--repository", "" + checkout));
    words.addAll(List.of(more));
    return words;
  }

  private List<String> doctor() throws IOException {
    return List.of("doctor", sweep());
  }

  private List<String> start() throws IOException {
    return List.of("start", sweep());
  }

  private String sweep() throws IOException {
    return Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            model: tiny
            parallelism: FSDP=2
            slot: {nodelist: "n[1-2]"}
            workload: {kind: maxtext, repository: %s}
            budget: {jobs: 60}
            """
                .formatted(checkout))
        .toString();
  }

  private Said said(List<String> command) throws Exception {
    return inTurn(List.of(command)).getFirst();
  }

  /** Runs the commands in a separate process with only the programs above on its PATH. */
  private List<Said> inTurn(List<List<String>> commands) throws Exception {
    List<String> words = new ArrayList<>();
    for (List<String> command : commands) {
      words.add(words.isEmpty() ? InTurn.APART : InTurn.THEN);
      words.addAll(command);
      if (!command.contains("--cluster")) {
        words.addAll(List.of("--cluster", "local"));
      }
      words.addAll(List.of("--state", folder.resolve("state").toString()));
    }
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(MainProcess.command(InTurn.class, words)).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", bin.toString(), "HOME", folder.toString()));
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor()).as(Files.readString(err)).isZero();
    List<InTurn.Said> outs = InTurn.answers(Files.readString(out, StandardCharsets.UTF_8));
    List<InTurn.Said> errs = InTurn.answers(Files.readString(err, StandardCharsets.UTF_8));
    assertThat(outs).hasSameSizeAs(commands).hasSameSizeAs(errs);
    return IntStream.range(0, outs.size())
        .mapToObj(i -> new Said(outs.get(i).code(), outs.get(i).text(), errs.get(i).text()))
        .toList();
  }

  private static Path which(String tool) {
    return List.of("/bin", "/usr/bin").stream()
        .map(path -> Path.of(path, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(bin.resolve(name), "#!/bin/bash\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void write(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
