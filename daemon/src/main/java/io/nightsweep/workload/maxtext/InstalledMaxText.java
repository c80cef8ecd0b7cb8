package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.Shell;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Bash that finds out what the MaxText in the job's image supports; it runs where the launcher
 * sources the model's env file. AMD's fork and upstream releases differ in their settings and
 * logger. Settings are passed on through {@code PASSTHROUGH_ARGS}, which the launcher gives to the
 * training after that file.
 */
final class InstalledMaxText {
  /** The prefix of a rank's metrics file in the job's own folder; the node's rank follows. */
  static final String METRICS = "nightsweep-metrics-";

  /** The prefix of a log line about the software in the job. */
  static final String PROVENANCE = "nightsweep: provenance ";

  /**
   * If {@code MAXTEXT_PATCH_BRANCH} names a branch, the launcher checks it out after the model's
   * env file; so this code fetches the branch and reads files from its commit. A variable in the
   * arguments takes precedence, as in the launcher.
   */
  private static final String DEFINITION =
      """
      nightsweep_commit=''
      nightsweep_word=${MAXTEXT_PATCH_BRANCH:-}
      if [[ $(declare -p EXTRACTED_ENV_MAP 2>/dev/null || :) == 'declare -A'* ]]; then
        nightsweep_word=${EXTRACTED_ENV_MAP[MAXTEXT_PATCH_BRANCH]:-$nightsweep_word}
      fi
      if [[ -n $nightsweep_word ]] &&
        GIT_TERMINAL_PROMPT=0 timeout 120 git -c safe.directory='*' fetch -q origin "$nightsweep_word" </dev/null 2>/dev/null; then
        nightsweep_commit=$(git -c safe.directory='*' rev-parse -q --verify "origin/$nightsweep_word^{commit}" || :)
      fi
      # A file of the MaxText that will run.
      nightsweep_read() {
        if [[ -n $nightsweep_commit && $nightsweep_package != /* ]]; then
          git -c safe.directory='*' show "$nightsweep_commit:./$nightsweep_package/$1" 2>/dev/null
        else
          cat "$nightsweep_package/$1" 2>/dev/null
        fi
      }
      for nightsweep_package in src/maxtext src/MaxText MaxText "$(python3 -c '
      import importlib.util
      for name in ("maxtext", "MaxText"):
        found = importlib.util.find_spec(name)
        for folder in (found.submodule_search_locations or []) if found else []:
          print(folder); raise SystemExit' 2>/dev/null || :)" ''; do
        [[ -z $nightsweep_package || -z $(nightsweep_read configs/base.yml) ]] || break
      done
      # A setting that nobody gave, where the installed MaxText has it.
      nightsweep_pass() {
        local word variable=M_${1^^}
        # Given by MaxText's own variable, beside which it takes no argument.
        [[ -z ${!variable+set} ]] || return 0
        [[ -n $nightsweep_package && $'\n'$(nightsweep_read configs/base.yml) == *$'\n'"$1:"* ]] || return 0
        for word in ${PASSTHROUGH_ARGS[@]+"${PASSTHROUGH_ARGS[@]}"}; do
          [[ $word != "$1="* ]] || return 0
        done
        PASSTHROUGH_ARGS+=("$1=$2")
        echo "nightsweep: the installed MaxText knows $1, which is set to $2"
      }
      """;

  /**
   * MaxText has logged through absl since 22 December 2025. If a launcher calls its main function
   * directly, absl prints only warnings and no steps; then the steps come from its metrics file.
   */
  private static final String STEPS =
      """
      if [[ -n $nightsweep_package && $(nightsweep_read max_logging.py || :; nightsweep_read utils/max_logging.py || :) == *absl* ]]; then
        # Where the job writes checkpoints, the launcher's OUTPUT_PATH is the model's folder and not the job's.
        nightsweep_word=${OUTPUT_PATH:-.}
        [[ -z ${JOB_DIR:-} || ! -d ${nightsweep_word%%/*}/$JOB_DIR ]] || nightsweep_word=${nightsweep_word%%/*}/$JOB_DIR
        nightsweep_pass metrics_file "$nightsweep_word/%s${NODE_RANK:-0}.jsonl"
      fi
      """
          .formatted(METRICS);

  private static final String VERSIONS =
      """
      {
        nightsweep_word=${nightsweep_commit:-}
        # A package elsewhere in a repository is a part of another project, whose commit is not MaxText's.
        if [[ -z $nightsweep_word && $(git -c safe.directory='*' -C "${nightsweep_package:-.}" rev-parse --show-prefix) =~ ^(src/)?(MaxText|maxtext)/$ ]]; then
          nightsweep_word=$(git -c safe.directory='*' -C "$nightsweep_package" rev-parse HEAD || :)
          nightsweep_changes=$(git --no-optional-locks -c safe.directory='*' -c core.fileMode=false -C "$nightsweep_package" diff HEAD -- . || :)
          [[ -z $nightsweep_changes ]] || printf '%1$sMaxText changes since=%%s\\n' "$(git hash-object --stdin <<<"$nightsweep_changes")"
          unset nightsweep_changes
        fi
        [[ -z $nightsweep_word ]] || printf '%1$sMaxText commit=%%s\\n' "$nightsweep_word"
        python3 -c '
      import importlib.metadata
      for d in sorted(importlib.metadata.distributions(), key=lambda d: str(d.metadata["Name"])):
        name = str(d.metadata["Name"])
        if name in ("jax", "jaxlib", "libtpu", "maxtext") or name.startswith(("jax-cuda", "jax-rocm")):
          print("%1$s" + name + "=" + d.version)' || :
        for nightsweep_word in /sys/module/amdgpu/version /proc/driver/nvidia/version; do
          [[ ! -r $nightsweep_word ]] || printf '%1$sdriver=%%s\\n' "$(head -n 1 "$nightsweep_word")"
        done
        for nightsweep_word in /sys/class/infiniband/*/fw_ver; do
          [[ ! -r $nightsweep_word ]] || printf '%1$sfirmware of the network=%%s\\n' "$(<"$nightsweep_word")"
        done
        nvidia-smi --query-gpu=vbios_version --format=csv,noheader </dev/null |
          sed -n '/^[0-9A-F.]*$/s/^/%1$sfirmware of the GPUs=/p' | sort -u || :
        cat /sys/class/drm/card*/device/vbios_version | sed 's/^/%1$sfirmware of the GPUs=/' | sort -u || :
      } 2>/dev/null
      """
          .formatted(PROVENANCE);

