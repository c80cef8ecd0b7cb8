package io.nightsweep.workload.maxtext;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.files.Plain;
import io.nightsweep.files.SecretNames;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload.LaunchRequest;
import io.nightsweep.workload.Workload.SetupProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what is wrong before the first job is submitted. */
final class Preflight {
  /** A job name of the greatest length that a sweep uses. */
  private static final String LONG_JOB_NAME = "ns-" + "x".repeat(40) + "-t0000a1";

  /** Launcher variables that Nightsweep sets, with the setting to use instead. */
  private static final Map<String, String> OWN_SETTINGS =
      Map.of(
          "JOB_WORKSPACE", "outputs",
          "RAY", "ray",
          "STAGE_TIMEOUTS", "stageTimeouts");

  private static final String OWN_MAXTEXT = "workload/" + MaxTextSettings.MAXTEXT;

  private Preflight() {}

  static List<SetupProblem> of(SweepSpec spec) {
    MaxTextSettings settings = MaxTextSettings.of(spec);
    Path checkout = settings.checkout();
    Path submit = checkout.resolve("submit.sh");
    if (Files.isRegularFile(submit) && !Files.isExecutable(submit)) {
      return List.of(
          new SetupProblem(
              submit + " cannot be run",
              "make it executable: chmod +x " + submit,
              true,
              "workload/repository"));
    }
    if (!Files.isExecutable(submit)) {
      return List.of(
          new SetupProblem(
              "no submit.sh that can be run in " + checkout,
              "set workload.repository to the maxtext-slurm repository",
              true,
              "workload/repository"));
    }
    List<SetupProblem> problems = new ArrayList<>(new LauncherScripts(checkout).problems(settings));
    try {
      List<String> models = ModelFiles.models(checkout);
      if (!models.contains(spec.cell().model())) {
        return List.of(
            new SetupProblem(
                "there is no "
                    + checkout.resolve("configs").resolve(spec.cell().model() + ".gpu.yml"),
                models.isEmpty()
                    ? "the repository holds no configs/<model>.gpu.yml"
                    : "expected one of " + String.join(", ", models),
                true,
                "model",
                models));
      }
      Optional<SetupProblem> unreadable = unreadable(checkout, spec.cell().model());
      if (unreadable.isPresent()) {
        return List.of(unreadable.get());
      }
      ModelConfig config = ModelFiles.config(checkout, spec.cell().model());
      Optional<SetupProblem> cell = cell(spec, settings, config);
      if (cell.isPresent()) {
        return List.of(cell.get());
      }
      for (ConfigTag tag : spec.configTags()) {
        for (Profile profile : spec.profiles()) {
          trial(spec, settings, config, tag, profile).ifPresent(problems::add);
        }
      }
      launcher(settings).ifPresent(problems::add);
      outputs(spec, settings.outputs()).ifPresent(problems::add);
      lineEnds(checkout, spec.cell().model()).ifPresent(problems::add);
      tunedBefore(checkout).ifPresent(problems::add);
      image(settings).ifPresent(problems::add);
      if (settings.maxtext().isPresent()) {
        problems.addAll(maxtext(spec, settings, config, settings.maxtext().get()));
      }
    } catch (UnsupportedTrialException e) {
      problems.add(new SetupProblem(e.why(), "correct it", true, "model", List.of()));
    } catch (IOException e) {
      problems.add(
          new SetupProblem(
              checkout + " cannot be read: " + e.getMessage(), "check its permissions", true));
    }
    return problems;
  }

  /** Checks that need the hosts and Slurm. */
  static List<SetupProblem> of(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    MaxTextSettings settings = MaxTextSettings.of(spec);
    List<SetupProblem> problems =
        new ArrayList<>(
            LauncherHosts.missing(
                settings.checkout(), JobImage.of(settings), spec.cell().nodes(), submitHost));
    if (new LauncherGit(settings.checkout()).commit().isEmpty()) {
      problems.add(
          new SetupProblem(
              "git shows no commit of "
                  + settings.checkout()
                  + ", so no result can be tied to the launcher's code",
              "use a clone whose 'git log' works",
              false,
              "workload/repository"));
    }
    try {
      LaunchRequest any = request(spec, spec.configTags().getFirst(), spec.profiles().getFirst());
      new SubmissionCheck(settings, submitHost)
          .problem(Rendering.sbatch(spec, settings, any), spec.cell().nodes())
          .ifPresent(problems::add);
    } catch (UnsupportedTrialException e) {
      problems.add(new SetupProblem(e.why(), "correct it", true, "workload", List.of()));
    }
    return problems;
  }

