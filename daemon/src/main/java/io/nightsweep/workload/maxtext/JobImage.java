package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner.Output;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Path;
import java.util.Optional;

/** The image of a job, and how to check it on a machine. */
sealed interface JobImage permits ImageFile, RegistryImage {
  /** Exit code of {@link #question} where the machine has no container engine. */
  int NO_ENGINE = 3;

  /**
   * Exit code of {@link #question} where the daemon of the machine's container engine does not
   * answer.
   */
  int NO_DAEMON = 5;

  /**
   * Bash that finds the engine that the launcher would use, or ends with {@link #NO_ENGINE} or
   * {@link #NO_DAEMON}. An engine that only root may use counts: the launcher calls it through
   * sudo.
   */
  String ENGINE =
      """
      engine=podman
      # maxtext-slurm takes podman only where its runtime folder is there.
      { [ -d "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}" ] && podman info >/dev/null 2>&1; } || engine=$(command -v docker || command -v podman) || exit %d
      said=$("$engine" info 2>&1 >/dev/null) || case $said in
        *[Pp]ermission*) ;;
        *[Cc]onnect*) echo "$said" | tail -n 1; exit %d ;;
      esac
      """
          .formatted(NO_ENGINE, NO_DAEMON);

  /** Exit code of {@link #question} where the machine does not have the image. */
  int ABSENT = 4;

  int MOST_QUOTED = 200;

  /**
   * Bash for a node: ends with {@link #NO_ENGINE}, {@link #NO_DAEMON}, {@link #ABSENT} or, if all
   * is well, 0.
   */
  String question();

  /** The problem that the node's answer shows. */
  Optional<SetupProblem> problem(String node, Output answer);

  /**
   * The image of a sweep's jobs; empty where its name is already reported as wrong, or is unknown.
   */
  static Optional<JobImage> of(MaxTextSettings settings) {
    Optional<String> given = Optional.ofNullable(settings.launcher().get("DOCKER_IMAGE"));
    return of(
        settings.checkout(),
        given.or(() -> Inventory.variable(settings.checkout(), "DOCKER_IMAGE")),
        Optional.ofNullable(settings.launcher().get("DOCKER_REGISTRY")),
        given.isPresent() ? "workload/launcher/DOCKER_IMAGE" : "workload/repository");
  }

  /** The image of the checkout's own {@code container_env.sh}. */
  static Optional<JobImage> of(Path checkout) {
    return of(checkout, Inventory.variable(checkout, "DOCKER_IMAGE"), Optional.empty(), "");
  }

  private static Optional<JobImage> of(
      Path checkout, Optional<String> image, Optional<String> registry, String setting) {
    return image
        .filter(name -> ImageCheck.of(name, setting).isEmpty())
        .map(
            name ->
                name.endsWith(".tar")
                    ? new ImageFile(Path.of(name), setting)
                    : RegistryImage.of(checkout, name, registry, setting));
  }
}
