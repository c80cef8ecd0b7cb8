package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.TaskSettings;
import io.nightsweep.workload.Workload;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A sweep file's settings for a MaxText cell. Nightsweep's own settings are in camelCase; all
 * others are MaxText's and are passed to the training unchanged.
 *
 * @param checkout the maxtext-slurm repository, root or scripts folder, its links resolved
 * @param outputs where the launcher puts logs and folders
 * @param ray whether the launcher should train through Ray
 * @param maxtext a checkout of the image's MaxText, if one can be read
 * @param sbatch further arguments of {@code sbatch}
 * @param launcher variables that {@code submit.sh} and its scripts read, such as {@code
 *     DOCKER_IMAGE} and {@code SBATCH_ACCOUNT}
 * @param devicesPerNode needed where the model's own axes do not determine it
 * @param delivers whether the report, its translation and the patch are put into the checkout
 * @param comparesPrograms whether the first job of a profile leaves its program, if the HLO shows
 *     all of the profile's effect
 * @param compilesOnce whether repeated runs of a profile reuse what its first run compiled
 * @param env exported last in every job of the sweep
 * @param overrides of the model's configuration in every job
 */
record MaxTextSettings(
    Path checkout,
    Path outputs,
    boolean ray,
    Optional<Path> maxtext,
    List<String> sbatch,
    Optional<String> stageTimeouts,
    SortedMap<String, String> launcher,
    OptionalInt devicesPerNode,
    boolean delivers,
    boolean comparesPrograms,
    boolean compilesOnce,
    SortedMap<String, String> env,
    SortedMap<String, String> overrides) {
  static final String REPOSITORY = "repository";
  static final String MAXTEXT = "maxtext";
  private static final String ENV = "env.";
  private static final String LAUNCHER = "launcher.";

  /** Nightsweep's own settings that are true or false. */
  static final List<String> SWITCHES =
      List.of("ray", "deliverReport", "comparePrograms", "compileOnce");

  static final Set<String> OWN = new TreeSet<>(TaskSettings.NAMES);

  static {
    OWN.addAll(SWITCHES);
    OWN.addAll(
        List.of(
            REPOSITORY,
            MAXTEXT,
            "outputs",
            "sbatch",
            "stageTimeouts",
            "launcher",
            "devicesPerNode",
            SweepSpec.SCREENING_STEPS,
            "env",
            "validation",
            Workload.VALIDATION_MINUTES));
  }

  /** Steps of each job, except short jobs requested by a sweep file. */
  static final int WHOLE_STEPS = 15;

  /**
   * MaxText's default is true. But a run that finds another run's checkpoint continues after its
   * last step, and the launcher puts the output of a run with checkpoints into the model's folder.
   */
  static final String CHECKPOINTS = "enable_checkpointing";

  /** A run that begins with a checkpoint cannot be started with checkpoints switched off. */
  private static final Set<String> LOADED = Set.of("load_parameters_path", "load_full_state_path");

  /** Whether a run with these settings writes checkpoints but does not need one to begin. */
  static boolean wouldWriteCheckpoints(SortedMap<String, String> settings) {
    return !isOff(settings.getOrDefault(CHECKPOINTS, ""))
        && LOADED.stream().allMatch(key -> settings.getOrDefault(key, "").isEmpty());
  }

  /** Whether YAML reads the value as false. */
  private static boolean isOff(String value) {
    return value.matches("(?i)false|no|off|0");
  }

  /** What every tuning run sets. */
  static final Map<String, String> FIXED = fixed(WHOLE_STEPS);

  /** The same for a job with this many steps. */
  static Map<String, String> fixed(int steps) {
    return Map.of("steps", Integer.toString(steps), "dataset_type", "synthetic");
  }

  /**
   * MaxText's own one-word settings, which would otherwise look like misspelt Nightsweep settings.
   */
  static final Set<String> WORDS =
      Set.of(
          "attention",
          "context",
          "debug",
          "dtype",
          "enable",
          "engram",
          "hardware",
          "lora",
          "megablox",
          "mlpwi",
          "mlpwo",
          "moba",
          "mscale",
          "mtp",
          "optimizer",
          "packing",
          "profiler",
          "quantization",
          "remat",
          "shardy",
          "steps");

  static MaxTextSettings of(SweepSpec spec) {
    SortedMap<String, String> s = spec.settings();
    Path named = Path.of(s.getOrDefault(REPOSITORY, "")).toAbsolutePath().normalize();
    TreeMap<String, String> env = new TreeMap<>();
    TreeMap<String, String> launcher = new TreeMap<>();
    TreeMap<String, String> overrides = new TreeMap<>();
    s.forEach(
        (key, value) -> {
          if (key.startsWith(ENV)) {
            env.put(key.substring(ENV.length()), value);
          } else if (key.startsWith(LAUNCHER)) {
            launcher.put(key.substring(LAUNCHER.length()), value);
          } else if (!OWN.contains(key)) {
            overrides.put(key, value);
          }
        });
    String devices = s.getOrDefault("devicesPerNode", "");
    return new MaxTextSettings(
        PrivateCheckout.real(named),
        s.containsKey("outputs")
            ? Path.of(s.get("outputs")).toAbsolutePath().normalize()
            : named.resolve("outputs"),
        !s.getOrDefault("ray", "true").equals("false"),
        Optional.ofNullable(s.get(MAXTEXT)).map(p -> Path.of(p).toAbsolutePath().normalize()),
        Arrays.stream(s.getOrDefault("sbatch", "").split("\\s+"))
            .filter(w -> !w.isEmpty())
            .toList(),
        Optional.ofNullable(s.get("stageTimeouts")),
        launcher,
        devices.matches("[1-9][0-9]{0,3}")
            ? OptionalInt.of(Integer.parseInt(devices))
            : OptionalInt.empty(),
        s.getOrDefault("deliverReport", "false").equals("true"),
        !s.getOrDefault("comparePrograms", "true").equals("false"),
        !s.getOrDefault("compileOnce", "true").equals("false"),
        env,
        overrides);
  }

  /** Whether a key can be a setting of MaxText: it has several words, or is a known single word. */
  static boolean isMaxTexts(String key) {
    return key.matches("[a-z][a-z0-9]*(_[a-z0-9]+)++") || WORDS.contains(key);
  }

  /** Rejects other values for the fixed settings: only with equal ones are runs comparable. */
  static Optional<String> breaksRule(String key, String value) {
    return key.equals(CHECKPOINTS) && !isOff(value)
        ? Optional.of(key + "=" + value + ", where no tuning run writes checkpoints; leave it out")
        : breaksRule(key, value, FIXED);
  }

  static Optional<String> breaksRule(String key, String value, Map<String, String> fixed) {
    String must = fixed.get(key);
    return must == null || must.equals(value)
        ? Optional.empty()
        : Optional.of(key + "=" + value + ", where every tuning run has " + key + "=" + must);
  }
}
