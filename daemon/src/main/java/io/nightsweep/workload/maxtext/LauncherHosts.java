package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.CommandRunner.Output;
import io.nightsweep.files.Plain;
import io.nightsweep.workload.Workload.SetupProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the programs that the launcher calls on the submitting machine and on the nodes. */
final class LauncherHosts {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private LauncherHosts() {}

  /**
   * What is missing; a host that does not answer is not reported as lacking anything.
   *
   * @param image of the jobs; empty where unknown
   * @param nodes to check by ssh, unless the first refuses the login; empty to check only the
   *     submitting machine
   * @param submitHost runs commands on the machine that runs {@code submit.sh}
   */
  static List<SetupProblem> missing(
      Path checkout, Optional<JobImage> image, List<String> nodes, CommandRunner submitHost)
      throws InterruptedException {
    List<SetupProblem> problems = new ArrayList<>();
    if (calls(checkout, "rsync") && fails(submitHost, "command -v rsync")) {
      problems.add(
          new SetupProblem(
              "submit.sh copies the repository by rsync, and the machine that submits has no rsync",
              "install rsync there",
              true));
    }
    if (Files.exists(checkout.resolve("_container.sh"))) {
      container(image, nodes, submitHost).ifPresent(problems::add);
    }
    return problems;
  }

  private static Optional<SetupProblem> container(
      Optional<JobImage> image, List<String> nodes, CommandRunner submitHost)
      throws InterruptedException {
    boolean asked = false;
    for (String node : nodes) {
      Optional<Output> answer =
          answer(submitHost, on(node, image.map(JobImage::question).orElse(JobImage.ENGINE)))
              // 255 is ssh's own exit code: the node was not reached.
              .filter(output -> output.exitCode() != 255);
      if (answer.isEmpty() && !asked) {
        // If the first node refuses the login, all nodes do.
        break;
      }
      asked = true;
      Optional<SetupProblem> problem = answer.flatMap(output -> problem(image, node, output));
      if (problem.isPresent()) {
        return problem;
      }
    }
    if (asked) {
      return Optional.empty();
    }
    if (image.isPresent() && image.get() instanceof ImageFile file) {
      // The procedure has the shared file system with the image mounted here too.
      Optional<SetupProblem> problem =
          answer(submitHost, List.of("bash", "-c", file.look()))
              .flatMap(answer -> file.problem("the machine that submits", answer));
      if (problem.isPresent()) {
        return problem;
      }
    }
    return fails(submitHost, "command -v podman || command -v docker")
        ? Optional.of(
            new SetupProblem(
                "the job runs in a container, and there is neither podman nor docker on the"
                    + " machine that submits; the nodes could not be asked",
                "make sure that one works on the nodes: srun bash -c 'podman info || docker info'",
                false,
                "slot"))
        : image.flatMap(
            i -> i instanceof RegistryImage pulled ? pulled.unasked() : Optional.empty());
  }

  private static Optional<SetupProblem> problem(
      Optional<JobImage> image, String node, Output answer) {
    return switch (answer.exitCode()) {
      case JobImage.NO_DAEMON ->
          Optional.of(
              new SetupProblem(
                  "the job runs in a container, and the container engine of "
                      + node
                      + " does not answer: "
                      + Plain.text(answer.stdout().strip(), JobImage.MOST_QUOTED),
                  "start its daemon on the nodes: sudo systemctl start docker",
                  true,
                  "slot"));
      case JobImage.NO_ENGINE ->
          Optional.of(
              new SetupProblem(
                  "the job runs in a container, and " + node + " has neither podman nor docker",
                  "install one of them on the nodes, or choose nodes that have one",
                  true,
                  "slot"));
      default -> image.flatMap(i -> i.problem(node, answer));
    };
  }

  private static List<String> on(String node, String script) {
    return List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", node, script);
  }

  /** Whether the script ran on the submitting machine and failed. */
  private static boolean fails(CommandRunner submitHost, String script)
      throws InterruptedException {
    return answer(submitHost, List.of("bash", "-c", script))
        .filter(output -> !output.succeeded())
        .isPresent();
  }

  private static Optional<Output> answer(CommandRunner runner, List<String> command)
      throws InterruptedException {
    try {
      return Optional.of(runner.run(command, PATIENCE));
    } catch (ClusterUnreachableException e) {
      return Optional.empty();
    }
  }

  private static boolean calls(Path checkout, String program) {
    return Stream.of("submit.sh", "utils/artifact.sh")
        .map(checkout::resolve)
        .filter(Files::isRegularFile)
        .anyMatch(file -> text(file).lines().anyMatch(l -> l.strip().startsWith(program + " ")));
  }

  /** The file's text; empty where it cannot be read. */
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
