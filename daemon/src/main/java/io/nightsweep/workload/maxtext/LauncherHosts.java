package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.workload.Workload.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The programs that the launcher calls on the machine that submits and on the nodes. */
final class LauncherHosts {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String ENGINE = "command -v podman || command -v docker";

  private LauncherHosts() {}

  /**
   * What is missing; a host that gives no answer is not reported as lacking anything.
   *
   * @param nodes of which the first is asked by ssh; none where only the submitting machine is
   * @param submitHost runs commands on the machine that {@code submit.sh} runs on
   */
  static List<Problem> missing(Path checkout, List<String> nodes, CommandRunner submitHost)
      throws InterruptedException {
    List<Problem> problems = new ArrayList<>();
    if (calls(checkout, "rsync") && answer(submitHost, here("command -v rsync")).orElse(0) != 0) {
      problems.add(
          new Problem(
              "submit.sh copies the repository by rsync, and the machine that submits has no rsync",
              "install rsync there",
              true));
    }
    if (Files.exists(checkout.resolve("_container.sh"))) {
      engine(nodes, submitHost).ifPresent(problems::add);
    }
    return problems;
  }

  private static Optional<Problem> engine(List<String> nodes, CommandRunner submitHost)
      throws InterruptedException {
    for (String node : nodes.subList(0, Math.min(1, nodes.size()))) {
      OptionalInt code = answer(submitHost, on(node));
      // 255 is ssh's own: the node was not asked.
      if (code.isPresent() && code.getAsInt() != 255) {
        return code.getAsInt() == 0
            ? Optional.empty()
            : Optional.of(
                new Problem(
                    "the job runs in a container, and " + node + " has neither podman nor docker",
                    "install one of them on the nodes, or choose nodes that have one",
                    true,
                    "slot"));
      }
    }
    return answer(submitHost, here(ENGINE)).orElse(0) == 0
        ? Optional.empty()
        : Optional.of(
            new Problem(
                "the job runs in a container, and there is neither podman nor docker on the"
                    + " machine that submits; the nodes could not be asked",
                "see that the nodes have one: srun command -v docker",
                false,
                "slot"));
  }

  private static List<String> here(String script) {
    return List.of("bash", "-c", script);
  }

  private static List<String> on(String node) {
    return List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", node, ENGINE);
  }

  private static OptionalInt answer(CommandRunner runner, List<String> command)
      throws InterruptedException {
    try {
      return OptionalInt.of(runner.run(command, PATIENCE).exitCode());
    } catch (ClusterUnreachableException e) {
      return OptionalInt.empty();
    }
  }

  private static boolean calls(Path checkout, String program) {
    return Stream.of("submit.sh", "utils/artifact.sh")
        .map(checkout::resolve)
        .filter(Files::isRegularFile)
        .anyMatch(file -> text(file).lines().anyMatch(l -> l.strip().startsWith(program + " ")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