  /** What every job of the cell needs; reported once instead of for each profile. */
  private static Optional<SetupProblem> cell(
      SweepSpec spec, MaxTextSettings settings, ModelConfig config) {
    if (config.with(settings.overrides()).getOrDefault(Rendering.PDBS, "").isEmpty()) {
      return Optional.of(
          new SetupProblem(
              "configs/" + spec.cell().model() + ".gpu.yml has no " + Rendering.PDBS,
              "find it by a batch-size sweep first, and set workload." + Rendering.PDBS,
              true,
              "model"));
    }
    return Axes.of(
            spec.cell().parallelism(),
            config.with(settings.overrides()),
            spec.cell().nodes().size(),
            settings.devicesPerNode())
        .problem()
        .map(
            problem ->
                new SetupProblem(
                    problem,
                    "expected axes that multiply to the nodes (FSDP, PP, DP) and to a node's"
                        + " devices (TP, EP, CP)",
                    true,
                    "parallelism"));
  }

  /**
   * Whether a profile can be rendered. Failure is fatal only for the baseline; any other profile
   * drops out later by itself.
   */
  private static Optional<SetupProblem> trial(
      SweepSpec spec,
      MaxTextSettings settings,
      ModelConfig config,
      ConfigTag tag,
      Profile profile) {
    try {
      Rendering.of(request(spec, tag, profile), settings, config);
      return Optional.empty();
    } catch (UnsupportedTrialException e) {
      return Optional.of(
          new SetupProblem(
              Statement.row(": ", Statement.words(profile.name() + " on " + tag.name()), e.why()),
              "correct the sweep file or the model's configuration",
              profile.isBaseline(),
              profile.isBaseline() ? "configTags/" + tag.name() : "profiles/" + profile.name(),
              List.of()));
    }
  }

  private static LaunchRequest request(SweepSpec spec, ConfigTag tag, Profile profile) {
    TrialId id = new TrialId(0);
    return new LaunchRequest(
        spec,
        new Trial(id, "preflight", 0, Trial.Purpose.SCREEN, profile.name(), tag.name(), 1),
        profile,
        tag,
        new AttemptId(id, 1),
        LONG_JOB_NAME,
        Path.of("/"));
  }

  /** A configuration that MaxText's YAML reader would reject. */
  private static Optional<SetupProblem> unreadable(Path checkout, String model) throws IOException {
    Path file = checkout.resolve("configs").resolve(model + ".gpu.yml");
    try (YAMLParser parser = new YAMLFactory().createParser(Files.readString(file))) {
      while (parser.nextToken() != null) {
        // Reads all tokens; only syntax errors matter.
      }
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.of(
          new SetupProblem(
              file + ":" + e.getLocation().getLineNr() + " is not YAML",
              "correct it: " + Plain.text(e.getOriginalMessage(), 200),
              true,
              "model"));
    }
  }

  /** A link without a target, which the launcher's {@code mkdir -p} cannot create. */
  private static Optional<SetupProblem> outputs(SweepSpec spec, Path outputs) throws IOException {
    return Files.isSymbolicLink(outputs) && !Files.exists(outputs)
        ? Optional.of(
            new SetupProblem(
                outputs
                    + " is a link to "
                    + Files.readSymbolicLink(outputs)
                    + ", which is not there",
                "make that folder, or name another by workload.outputs",
                true,
                spec.settings().containsKey("outputs")
                    ? "workload/outputs"
                    : "workload/repository"))
        : Optional.empty();
  }

  /** Finds Windows line ends: bash takes the carriage return as part of a line's last word. */
  private static Optional<SetupProblem> lineEnds(Path checkout, String model) {
    return Stream.of(
            "submit.sh",
            MaxTextWorkload.BATCH_SCRIPT,
            "_container.sh",
            "_train.sh",
            "container_env.sh",
            "train_env.sh",
            "configs/" + model + ".env.sh")
        .map(checkout::resolve)
        .filter(file -> LauncherHosts.text(file).contains("\r\n"))
        .findFirst()
        .map(
            file ->
                new SetupProblem(
                    file + " has the line ends of Windows, which bash takes for text",
                    "sed -i 's/\\r$//' " + file,
                    true,
                    "workload/repository"));
  }

