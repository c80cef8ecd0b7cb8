package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.Shell;
import io.nightsweep.sweep.Profile;
import io.nightsweep.workload.FlagScript;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The bash around a model's {@code configs/<MODEL>.env.sh} that makes a profile take effect. The
 * training script sources that file after {@code train_env.sh}, and XLA uses a flag's last value,
 * so a profile that is set earlier would be overridden by the deployed file.
 */
final class EnvBlock {
  static final String XLA_FLAGS = "XLA_FLAGS";
  static final String HASH = "NIGHTSWEEP_PROFILE_HASH";

  /** The flags of the profile's base, before the profile's own are appended. */
  static final String BASE_FLAGS = "NIGHTSWEEP_BASE_XLA_FLAGS";

  static final List<String> VARIABLES = List.of(XLA_FLAGS, HASH, BASE_FLAGS);

  private static final String BEGIN = "# >>> nightsweep: this copy belongs to one job";
  private static final String END = "# <<< nightsweep";

  private EnvBlock() {}

  /** The environment variables that a job's log must contain. */
  static Set<String> variables(Map<String, String> scheduled) {
    TreeSet<String> names = new TreeSet<>(scheduled.keySet());
    names.addAll(VARIABLES);
    return names;
  }

  /**
   * The model's env file with the profile's code around it.
   *
   * @param deployed the file's text, empty where the model has none
   * @param exports variables that do not go through the launcher's arguments
   * @param whereKnown settings that are passed on only if the installed MaxText has them
   * @param cache bash that configures the job's compilation cache
   */
  static String around(
      String deployed,
      Profile profile,
      Map<String, String> exports,
      SortedMap<String, String> whereKnown,
      String cache) {
    return BEGIN
        + "\n"
        + before(profile)
        + END
        + "\n"
        + deployed
        + (deployed.isEmpty() || deployed.endsWith("\n") ? "" : "\n")
        + BEGIN
        + "\n"
        + after(profile, exports)
        + InstalledMaxText.script(whereKnown, cache)
        + END
        + "\n";
  }

  /**
   * An env file that checks whether the build knows the flags, prints the settings that MaxText
   * has, and trains nothing. XLA reports all unknown flags at once.
   *
   * @param settings that MaxText accepts even without having them
   */
  static String probe(String deployed, Map<String, String> flags, List<String> settings) {
    return deployed
        + (deployed.isEmpty() || deployed.endsWith("\n") ? "" : "\n")
        + BEGIN
        + "\n"
        + InstalledMaxText.script(new TreeMap<>(), InstalledMaxText.settings(settings))
        + """
        nightsweep_flags=(%s)
        nightsweep_refusal="Couldn't interpret value [^[:cntrl:]]* for flag -*([A-Za-z0-9_]+)"
        while :; do
          nightsweep_code=0
          nightsweep_answer=$(XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }${nightsweep_flags[*]}" python3 -c \
            'import jax; print("nightsweep: probed", jax.jit(lambda x: x + 1)(1))' 2>&1) || nightsweep_code=$?
          # A value that cannot be parsed is its profile's own fault: the other flags are asked without it.
          [[ $nightsweep_answer =~ $nightsweep_refusal ]] || break
          printf '%%s\\n' "${BASH_REMATCH[0]}"
          nightsweep_left=()
          for nightsweep_word in "${nightsweep_flags[@]}"; do
            [[ $nightsweep_word == "--${BASH_REMATCH[1]}="* || $nightsweep_word == "--${BASH_REMATCH[1]}" ]] || nightsweep_left+=("$nightsweep_word")
          done
          ((${#nightsweep_left[@]} < ${#nightsweep_flags[@]})) || break
          nightsweep_flags=("${nightsweep_left[@]}")
        done
        printf '%%s\\n' "$nightsweep_answer"
        # Without the candidates' flags, which the build may refuse.
        python3 -c 'import jax; print("%s" + "XLA=" + " ".join(jax.devices()[0].client.platform_version.split()))' || :
        if [[ $nightsweep_answer == *" in XLA_FLAGS: "* ]]; then
          exit 0
        fi
        exit "$nightsweep_code"
        """
            .formatted(
                new TreeMap<>(flags)
                    .entrySet().stream()
                        .map(e -> Shell.quote(FlagScript.word(e.getKey(), e.getValue())))
                        .collect(Collectors.joining(" ")),
                InstalledMaxText.PROVENANCE)
        + END
        + "\n";
  }

  private static String before(Profile profile) {
    return switch (profile.base()) {
      case DEPLOYED -> "";
      case NO_ENV ->
          """
          declare -A nightsweep_before=()
          while IFS= read -r -d '' nightsweep_entry; do
            nightsweep_before["${nightsweep_entry%%=*}"]=${nightsweep_entry#*=}
          done < <(env -0)
          """;
    };
  }

  private static String after(Profile profile, Map<String, String> exports) {
    String restore =
        switch (profile.base()) {
          case DEPLOYED -> "";
          // Restores the image's defaults: undoes the file's exports one variable at a time.
          case NO_ENV ->
              """
              while IFS= read -r -d '' nightsweep_entry; do
                nightsweep_name=${nightsweep_entry%%=*}
                [[ $nightsweep_name =~ ^[A-Za-z_][A-Za-z0-9_]*$ && $nightsweep_name != _ ]] || continue
                if [[ -z ${nightsweep_before["$nightsweep_name"]+set} ]]; then
                  unset "$nightsweep_name"
                elif [[ ${nightsweep_before["$nightsweep_name"]} != "${nightsweep_entry#*=}" ]]; then
                  export "$nightsweep_name=${nightsweep_before["$nightsweep_name"]}"
                fi
              done < <(env -0)
              for nightsweep_name in "${!nightsweep_before[@]}"; do
                [[ $nightsweep_name =~ ^[A-Za-z_][A-Za-z0-9_]*$ && -z ${!nightsweep_name+set} ]] || continue
                export "$nightsweep_name=${nightsweep_before["$nightsweep_name"]}"
              done
              unset nightsweep_before nightsweep_entry nightsweep_name
              """;
        };
    return restore
        + "export "
        + BASE_FLAGS
        + "=\"${XLA_FLAGS:-}\"\n"
        + FlagScript.whole(profile.flags())
        + new TreeMap<>(exports)
            .entrySet().stream()
                .map(e -> "export " + e.getKey() + "=" + Shell.quote(e.getValue()) + "\n")
                .collect(Collectors.joining())
        + "export "
        + HASH
        + "="
        + Shell.quote(profile.hash())
        + "\n";
  }
}
