package io.nightsweep.workload.maxtext;

import io.nightsweep.measure.Window;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.TaskSettings;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.LaunchRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one attempt submits, and what goes through files instead of the launcher's arguments because
 * the job's name has no room for it.
 *
 * @param configChanges to the model's configuration, in the attempt's own copy
 * @param exports of the environment, in the attempt's own copy of the model's env file
 * @param whereKnown settings that not every MaxText has, passed on if the installed one does
 */
record Rendering(
    SubmitCommand command,
    SortedMap<String, String> configChanges,
    SortedMap<String, String> exports,
    SortedMap<String, String> whereKnown,
    CompileCache cache,
    int steps,
    Window window) {
  /**
   * A setting of AMD's fork. It is raised since a busy node misses heartbeats without being lost.
   */
  private static final String HEARTBEAT = "jax_distributed_heartbeat_timeout_seconds";

  static final String PDBS = "per_device_batch_size";
  private static final String ENABLE_DUMP = "ENABLE_XLA_DUMP";
  private static final int MOST_ALIAS = 24;

  /** Profiles steps 10 to 12 of the evidence run, so that steps 5 to 9 stay undisturbed. */
  private static final Map<String, String> PROFILER =
      Map.of(
          "profiler", "xplane",
          "skip_first_n_steps_for_profiler", "10",
          "profiler_steps", "3");

  static Rendering of(LaunchRequest request, MaxTextSettings settings, ModelConfig config)
      throws UnsupportedTrialException {
    SweepSpec spec = request.spec();
    Trial.Purpose purpose = request.trial().purpose();
    LinkedHashMap<String, String> constant = new LinkedHashMap<>();
    constant.put(PDBS, batchSize(settings, config));
    Axes axes =
        Axes.of(
            spec.cell().parallelism(),
            config.with(settings.overrides()),
            spec.cell().nodes().size(),
            settings.devicesPerNode());
    if (axes.problem().isPresent()) {
      throw new UnsupportedTrialException(Statement.words(axes.problem().get()));
    }
    constant.putAll(axes.overrides());
    constant.putAll(trainings(settings.overrides()));
    constant.putAll(request.configTag().overrides());

    LinkedHashMap<String, String> own = new LinkedHashMap<>(fixed(request));
    own.putAll(request.profile().overrides());
    OptionalInt few = spec.shortSteps(request.trial());
    TreeMap<String, String> env = new TreeMap<>(settings.env());
    env.putAll(request.profile().env());
    if (purpose == Trial.Purpose.EVIDENCE) {
      own.putAll(PROFILER);
    }
    if (purpose == Trial.Purpose.EVIDENCE || leavesProgram(request, settings)) {
      env.put(ENABLE_DUMP, "1");
    }
    own.keySet().forEach(constant::remove);
    check(request, constant, own, env);
    SortedMap<String, String> effective = config.with(constant);
    effective.putAll(own);
    int steps = number(effective, "steps", MaxTextSettings.WHOLE_STEPS);
    if (few.isPresent() && !effective.getOrDefault("profiler", "").isEmpty()) {
      throw new UnsupportedTrialException(Statement.phrase("unsupported-profiler", few.getAsInt()));
    }
    TreeMap<String, String> whereKnown = new TreeMap<>();
    if (purpose != Trial.Purpose.VALIDATE && MaxTextSettings.wouldWriteCheckpoints(effective)) {
      whereKnown.put(MaxTextSettings.CHECKPOINTS, "false");
    }
    if (!effective.containsKey(HEARTBEAT)) {
      whereKnown.put(HEARTBEAT, "99999");
    }
    return fitted(
        request,
        sbatch(spec, settings, request),
        constant,
        own,
        env,
        whereKnown,
        CompileCache.of(request, settings, effective, env),
        steps,
        window(effective, steps));
  }

  /**
   * Shortens the job's name by moving settings that all jobs share into the attempt's own files.
   */
  private static Rendering fitted(
      LaunchRequest request,
      List<String> sbatch,
      SequencedMap<String, String> constant,
      SequencedMap<String, String> own,
      SortedMap<String, String> env,
      SortedMap<String, String> whereKnown,
      CompileCache cache,
      int steps,
      Window window)
      throws UnsupportedTrialException {
    TreeMap<String, String> exports = new TreeMap<>();
    LinkedHashMap<String, String> words = new LinkedHashMap<>();
    env.forEach(
        (name, value) -> {
          if (SubmitCommand.unfit(name, value).isPresent()) {
            exports.put(name, value);
          } else {
            words.put(SubmitCommand.ENV + name, value);
          }
        });
    String model = request.spec().cell().model();
    String tag = alias(request.profile()) + "." + request.jobName();
    SubmitCommand whole =
        new SubmitCommand(model, tag, sbatch, joined(List.of(own, constant, words)));
    if (whole.jobNameBytes() <= SubmitCommand.MOST_NAME_BYTES) {
      return new Rendering(whole, new TreeMap<>(), exports, whereKnown, cache, steps, window);
    }
    SubmitCommand shorter = new SubmitCommand(model, tag, sbatch, joined(List.of(own, words)));
    if (shorter.jobNameBytes() <= SubmitCommand.MOST_NAME_BYTES) {
      return new Rendering(
          shorter, new TreeMap<>(constant), exports, whereKnown, cache, steps, window);
    }
    SubmitCommand shortest = new SubmitCommand(model, tag, sbatch, own);
    if (shortest.jobNameBytes() <= SubmitCommand.MOST_NAME_BYTES) {
      exports.putAll(env);
      return new Rendering(
          shortest, new TreeMap<>(constant), exports, whereKnown, cache, steps, window);
    }
    throw new UnsupportedTrialException(
        Statement.phrase(
            "unsupported-name", shortest.jobNameBytes(), SubmitCommand.MOST_NAME_BYTES));
  }

  /**
   * Whether the job leaves its program. The dump is one text, written while the step compiles, so
   * that no step is slower.
   */
  static boolean leavesProgram(LaunchRequest request, MaxTextSettings settings) {
    return settings.comparesPrograms()
        && request.spec().tellsProgram(request.trial(), request.profile());
  }

  private static String batchSize(MaxTextSettings settings, ModelConfig config)
      throws UnsupportedTrialException {
    String size = config.with(settings.overrides()).getOrDefault(PDBS, "");
    if (size.isEmpty()) {
      throw new UnsupportedTrialException(Statement.phrase("unsupported-batch", PDBS, PDBS));
    }
    return size;
  }

  private static Map<String, String> fixed(LaunchRequest request) {
    if (request.trial().purpose() != Trial.Purpose.VALIDATE) {
      return new TreeMap<>(MaxTextSettings.fixed(steps(request))).descendingMap();
    }
    return request.validation();
  }

  private static int steps(LaunchRequest request) {
    return request.spec().shortSteps(request.trial()).orElse(MaxTextSettings.WHOLE_STEPS);
  }

  private static Map<String, String> trainings(Map<String, String> overrides) {
    TreeMap<String, String> kept = new TreeMap<>(overrides);
    kept.keySet().removeIf(key -> key.startsWith(Workload.VALIDATION));
    return kept;
  }

  private static void check(
      LaunchRequest request,
      Map<String, String> constant,
      Map<String, String> own,
      Map<String, String> env)
      throws UnsupportedTrialException {
    if (env.containsKey(EnvBlock.XLA_FLAGS)) {
      throw new UnsupportedTrialException(
          Statement.phrase("unsupported-xla-flags", request.profile().name()));
    }
    for (Map<String, String> part : List.of(constant, own)) {
      for (Map.Entry<String, String> e : part.entrySet()) {
        Optional<String> unfit = SubmitCommand.unfit(e.getKey(), e.getValue());
        if (unfit.isEmpty() && request.trial().purpose() != Trial.Purpose.VALIDATE) {
          unfit =
              MaxTextSettings.breaksRule(
                  e.getKey(), e.getValue(), MaxTextSettings.fixed(steps(request)));
        }
        if (unfit.isPresent()) {
          throw new UnsupportedTrialException(Statement.words(unfit.get()));
        }
      }
    }
  }

  /**
   * Options that all workloads' jobs use, followed by the sweep file's own, which take precedence.
   */
  static List<String> sbatch(SweepSpec spec, MaxTextSettings settings, LaunchRequest request)
      throws UnsupportedTrialException {
    List<String> words = new ArrayList<>(List.of("--exclusive", "--ntasks-per-node=1"));
    words.addAll(TaskSettings.of(spec.settings()).slurmOptions());
    if (spec.settings().getOrDefault(TaskSettings.GPUS, "").equals("0")) {
      // The launcher's script requests GPUs per node itself.
      words.add("--gpus-per-task=0");
    }
    words.addAll(settings.sbatch());
    spec.cell().partition().ifPresent(p -> words.add("--partition=" + p));
    words.add("--nodes=" + spec.cell().nodes().size());
    words.add("--nodelist=" + String.join(",", spec.cell().nodes()));
    words.add("--time=" + Math.max(1, Math.ceilDiv(request.timeLimit().toSeconds(), 60)));
    words.add("--no-requeue");
    words.add("--comment=" + request.jobName());
    return words;
  }

  /** The window, chosen from the profiler's settings: disturbed steps are never averaged. */
  private static Window window(Map<String, String> effective, int steps)
      throws UnsupportedTrialException {
    boolean on = !effective.getOrDefault("profiler", "").isEmpty();
    try {
      return Window.fromProfiler(
          number(effective, "skip_first_n_steps_for_profiler", 1),
          on ? number(effective, "profiler_steps", 5) : 0,
          steps);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedTrialException(Statement.words(String.valueOf(e.getMessage())));
    }
  }

  private static String alias(Profile profile) {
    String name = profile.name().replaceAll("[^A-Za-z0-9+_-]", "-");
    return name.length() > MOST_ALIAS ? name.substring(0, MOST_ALIAS) : name;
  }

  private static SequencedMap<String, String> joined(List<SequencedMap<String, String>> parts) {
    LinkedHashMap<String, String> all = new LinkedHashMap<>();
    parts.forEach(all::putAll);
    return all;
  }

  private static int number(Map<String, String> settings, String key, int otherwise) {
    String value = settings.getOrDefault(key, "");
    return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : otherwise;
  }
}