  /** A variable that cannot be passed to the launcher, or that has a setting of its own. */
  private static Optional<SetupProblem> launcher(MaxTextSettings settings) {
    return settings.launcher().keySet().stream()
        .flatMap(name -> launcher(name).stream())
        .findFirst();
  }

  private static Optional<SetupProblem> launcher(String name) {
    String setting = "workload/launcher/" + name;
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      return Optional.of(
          new SetupProblem(
              "'" + name + "' is not the name of a variable",
              "expected variables that submit.sh reads, such as DOCKER_IMAGE",
              true,
              setting));
    }
    if (OWN_SETTINGS.containsKey(name)) {
      return Optional.of(
          new SetupProblem(
              name + " has a setting of its own",
              "set workload." + OWN_SETTINGS.get(name),
              true,
              setting));
    }
    return SecretNames.isSecret(name)
        ? Optional.of(
            new SetupProblem(
                "the variable " + name + " is named like a secret",
                "log in on the nodes once, for example by 'docker login': what is written here"
                    + " goes into journals and reports",
                true,
                setting))
        : Optional.empty();
  }

  private static Optional<SetupProblem> tunedBefore(Path checkout) throws IOException {
    Path env = checkout.resolve("train_env.sh");
    return Files.isRegularFile(env) && Files.readString(env).contains("TUNE_PROFILE")
        ? Optional.of(
            new SetupProblem(
                env + " holds a TUNE_PROFILE block of an earlier tuning",
                "remove it: every job of the sweep would inherit it",
                false))
        : Optional.empty();
  }

  /** What the MaxText checkout in the sweep file does not support. */
  private static List<SetupProblem> maxtext(
      SweepSpec spec, MaxTextSettings settings, ModelConfig config, Path checkout) {
    Optional<MaxTextSource> source = MaxTextSource.of(checkout);
    if (source.isEmpty()) {
      return List.of(
          new SetupProblem(
              "there is no MaxText in " + checkout,
              "name the folder that holds src/MaxText or src/maxtext, or remove the line",
              true,
              OWN_MAXTEXT));
    }
    List<SetupProblem> problems = new ArrayList<>();
    if (new LauncherScripts(settings.checkout()).callsMain() && !source.get().hasMain()) {
      problems.add(
          new SetupProblem(
              "the launcher calls main of MaxText.train, which the MaxText in "
                  + checkout
                  + " does not have: every job would end before its first step",
              "use an image with a MaxText from before 20 February 2026 (maxtext-v0.2.0), or a"
                  + " launcher that calls maxtext.trainers.pre_train.train",
              true,
              OWN_MAXTEXT));
    }
    Set<String> known = source.get().settings();
    if (!known.isEmpty()) {
      problems.addAll(
          new UnknownSettings(
                  known, MaxTextSource.always(config), "the MaxText in " + checkout, "correct it")
              .of(spec, settings));
    }
    return problems;
  }

  /** The same check with an earlier probe's findings, if the launcher would run the same image. */
  static Optional<List<SetupProblem>> unknownSettings(
      SweepSpec spec, List<Fact> inventory, Set<String> known, String whose) {
    MaxTextSettings settings = MaxTextSettings.of(spec);
    Set<Fact> image = Inventory.image(settings);
    if (settings.maxtext().isPresent()
        || image.isEmpty()
        || !image.equals(Inventory.image(inventory))) {
      return Optional.empty();
    }
    return Optional.of(
        new UnknownSettings(
                known,
                List.of(),
                "the MaxText that the probe job of " + whose + " asked",
                "correct it, or, where the image has changed since, name a checkout of its MaxText"
                    + " by workload.maxtext")
            .of(spec, settings));
  }

  private static Optional<SetupProblem> image(MaxTextSettings settings) {
    String name = "DOCKER_IMAGE";
    return settings.launcher().containsKey(name)
        ? ImageCheck.of(settings.launcher().get(name), "workload/launcher/" + name)
        : Inventory.variable(settings.checkout(), name)
            .flatMap(image -> ImageCheck.of(image, "workload/repository"));
  }
}
