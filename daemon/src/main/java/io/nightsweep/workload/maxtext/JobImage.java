package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner.Output;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Path;
import java.util.Optional;

/** The image that a job would run, and how a machine is asked for it. */
sealed interface JobImage permits ImageFile, RegistryImage {
  /** How {@link #question} ends where the machine has no container engine. */
  int NO_ENGINE = 3;

  /** How {@link #question} ends where no daemon answers the machine's container engine. */
  int NO_DAEMON = 5;

  /**
   * Bash: ends with {@link #NO_ENGINE} or {@link #NO_DAEMON}, or goes on with the engine that the
   * launcher would use. An engine that only root may use is one: the launcher calls it by sudo.
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

  /** How {@link #question} ends where the machine does not have the image. */
  int ABSENT = 4;

  int MOST_QUOTED = 200;

  /**
   * Bash for a node: ends with {@link #NO_ENGINE}, {@link #NO_DAEMON}, {@link #ABSENT} or, if all
   * is well, 0.
   */
  String question();

  /** What the node's answer says is wrong. */
  Optional<SetupProblem> problem(String node, Output answer);

  /** The image of a sweep's jobs; empty where its name says what is wrong, or nobody can tell. */
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