  /**
   * maxtext-slurm imports {@code MaxText.train} and calls its main function, but MaxText moved that
   * function to another module on 20 February 2026 (0.2.0). A script that names both modules checks
   * which one exists.
   */
  private static final String FITS =
      """
      for nightsweep_word in "${BASH_SOURCE[0]%/configs/*}"/utils/*.py; do
        if [[ -n $nightsweep_package ]] &&
          grep -qsE '^ *from MaxText import train\\b' "$nightsweep_word" && ! grep -qsF maxtext.trainers.pre_train "$nightsweep_word" &&
          [[ $'\\n'$(nightsweep_read train.py || :; nightsweep_package=${nightsweep_package%/*}/MaxText nightsweep_read train.py || :) != *$'\\n''def main('* ]]; then
          echo "nightsweep: the launcher calls main of MaxText.train, which the installed MaxText does not have"
          exit 1
        fi
      done
      """;

  private static final String END =
      """
      unset -f nightsweep_pass nightsweep_read
      unset nightsweep_package nightsweep_commit nightsweep_word
      """;

  private InstalledMaxText() {}

  /**
   * The whole script.
   *
   * @param whereKnown settings that are passed on if the installed MaxText has them
   * @param more bash that depends on the script, such as the cache's
   */
  static String script(SortedMap<String, String> whereKnown, String more) {
    StringBuilder bash = new StringBuilder(DEFINITION);
    whereKnown.forEach(
        (key, value) ->
            bash.append("nightsweep_pass ")
                .append(Shell.word(key))
                .append(' ')
                .append(Shell.word(value))
                .append('\n'));
    return bash.append(more).append(STEPS).append(VERSIONS).append(END).toString();
  }

  /**
   * For a probe, within the script: ends the job if launcher and MaxText do not fit, and prints the
   * settings that MaxText has. Pydantic's fields are in a separate file, some of them only there;
   * if MaxText has such fields elsewhere, nothing is printed.
   *
   * @param always further names that it accepts
   */
  static String settings(List<String> always) {
    return FITS
        + """
      nightsweep_word=$(nightsweep_read configs/types.py || :)
      if [[ -n $nightsweep_package && ${NODE_RANK:-0} == 0 ]] &&
        [[ -n $nightsweep_word || $(nightsweep_read pyconfig.py || :; nightsweep_read configs/pyconfig.py || :) != *pydantic* ]]; then
        mapfile -t nightsweep_names < <({
          printf '%%s\\n' %s
          nightsweep_read configs/base.yml | sed -nE 's/^([A-Za-z_][A-Za-z0-9_]*):.*/\\1/p'
          sed -nE 's/^  ([A-Za-z_][A-Za-z0-9_]*): .*/\\1/p' <<<"$nightsweep_word"
        } | LC_ALL=C sort -u)
        for ((nightsweep_word = 0; nightsweep_word < ${#nightsweep_names[@]}; nightsweep_word += 40)); do
          echo "%s${nightsweep_names[*]:nightsweep_word:40}"
        done
        echo "%s${#nightsweep_names[@]}"
        unset nightsweep_names
      fi
      """
            .formatted(
                always.stream().map(Shell::word).collect(Collectors.joining(" ")),
                SettingLines.NAMES,
                SettingLines.COUNT);
  }

  /**
   * A line of bash that prints the image's digest; it runs on the host after the run, when the
   * launcher has loaded or pulled the image.
   */
  static String imageScript() {
    return """
    (
      cd "${MAXTEXT_SLURM_DIR:-.}" || exit 0
      for nightsweep_word in . scripts; do
        [[ ! -r $nightsweep_word/container_env.sh ]] || source "$nightsweep_word/container_env.sh" >/dev/null || :
      done
      nightsweep_engine=$(source utils/docker_utils.sh >/dev/null && get_docker_bin || echo docker)
      if [[ ${DOCKER_IMAGE:-} == *.tar && -f $DOCKER_IMAGE ]]; then
        printf '%1$simage file=%%s of %%s\\n' "$DOCKER_IMAGE" "$(stat -c '%%s bytes, written %%y' "$DOCKER_IMAGE")"
      elif [[ -n ${DOCKER_IMAGE:-} ]]; then
        nightsweep_word=$(timeout 20 $nightsweep_engine image inspect --format '{{.Id}}' "$DOCKER_IMAGE" </dev/null)
        [[ ! $nightsweep_word =~ ^(sha256:)?[0-9a-f]{12,}$ ]] || printf '%1$simage digest=%%s\\n' "$nightsweep_word"
      fi
    ) 2>/dev/null || :\
    """
        .formatted(PROVENANCE);
  }
}
