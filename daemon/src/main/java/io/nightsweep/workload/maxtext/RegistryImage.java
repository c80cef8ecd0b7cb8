package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner.Output;
import io.nightsweep.cluster.Shell;
import io.nightsweep.files.Plain;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An image that the launcher pulls where a node does not have it.
 *
 * @param name the value of {@code DOCKER_IMAGE}
 * @param pulled the name that the launcher pulls: maxtext-slurm puts {@code DOCKER_REGISTRY} before
 *     every name, even before one with a registry
 * @param setting of the sweep file with the image
 */
record RegistryImage(String name, String pulled, String setting) implements JobImage {
  private static final Pattern HOST = Pattern.compile("(?:[^/]*[.:][^/]*|localhost)/.*");

  /** The default registry for names without one, both for pulling and for running. */
  private static final String DEFAULT_REGISTRY = "docker.io";

  private static final Pattern UNKNOWN =
      Pattern.compile(
          "(?i)manifest unknown|no such manifest|not found|name unknown|does not exist");

  private static final Pattern REFUSED =
      Pattern.compile("(?i)unauthorized|denied|authentication required|forbidden");

  private static final Pattern UNREACHABLE =
      Pattern.compile(
          "(?i)no such host|connection refused|unreachable|time ?out|timed out|deadline exceeded");

  static RegistryImage of(Path checkout, String name, Optional<String> registry, String setting) {
    boolean prefixed =
        LauncherHosts.text(checkout.resolve("_container.sh"))
            .contains("pull \"$DOCKER_REGISTRY/$DOCKER_IMAGE\"");
    return new RegistryImage(
        name,
        prefixed
            ? registry
                    .or(() -> Inventory.variable(checkout, "DOCKER_REGISTRY"))
                    .orElse(DEFAULT_REGISTRY)
                + "/"
                + name
            : name,
        setting);
  }

  /**
   * Bash for a node: checks whether it has the image and, if not, what the registry says about the
   * name that would be pulled. An engine that only root may use is skipped.
   */
  @Override
  public String question() {
    return ENGINE
        + """
        "$engine" info >/dev/null 2>&1 || exit 0
        ! "$engine" image inspect %s >/dev/null 2>&1 || exit 0
        answer=$(timeout 8 "$engine" manifest inspect %s 2>&1 >/dev/null) || echo "${answer:-timed out}" | tail -n 1
        exit %d"""
            .formatted(Shell.quote(name), Shell.quote(pulled), ABSENT);
  }

  @Override
  public Optional<SetupProblem> problem(String node, Output answer) {
    String said = Plain.text(answer.stdout().strip(), MOST_QUOTED);
    if (answer.exitCode() != ABSENT) {
      return Optional.empty();
    }
    if (!isPullable()) {
      return Optional.of(unpullable(" and " + node + " does not have it yet", true));
    }
    boolean unknown = UNKNOWN.matcher(said).find();
    boolean refused = REFUSED.matcher(said).find();
    return unknown || refused || UNREACHABLE.matcher(said).find()
        ? Optional.of(
            new SetupProblem(
                "%s does not have the image %s, and of %s its registry answers: %s"
                    .formatted(node, name, pulled, said),
                (unknown
                        ? "correct the name by workload.launcher.DOCKER_IMAGE"
                        : refused ? "log in on the nodes" : "make sure that the nodes reach it")
                    + ", or pull it on every node before the start: docker pull "
                    + name,
                unknown,
                setting))
        : Optional.empty();
  }

  /** Problems that are known even if no node could be checked. */
  Optional<SetupProblem> unasked() {
    return isPullable()
        ? Optional.empty()
        : Optional.of(unpullable(" and the nodes could not be asked whether they have it", false));
  }

  private SetupProblem unpullable(String andNodes, boolean fatal) {
    boolean hasHost = HOST.matcher(name).matches();
    return new SetupProblem(
        "the launcher puts DOCKER_REGISTRY before the image %s and would pull %s,%s%s"
            .formatted(name, pulled, hasHost ? "" : " but runs " + name + ",", andNodes),
        "pull it on every node before the start: %s; or name a .tar file by workload.launcher.DOCKER_IMAGE"
            .formatted(
                hasHost
                    ? "docker pull " + name
                    : "docker pull %s && docker tag %s %s".formatted(pulled, pulled, name)),
        fatal,
        setting);
  }

  /** Whether the pulled image has the name under which it is run. */
  private boolean isPullable() {
    return pulled.equals(name)
        || (!HOST.matcher(name).matches() && pulled.equals(DEFAULT_REGISTRY + "/" + name));
  }
}
