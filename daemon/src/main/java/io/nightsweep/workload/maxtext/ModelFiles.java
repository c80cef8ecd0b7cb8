package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.Shell;
import io.nightsweep.files.OwnFile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload.LaunchRequest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A model's two files in {@code configs/}. */
final class ModelFiles {
  private static final String CONFIG = ".gpu.yml";

  /** The setting by which one configuration inherits from another. */
  static final String BASE = "base_config";

  /**
   * A deployed file may look for the configuration that has its own name, as maxtext-slurm's do:
   * {@code ${BASH_SOURCE[0]%.env.sh}.gpu.yml}.
   */
  private static final String DEPLOYED = ".deployed";

  private static final String ENV = ".env.sh";

  /** Limit on the chain of inheriting files: no real chain is as long, and a cycle ends here. */
  private static final int MOST_PARENTS = 8;

  private ModelFiles() {}

  /**
   * The model's configuration, with values inherited from other files of the checkout. MaxText
   * looks for {@code base_config} first beside the file and then among its own files; the values of
   * these are unknown here.
   *
   * @throws UnsupportedTrialException where there is none, with the list of models
   */
  static ModelConfig config(Path checkout, String model)
      throws IOException, UnsupportedTrialException {
    Path file = checkout.resolve("configs").resolve(model + CONFIG);
    if (!Files.isRegularFile(file)) {
      List<String> models = models(checkout);
      throw new UnsupportedTrialException(
          models.isEmpty()
              ? Statement.phrase("unsupported-no-file", file)
              : Statement.phrase("unsupported-model", file, String.join(", ", models)));
    }
    return read(checkout, file, MOST_PARENTS);
  }

  private static ModelConfig read(Path checkout, Path file, int parents) throws IOException {
    ModelConfig own = ModelConfig.parse(text(file));
    Optional<Path> parent = parent(checkout, file, own.values().getOrDefault(BASE, ""));
    return parents == 0 || parent.isEmpty()
        ? own
        : own.over(read(checkout, parent.get(), parents - 1));
  }

  /**
   * The parent's path; empty where it is outside the checkout, since jobs get a copy of nothing
   * else.
   */
  private static Optional<Path> parent(Path checkout, Path file, String named) {
    try {
      return Optional.of(file.resolveSibling(named).normalize())
          .filter(path -> path.startsWith(checkout.normalize()) && Files.isRegularFile(path));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not UTF-8", e);
    }
  }

  /** The two files, relative to the checkout. */
  static Stream<String> names(String model) {
    return Stream.of("configs/" + model + CONFIG, "configs/" + model + ENV);
  }

  static String env(Path checkout, String model) throws IOException {
    Path file = checkout.resolve("configs").resolve(model + ENV);
    return Files.isRegularFile(file) ? Files.readString(file) : "";
  }

  /** Changes the attempt's own copy so that its job runs with the profile. */
  static void prepare(
      Path repository, ModelConfig config, Rendering rendering, LaunchRequest request)
      throws IOException {
    String model = request.spec().cell().model();
    Path configs = repository.resolve("configs");
    String original = env(repository, model);
    String deployed = "";
    if (!original.isEmpty()) {
      // The original goes to a separate file, since a 'return' in it would otherwise also end the
      // code that follows.
      String name = model + DEPLOYED + ENV;
      write(configs.resolve(name), original);
      Path beside = configs.resolve(model + DEPLOYED + CONFIG);
      Files.deleteIfExists(beside);
      Files.createSymbolicLink(beside, Path.of(model + CONFIG));
      deployed = "source \"${BASH_SOURCE[0]%/*}/\"" + Shell.quote(name) + "\n";
    }
    write(
        configs.resolve(model + ENV),
        request.trial().purpose() == Trial.Purpose.PROBE
            ? EnvBlock.probe(
                deployed,
                MaxTextWorkload.candidateFlags(request.spec()),
                MaxTextSource.always(config))
            : EnvBlock.around(
                deployed,
                request.profile(),
                rendering.exports(),
                rendering.whereKnown(),
                rendering.cache().script(request)));
    if (!rendering.configChanges().isEmpty()) {
      write(configs.resolve(model + CONFIG), config.textWith(rendering.configChanges()));
    }
  }

  /**
   * Writes a file for everyone who can read the checkout: a launcher's container may run as another
   * user.
   */
  static void write(Path file, String text) throws IOException {
    OwnFile.writeShared(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The models that have a configuration, in alphabetical order. */
  static List<String> models(Path checkout) throws IOException {
    Path configs = checkout.resolve("configs");
    if (!Files.isDirectory(configs)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(configs)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(CONFIG))
          .map(name -> name.substring(0, name.length() - CONFIG.length()))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
