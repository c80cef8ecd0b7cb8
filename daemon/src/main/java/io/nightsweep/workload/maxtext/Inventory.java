package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.UnsupportedTrialException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a cell inherits: the image and branch of {@code container_env.sh}, the settings of the
 * model's {@code gpu.yml} with the overrides of the sweep and the cell's axes, and the exports of
 * its env file.
 */
final class Inventory {
  /** The fact with the launcher's commit. */
  static final String COMMIT = "launcher commit";

  private static final int MOST_FILES = 12;

  private static final Map<String, String> NAMES =
      Map.of(
          "DOCKER_IMAGE", "image",
          "MAXTEXT_PATCH_BRANCH", "MaxText branch",
          "MAXTEXT_REPO_DIR", "MaxText directory");

  /** The settings that the procedure lists. */
  private static final Pattern SETTINGS =
      Pattern.compile(
          "base_config|per_device_batch_size|max_target_length|steps|dataset_type|remat_policy|sparse_matmul"
              + "|use_turbo_grouped_gemm|use_deepep_dispatch|capacity_factor|(dcn|ici)_\\w+_parallelism"
              + "|pipeline_parallel_layers|num_pipeline_microbatches|num_layers_per_pipeline_stage");

  private static final List<String> HEADLINES = List.of("max_target_length", "steps");

  private Inventory() {}

  /** The facts; an unreadable file is skipped. */
  static List<Fact> of(SweepSpec spec) {
    MaxTextSettings settings = MaxTextSettings.of(spec);
    Path checkout = settings.checkout();
    String model = spec.cell().model();
    List<Fact> facts = new ArrayList<>();
    facts.addAll(image(settings));
    facts.addAll(launcher(checkout));
    facts.add(new Fact("base config", "configs/" + model + ".gpu.yml", true));
    facts.add(
        new Fact(
            "earlier tuning",
            EarlierPage.of(spec)
                .map(p -> p.file().getFileName() + ", " + p.settings().size() + " settings")
                .orElse("fresh start"),
            true));
    SortedMap<String, String> values = config(checkout, model).with(settings.overrides());
    values.putAll(
        Axes.of(
                spec.cell().parallelism(),
                values,
                spec.cell().nodes().size(),
                settings.devicesPerNode())
            .overrides());
    values.putAll(MaxTextSettings.FIXED);
    values.forEach(
        (key, value) -> {
          if (SETTINGS.matcher(key).matches()) {
            facts.add(new Fact(key, value, HEADLINES.contains(key)));
          }
        });
    for (BashFile.Setting setting :
        read(checkout.resolve("configs").resolve(model + ".env.sh")).settings()) {
      // The sweep file's exports come later and take precedence.
      if (!settings.env().containsKey(setting.variable())) {
        facts.add(
            new Fact(
                model
                    + (setting.isCertain() && setting.isExported()
                        ? ".env.sh: "
                        : ".env.sh, not for every cell: ")
                    + setting.variable(),
                setting.written(),
                false));
      }
    }
    return facts;
  }

  private static ModelConfig config(Path checkout, String model) {
    try {
      return ModelFiles.config(checkout, model);
    } catch (IOException | UnsupportedTrialException e) {
      return ModelConfig.parse("");
    }
  }

  /** Which MaxText the jobs run; empty where only the launcher knows the image. */
  static Set<Fact> image(MaxTextSettings settings) {
    Map<String, String> variables = new LinkedHashMap<>(variables(settings.checkout()));
    variables.putAll(settings.launcher());
    Set<Fact> facts = new LinkedHashSet<>();
    variables.forEach(
        (name, value) -> {
          if (!value.isEmpty() && NAMES.containsKey(name)) {
            facts.add(new Fact(NAMES.getOrDefault(name, name), value, true));
          }
        });
    return facts;
  }

  /** The facts about the image in a sweep's inventory. */
  static Set<Fact> image(List<Fact> inventory) {
    return inventory.stream()
        .filter(fact -> NAMES.containsValue(fact.name()))
        .collect(Collectors.toSet());
  }

  /**
   * A variable of {@code container_env.sh}; empty where it is unset, set to nothing, set under a
   * condition, or composed of others.
   */
  static Optional<String> variable(Path checkout, String name) {
    return Optional.ofNullable(variables(checkout).get(name)).filter(value -> !value.isEmpty());
  }

  private static Map<String, String> variables(Path checkout) {
    return Stream.of("container_env.sh", "scripts/container_env.sh")
        .map(checkout::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .map(file -> read(file).values())
        .orElse(Map.of());
  }

  private static BashFile read(Path file) {
    return BashFile.parse(text(file), name -> text(file.resolveSibling(name)));
  }

  /** The launcher's commit, and the files that differ from it. */
  static List<Fact> launcher(Path checkout) {
    LauncherGit git = new LauncherGit(checkout);
    List<Fact> facts = new ArrayList<>();
    git.commit().ifPresent(commit -> facts.add(new Fact(COMMIT, commit, true)));
    List<String> changed = facts.isEmpty() ? List.of() : git.changed();
    if (!changed.isEmpty()) {
      int more = changed.size() - MOST_FILES;
      facts.add(
          new Fact(
              "launcher files changed since",
              String.join(", ", changed.subList(0, Math.min(MOST_FILES, changed.size())))
                  + (more > 0 ? " and " + more + " more" : ""),
              true));
    }
    return facts;
  }

  private static String text(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return "";
    }
  }
}
