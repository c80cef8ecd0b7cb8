package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.files.Unseen;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.Workload.SetupProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The starting sweep file with values from a checkout. */
final class StartingFile {
  private static final int MODELS_SHOWN = 30;

  private static final Map<String, String> WITHOUT_CHECKOUT =
      Map.of(
          "model", "deepseek3-671b",
          "models", "",
          "repository", "/maxtext-slurm",
          "ray", "true",
          "image", "",
          "playbook", "maxtext-rocm");

  private StartingFile() {}

  static StartingValues of(Optional<Path> repository, CommandRunner submitHost)
      throws InterruptedException {
    if (repository.isEmpty()) {
      return new StartingValues(new TreeMap<>(WITHOUT_CHECKOUT), List.of());
    }
    Path checkout = repository.get().toAbsolutePath().normalize();
    List<SetupProblem> problems = new ArrayList<>();
    TreeMap<String, String> values = new TreeMap<>(WITHOUT_CHECKOUT);
    if (!Files.isExecutable(checkout.resolve("submit.sh"))) {
      problems.add(
          new SetupProblem(
              "no submit.sh that can be run in " + checkout,
              "name the maxtext-slurm repository",
              true));
      return new StartingValues(values, problems);
    }
    List<String> models = models(checkout, problems);
    if (!models.isEmpty()) {
      values.put("model", models.getFirst());
      values.put(
          "models",
          models.size() == 1
              ? ""
              : "# The repository has: "
                  + String.join(", ", models.subList(0, Math.min(MODELS_SHOWN, models.size())))
                  + (models.size() > MODELS_SHOWN ? ", ..." : "")
                  + "\n");
    }
    values.put("repository", yaml(checkout.toString()));
    values.put("ray", Boolean.toString(Files.exists(checkout.resolve("_train_with_ray.sh"))));
    Optional<String> image = Inventory.variable(checkout, "DOCKER_IMAGE");
    image.ifPresent(
        name -> {
          String playbook = isNvidias(name) ? "maxtext-cuda" : "maxtext-rocm";
          values.put(
              "image",
              "  # The image of container_env.sh: %s\n  # By its name the playbook below is %s; with GPUs of the other kind name the other one.\n"
                  .formatted(name, playbook));
          values.put("playbook", playbook);
          ImageCheck.of(name, "").ifPresent(problems::add);
        });
    problems.addAll(LauncherHosts.missing(checkout, JobImage.of(checkout), List.of(), submitHost));
    return new StartingValues(values, problems);
  }

  private static List<String> models(Path checkout, List<SetupProblem> problems) {
    try {
      List<String> models =
          ModelFiles.models(checkout).stream()
              .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]*"))
              .toList();
      if (models.isEmpty()) {
        problems.add(
            new SetupProblem(
                "there is no configs/<model>.gpu.yml in " + checkout,
                "write the model's configuration first: it is what the sweep tunes",
                true));
      }
      return models;
    } catch (IOException e) {
      problems.add(
          new SetupProblem(
              checkout + " cannot be read: " + e.getMessage(), "check its permissions", true));
      return List.of();
    }
  }

  private static String yaml(String path) {
    return path.matches("[A-Za-z0-9/._-]+")
        ? path
        : "'" + Unseen.onOneLine(path).replace("'", "''") + "'";
  }

  private static boolean isNvidias(String image) {
    String name = image.toLowerCase(Locale.ROOT);
    return name.contains("nvidia") || name.contains("cuda") || name.contains("nvcr.io");
  }
}
