package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.Shell;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload.LaunchRequest;
import java.util.Map;

/**
 * How a job uses JAX's persistent compilation cache, which also holds XLA's autotuned choices. Each
 * profile of a sweep has its own folder below the launcher's outputs, which containers can see.
 */
enum CompileCache {
  /** The cache as configured by the image, the launcher and the sweep file. */
  AS_IT_IS,

  /** The job always compiles, since its compilation is examined. */
  OFF,

  /** The job compiles into its profile's folder, which is emptied first. */
  FILL,

  /** The job reuses what an earlier job of its profile compiled. */
  USE;

  static final String SETTING = "jax_cache_dir";

  private static final String FOLDER = ".nightsweep-cache";
  private static final String VARIABLE = "JAX_COMPILATION_CACHE_DIR";
  private static final String SWITCH = "JAX_ENABLE_COMPILATION_CACHE";

  /**
   * Chooses the mode. Fresh runs behave like an ordinary start of the training: each compiles and
   * autotunes by itself, so the published interval includes the variation from autotuning.
   *
   * @param effective MaxText's settings in this job, as far as files and arguments show
   * @param env that the job exports
   */
  static CompileCache of(
      LaunchRequest request,
      MaxTextSettings settings,
      Map<String, String> effective,
      Map<String, String> env) {
    Trial.Purpose purpose = request.trial().purpose();
    boolean showsProgram =
        purpose == Trial.Purpose.EVIDENCE || Rendering.leavesProgram(request, settings);
    boolean ownChoice =
        !effective.getOrDefault(SETTING, "").isEmpty()
            || env.containsKey(VARIABLE)
            || env.containsKey(SWITCH);
    boolean repeats = purpose == Trial.Purpose.CONTROL || purpose == Trial.Purpose.SCREEN;
    if (!settings.compilesOnce() || ownChoice || !repeats) {
      return showsProgram && !env.containsKey(SWITCH) ? OFF : AS_IT_IS;
    }
    return showsProgram || request.trial().repetition() == 1 ? FILL : USE;
  }

  /** Bash that follows the model's env file, where {@code nightsweep_pass} is defined. */
  String script(LaunchRequest request) {
    return switch (this) {
      case AS_IT_IS -> "";
      case OFF -> "export " + SWITCH + "=false\n";
      case FILL ->
          passed(
              request,
              "[[ ${GLOBAL_RANK:-${NODE_RANK:-0}} != 0 ]] || rm -rf \"$nightsweep_word\"\n  ");
      case USE -> passed(request, "");
    };
  }

  /**
   * Passes the folder after checking it: JAX executes what it finds there, and launchers let
   * everybody write to their outputs.
   */
  private static String passed(LaunchRequest request, String first) {
    String sweep = request.jobName().replaceFirst("-" + request.attempt() + "$", "");
    return """
        if [[ -z ${%s:-} ]]; then
          nightsweep_word="${OUTPUT_PATH%%/*}/%s-$UID"/%s
          if [[ ! -L $nightsweep_word && ! -L ${nightsweep_word%%/*} && ! -L ${nightsweep_word%%/*/*} ]] &&
            { %s(umask 077; mkdir -p "$nightsweep_word"); } &&
            [[ -O $nightsweep_word && -O ${nightsweep_word%%/*} && -O ${nightsweep_word%%/*/*} ]]; then
            nightsweep_pass %s "$nightsweep_word"
          else
            echo "nightsweep: this job compiles by itself: $nightsweep_word cannot be made, is a link, or is another user's"
          fi
        fi
        """
        .formatted(
            VARIABLE,
            FOLDER,
            Shell.quote(
                "%s/%s-%s".formatted(sweep, request.profile().hash(), request.configTag().name())),
            first,
            SETTING);
  }
}
