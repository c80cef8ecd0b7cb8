package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.Workload.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An image as the launcher takes it: a file whose name ends in {@code .tar} is loaded, and every
 * other name is pulled from a registry.
 */
final class ImageCheck {
  private ImageCheck() {}

  /**
   * What is wrong with the image; empty for the name of a registry, which only the nodes can try.
   *
   * @param setting of the sweep file that names it
   */
  static Optional<Problem> of(String image, String setting) {
    if (image.endsWith(".tar")) {
      return Files.isReadable(Path.of(image))
          ? Optional.empty()
          : problem(
              "the image " + image + " is not there",
              "put it there, or name another by workload.launcher.DOCKER_IMAGE",
              setting);
    }
    if (image.startsWith("/") || image.startsWith("./")) {
      return problem(
          "the image " + image + " is a path, and the launcher loads only files named .tar",
          "name a .tar file, or the image of a registry, by workload.launcher.DOCKER_IMAGE",
          setting);
    }
    return image.matches("[A-Za-z0-9][A-Za-z0-9._:/@-]*")
        ? Optional.empty()
        : problem(
            "'" + image + "' is no name of an image",
            "name it such as rocm/jax-training:maxtext-v26.2, by workload.launcher.DOCKER_IMAGE",
            setting);
  }

  private static Optional<Problem> problem(String found, String whatToDo, String setting) {
    return Optional.of(new Problem(found, whatToDo, true, setting));
  }
}
