package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.Shell;
import io.nightsweep.workload.Deployment;
import io.nightsweep.workload.FlagScript;
import io.nightsweep.workload.PlainDeployment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A patch for {@code configs/<model>.env.sh}: bash that selects a recipe by topology and config
 * tag, from the model's gpu.yml as overridden by the passthrough arguments. It checks every axis of
 * the configuration, since a recipe holds only on the topology on which it was measured. Sourcing
 * it again adds nothing.
 */
final class EnvPatch implements Deployment {
  /** All MaxText axes default to 1, except one for each network. */
  private static final Map<String, String> OPEN_BY_DEFAULT = Map.of("ici_fsdp_parallelism", "-1");

  /** Form of MaxText's setting names. */
  private static final String SETTING = "[A-Za-z_][A-Za-z0-9_]*";

  private static final String PRELUDE =
      """
      # The lines of a configuration; those that it inherits from a file beside it come before its own.
      _nightsweep_lines() {
        local line parent=''
        [[ -f $1 && -r $1 ]] || return 0
        while IFS= read -r line || [[ -n $line ]]; do
          [[ $line != base_config:* ]] || parent=${line#*:}
        done < "$1"
        parent=${parent%% #*} parent=${parent#\"${parent%%[![:space:]]*}\"} parent=${parent%\"${parent##*[![:space:]]}\"}
        parent=${parent#[\\"\\']} parent=${parent%[\\"\\']}
        [[ -z $parent || $parent == /* ]] || parent=${1%/*}/$parent
        (($2 == 0)) || _nightsweep_lines "$parent" $(($2 - 1))
        cat -- "$1"
        echo
      }
      # The value of a setting: passthrough arguments override MaxText's variables, and these gpu.yml.
      _nightsweep_value() {
        local line word value='' variable=M_${1^^}
        while IFS= read -r line; do
          [[ $line != "$1:"* ]] || value=${line#*:}
        done <<< "$_nightsweep_yml"
        value=${value%%#*} value=${value//[\\"\\'[:space:]]/}
        value=${!variable:-$value}
        for word in ${PASSTHROUGH_ARGS[*]:-}; do
          [[ $word != "$1="* ]] || value=${word#*=}
        done
        printf '%s' "${value,,}"
      }
      # Whether each axis has the size that the recipe was measured with; one that is not named here
      # has MaxText's default. An axis of -1 between nodes is what the others leave of NNODES. One
      # inside a node must be -1 where it was measured so: how many devices it takes is not known here.
      _nightsweep_axes() {
        local key value word fixed=1 open=''
        local -A size=([dcn_data_parallelism]=-1 [ici_fsdp_parallelism]=-1) want=([ici_fsdp_parallelism]=-1)
        for word in "$@"; do
          want[${word%%=*}]=${word#*=}
        done
        while IFS= read -r word; do
          key=${word%%[=:]*} key=${key#M_} key=${key,,}
          [[ ! $key =~ ^(dcn|ici)_[a-z0-9_]+_parallelism$ || -n ${size[$key]:-} ]] || size[$key]=1
        done < <(
          printf '%s\\n' "${!want[@]}" "${!M_@}" ${PASSTHROUGH_ARGS[*]:-} "$_nightsweep_yml"
        )
        for key in "${!size[@]}"; do
          value=$(_nightsweep_value "$key")
          size[$key]=${value:-${size[$key]}}
          [[ ${size[$key]} =~ ^(-1|[1-9][0-9]{0,5})$ ]] || return 1
          if [[ $key == dcn_* && ${size[$key]} == -1 ]]; then
            [[ -z $open ]] || return 1
            open=$key
          elif [[ $key == dcn_* ]]; then
            fixed=$((fixed * size[$key]))
          fi
        done
        if [[ -n $open ]]; then
          [[ ${NNODES:-} =~ ^[1-9][0-9]{0,5}$ ]] && ((NNODES % fixed == 0)) || return 1
          size[$open]=$((NNODES / fixed))
        fi
        for key in "${!size[@]}"; do
          [[ ${size[$key]} == "${want[$key]:-1}" ]] || return 1
        done
      }
      """;

  private static final String UNSET =
      """
      unset -f _nightsweep_lines _nightsweep_value _nightsweep_axes
      unset _nightsweep_yml
      """
          + FlagScript.END;

  @Override
  public Optional<String> file(String model, String parallelism) {
    return isKnown(parallelism) ? Optional.of("configs/" + model + ".env.sh") : Optional.empty();
  }

  /** Whether the parallelism uses axes that the configuration shows. */
  private static boolean isKnown(String parallelism) {
    return parallelism.matches("\\s*(DP|FSDP|PP|TP|EP|CP)=.*");
  }

  @Override
  public String patch(String model, List<Recipe> recipes) {
    if (!recipes.isEmpty() && recipes.stream().noneMatch(r -> isKnown(r.parallelism()))) {
      return new PlainDeployment().patch(model, recipes);
    }
    return block(model, recipes, Anchor.END);
  }

  /**
   * Where the image's defaults are best, the patch goes to the top of the file and returns there.
   */
  @Override
  public Optional<String> top(String model, List<Recipe> recipes) {
    return recipes.stream().anyMatch(r -> isKnown(r.parallelism()) && r.restoresDefaults())
        ? Optional.of(block(model, recipes, Anchor.TOP))
        : Optional.empty();
  }

