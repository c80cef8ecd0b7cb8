package io.nightsweep.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A patch for {@code configs/<model>.env.sh}: sourced bash that selects a recipe by topology and
 * config tag, from the model's gpu.yml as the passthrough arguments override it. Guarded: a recipe
 * holds only where it was measured to hold. Idempotent: sourced again, it adds nothing.
 */
public final class EnvPatch {
  /** Axes that tell topologies apart, with the settings whose product is the axis. */
  private static final Map<String, String> AXES =
      Map.of(
          "PP", "dcn_pipeline_parallelism ici_pipeline_parallelism",
          "TP", "dcn_tensor_parallelism ici_tensor_parallelism");

  private static final String PRELUDE =
      """
      # The last value of a setting: passthrough arguments override gpu.yml.
      _nightsweep_value() {
        local word value=''
        value=$(sed -n "s/^$1:[[:space:]]*//p" "$_nightsweep_yml" 2>/dev/null | tail -n 1)
        value=${value%%#*} value=${value%"${value##*[![:space:]]}"} value=${value//[\\"\\']/}
        for word in ${PASSTHROUGH_ARGS[*]:-}; do
          [[ $word != "$1="* ]] || value=${word#*=}
        done
        printf '%s' "${value,,}"
      }
      _nightsweep_product() {
        local key value product=1
        for key in "$@"; do
          value=$(_nightsweep_value "$key")
          [[ ! $value =~ ^[1-9][0-9]*$ ]] || ((product *= value))
        done
        printf '%s' "$product"
      }
      """;

  private static final String FLAG =
      """
      # XLA takes the last value of a flag: nothing is added where that is this one already.
      _nightsweep_flag() {
        local word last=''
        for word in ${XLA_FLAGS:-}; do
          [[ $word != "${1%%=*}" && $word != "${1%%=*}="* ]] || last=$word
        done
        [[ $last == "$1" ]] || export XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }$1"
      }
      """;

  private static final String UNSET =
      """
      unset -f _nightsweep_value _nightsweep_product _nightsweep_flag
      unset _nightsweep_yml
      """;

  private EnvPatch() {}

  /**
   * What was found best for one topology and config tag.
   *
   * @param when the config tag's overrides
   * @param restoresDefaults whether it is measured without what the file itself sets
   */
  public record Recipe(
      String parallelism,
      String configTag,
      SortedMap<String, String> when,
      SortedMap<String, String> flags,
      SortedMap<String, String> env,
      boolean restoresDefaults) {
    /** On top of what the file sets. */
    public Recipe(
        String parallelism,
        String configTag,
        SortedMap<String, String> when,
        SortedMap<String, String> flags,
        SortedMap<String, String> env) {
      this(parallelism, configTag, when, flags, env, false);
    }

    public Recipe {
      when = Collections.unmodifiableSortedMap(new TreeMap<>(when));
      flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
      env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
    }
  }

  /** Whether the parallelism is written in axes that a configuration tells. */
  static boolean isKnown(String parallelism) {
    return parallelism.matches("\\s*(DP|FSDP|PP|TP|EP|CP)=.*");
  }

  /** The patch; of recipes for the same topology and tag the last counts. */
  public static String of(String model, List<Recipe> recipes) {
    if (!recipes.isEmpty() && recipes.stream().noneMatch(r -> isKnown(r.parallelism()))) {
      return plain(model, recipes.getLast());
    }
    return block(model, recipes, Part.END);
  }

  /**
   * What has to stand at the top of the file: where the image's defaults are best, the file ends
   * there. Empty where they are best nowhere.
   */
  static Optional<String> top(String model, List<Recipe> recipes) {
    return recipes.stream().anyMatch(r -> isKnown(r.parallelism()) && r.restoresDefaults())
        ? Optional.of(block(model, recipes, Part.TOP))
        : Optional.empty();
  }

  private enum Part {
    TOP,
    END
  }

