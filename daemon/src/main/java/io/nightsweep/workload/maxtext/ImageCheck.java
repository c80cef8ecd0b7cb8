package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.Workload.SetupProblem;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks an image's name as the launcher interprets it: a name that ends in {@code .tar} is a file
 * to load, any other name is pulled from a registry.
 */
final class ImageCheck {
  /**
   * {@code [registry[:port]/]name[/name...][:tag][@digest]}.
   *
   * @see <a href="https://github.com/distribution/reference">the grammar of references</a>
   */
  private static final Pattern NAME =
      Pattern.compile(
          "(?:(?:localhost|[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)++|[A-Za-z0-9-]+(?=:))(?::[0-9]{1,5})?/)?"
              + "[a-z0-9]+(?:(?:[._]|__|-+|/)[a-z0-9]+)*+"
              + "(?::\\w[\\w.-]{0,127})?(?:@[a-z0-9]+(?:[+._-][a-z0-9]+)*+:[0-9a-f]{32,128})?");

  /** Names of files that the launcher would wrongly look for in a registry. */
  private static final Pattern PACKED =
      Pattern.compile("(?i).*\\.(?:tar\\.\\w{2,3}|tgz|txz|tbz2?|sif|sqsh)");

  private ImageCheck() {}

  /**
   * What is wrong with the image's name; whether the image exists is checked on the nodes ({@link
   * JobImage}).
   *
   * @param setting of the sweep file with the image
   */
  static Optional<SetupProblem> of(String image, String setting) {
    if (image.endsWith(".tar")) {
      return image.startsWith("/")
          ? Optional.empty()
          : problem(
              "the image "
                  + image
                  + " is a file that the launcher looks for in the folder where the job begins; if"
                  + " it is not there, the launcher pulls it from a registry",
              "name it by its full path, which begins with /, by workload.launcher.DOCKER_IMAGE",
              setting);
    }
    if (isPath(image) || PACKED.matcher(image).matches()) {
      return problem(
          "the image "
              + image
              + (isPath(image) ? " is a path" : " is a file by its name")
              + ", and the launcher loads only files named .tar",
          "name a .tar file, or the image of a registry, by workload.launcher.DOCKER_IMAGE",
          setting);
    }
    if (NAME.matcher(image).matches()) {
      return Optional.empty();
    }
    String small = small(image);
    return NAME.matcher(small).matches()
        ? problem(
            "the image " + image + " has capital letters, which no registry takes in a name",
            "name it " + small + ", by workload.launcher.DOCKER_IMAGE",
            setting)
        : problem(
            "'" + image + "' is not the name of an image",
            "name it such as rocm/jax-training:maxtext-v26.2, by workload.launcher.DOCKER_IMAGE",
            setting);
  }

  private static boolean isPath(String image) {
    return image.startsWith("/") || image.startsWith("./");
  }

  /** The name in lower case; a tag keeps its capitals. */
  private static String small(String image) {
    int tag = image.indexOf(':', image.lastIndexOf('/') + 1);
    int end = tag < 0 ? image.length() : tag;
    return image.substring(0, end).toLowerCase(Locale.ROOT) + image.substring(end);
  }

  private static Optional<SetupProblem> problem(String found, String whatToDo, String setting) {
    return Optional.of(new SetupProblem(found, whatToDo, true, setting));
  }
}