  private enum Anchor {
    TOP,
    END
  }

  private static String block(String model, List<Recipe> recipes, Anchor part) {
    String name = PlainDeployment.comment(model) + (part == Anchor.TOP ? ", top" : "");
    Map<String, List<Recipe>> byTopology = new LinkedHashMap<>();
    for (Recipe recipe : recipes) {
      if (!isKnown(recipe.parallelism()) || !canBeTested(recipe)) {
        continue;
      }
      List<Recipe> same = byTopology.computeIfAbsent(condition(recipe), c -> new ArrayList<>());
      same.removeIf(r -> r.when().equals(recipe.when()));
      same.add(recipe);
    }
    StringBuilder bash = new StringBuilder();
    bash.append("# >>> nightsweep ").append(name).append(" >>>\n");
    bash.append(PRELUDE)
        .append("_nightsweep_yml=$(_nightsweep_lines \"$(dirname -- \"${BASH_SOURCE[0]}\")\"/")
        .append(Shell.word(model + ".gpu.yml"))
        .append(" 8)\n")
        .append(FlagScript.DEFINITION);
    String keyword = "if";
    for (Map.Entry<String, List<Recipe>> topology : byTopology.entrySet()) {
      bash.append(keyword).append(' ').append(topology.getKey()).append("; then\n");
      tags(bash, topology.getValue(), part);
      keyword = "elif";
    }
    if (!byTopology.isEmpty()) {
      bash.append("fi\n");
    }
    bash.append(UNSET);
    return bash.append("# <<< nightsweep ").append(name).append(" <<<\n").toString();
  }

  /** Whether the conditions can be tested: one on something other than a setting can never hold. */
  private static boolean canBeTested(Recipe recipe) {
    return recipe.when().keySet().stream().allMatch(key -> key.matches(SETTING));
  }

  /** The condition on all axes that differ from MaxText's default. */
  private static String condition(Recipe recipe) {
    TreeMap<String, String> sizes = new TreeMap<>();
    recipe
        .axes()
        .forEach(
            (key, size) -> {
              boolean open = key.startsWith("ici_") && size.equals("-1");
              sizes.put(key, open || size.matches("[1-9][0-9]{0,5}") ? size : "1");
            });
    sizes.putAll(named(recipe.parallelism()));
    return sizes.entrySet().stream()
        .filter(e -> e.getKey().matches("(dcn|ici)_[a-z0-9_]+_parallelism"))
        .filter(e -> !e.getValue().equals(OPEN_BY_DEFAULT.getOrDefault(e.getKey(), "1")))
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(" ", "_nightsweep_axes ", ""))
        .strip();
  }

  /** The axes of a parallelism such as {@code PP=4,FSDP=2}, by setting. */
  private static Map<String, String> named(String parallelism) {
    Map<String, String> sizes = new LinkedHashMap<>();
    for (String part : parallelism.split(",", -1)) {
      String[] sides = part.strip().split("=", 2);
      String key = Axes.KEYS.get(sides[0]);
      if (key != null && sides.length == 2 && sides[1].matches("0*[1-9][0-9]{0,5}")) {
        sizes.put(key, Integer.toString(Integer.parseInt(sides[1])));
      }
    }
    return sizes;
  }

  /**
   * Orders the tags: the first one with true conditions applies, so those with more conditions come
   * first.
   */
  private static void tags(StringBuilder bash, List<Recipe> recipes, Anchor part) {
    List<Recipe> order =
        recipes.stream()
            .sorted(Comparator.comparing((Recipe r) -> r.when().size()).reversed())
            .toList();
    String keyword = "if";
    for (Recipe recipe : order) {
      String tag =
          "  # " + PlainDeployment.comment(recipe.parallelism() + ", " + recipe.configTag()) + "\n";
      if (recipe.when().isEmpty() && order.size() == 1) {
        bash.append(tag);
        settings(bash, recipe, "  ", part);
        return;
      }
      if (recipe.when().isEmpty()) {
        bash.append("  else\n").append(tag.replaceFirst("^", "  "));
      } else {
        bash.append("  ").append(keyword).append(' ').append(tests(recipe)).append("; then\n");
        bash.append(tag.replaceFirst("^", "  "));
      }
      settings(bash, recipe, "    ", part);
      keyword = "elif";
    }
    bash.append("  fi\n");
  }

  private static String tests(Recipe recipe) {
    List<String> tests = new ArrayList<>();
    recipe
        .when()
        .forEach(
            (key, value) ->
                tests.add(
                    "$(_nightsweep_value %s) == %s"
                        .formatted(Shell.word(key), Shell.word(value.toLowerCase(Locale.ROOT)))));
    return "[[ " + String.join(" && ", tests) + " ]]";
  }

  private static void settings(StringBuilder bash, Recipe recipe, String indent, Anchor part) {
    List<String> lines = new ArrayList<>();
    boolean top = part == Anchor.TOP;
    if (recipe.restoresDefaults() == top || !isKnown(recipe.parallelism())) {
      lines.addAll(FlagScript.lines(recipe.flags()));
      lines.addAll(PlainDeployment.exports(recipe.env()));
    }
    if (recipe.restoresDefaults() && top) {
      UNSET.lines().forEach(lines::add);
      lines.add("return 0");
    }
    if (lines.isEmpty()) {
      lines.add(":");
    }
    lines.forEach(line -> bash.append(indent).append(line).append('\n'));
  }
}