  private static String block(String model, List<Recipe> recipes, Part part) {
    String name = comment(model) + (part == Part.TOP ? ", top" : "");
    Map<String, List<Recipe>> byTopology = new LinkedHashMap<>();
    for (Recipe recipe : recipes) {
      List<Recipe> same =
          byTopology.computeIfAbsent(condition(recipe, recipes), c -> new ArrayList<>());
      same.removeIf(r -> r.when().equals(recipe.when()));
      same.add(recipe);
    }
    StringBuilder bash = new StringBuilder();
    bash.append("# >>> nightsweep ").append(name).append(" >>>\n");
    bash.append("_nightsweep_yml=\"$(dirname -- \"${BASH_SOURCE[0]}\")\"/")
        .append(quote(model + ".gpu.yml"))
        .append('\n')
        .append(PRELUDE)
        .append(FLAG);
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

  /** Where nothing at run time tells what is run, the last recipe stands unguarded. */
  private static String plain(String model, Recipe recipe) {
    StringBuilder bash = new StringBuilder();
    bash.append("# >>> nightsweep ").append(comment(model)).append(" >>>\n");
    bash.append("# ")
        .append(comment(recipe.parallelism() + ", " + recipe.configTag()))
        .append('\n');
    if (!recipe.flags().isEmpty()) {
      bash.append(FLAG);
    }
    settings(bash, recipe, "", Part.END);
    if (!recipe.flags().isEmpty()) {
      bash.append("unset -f _nightsweep_flag\n");
    }
    return bash.append("# <<< nightsweep ").append(comment(model)).append(" <<<\n").toString();
  }

  /** Only axes that some recipe has can tell recipes apart; the pipeline always does. */
  private static String condition(Recipe recipe, List<Recipe> all) {
    List<String> parts = new ArrayList<>();
    AXES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(
            axis -> axis.getKey().equals("PP") || all.stream().anyMatch(r -> has(r, axis.getKey())))
        .forEach(
            axis ->
                parts.add(
                    "(($(_nightsweep_product %s) %s 1))"
                        .formatted(axis.getValue(), has(recipe, axis.getKey()) ? ">" : "<=")));
    return String.join(" && ", parts);
  }

  private static boolean has(Recipe recipe, String axis) {
    return List.of(recipe.parallelism().split(",", -1)).stream()
        .map(String::strip)
        .anyMatch(p -> p.matches(axis + "=0*[1-9]\\d*") && !p.matches(axis + "=0*1"));
  }

  /** What every tag has comes first; then the tags, those with more conditions before others. */
  private static void tags(StringBuilder bash, List<Recipe> recipes, Part part) {
    List<Recipe> order =
        recipes.stream()
            .sorted(Comparator.comparing((Recipe r) -> r.when().size()).reversed())
            .toList();
    String keyword = "if";
    for (Recipe recipe : order) {
      String tag = "  # " + comment(recipe.parallelism() + ", " + recipe.configTag()) + "\n";
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
                        .formatted(quote(key), quote(value.toLowerCase(java.util.Locale.ROOT)))));
    return "[[ " + String.join(" && ", tests) + " ]]";
  }

  private static void settings(StringBuilder bash, Recipe recipe, String indent, Part part) {
    List<String> lines = new ArrayList<>();
    boolean top = part == Part.TOP;
    if (recipe.restoresDefaults() == top || !isKnown(recipe.parallelism())) {
      lines.addAll(settings(recipe));
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

  private static List<String> settings(Recipe recipe) {
    List<String> lines = new ArrayList<>();
    recipe
        .flags()
        .forEach(
            (flag, value) ->
                lines.add(
                    "_nightsweep_flag " + quote(value.isEmpty() ? flag : flag + "=" + value)));
    recipe
        .env()
        .forEach(
            (name, value) -> {
              if (name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                lines.add("export " + name + "=" + quote(value));
              }
            });
    return lines;
  }

  private static String comment(String text) {
    return text.replaceAll("[^A-Za-z0-9 ._,=+-]", "?");
  }

  static String quote(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
