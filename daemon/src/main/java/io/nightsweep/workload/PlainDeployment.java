package io.nightsweep.workload;

import io.nightsweep.cluster.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A patch without conditions, for workloads that do not know at run time what runs; the last recipe
 * applies.
 */
public final class PlainDeployment implements Deployment {
  @Override
  public Optional<String> file(String model, String parallelism) {
    return Optional.empty();
  }

  @Override
  public String patch(String model, List<Recipe> recipes) {
    String body = recipes.isEmpty() ? "" : body(recipes.getLast());
    return "# >>> nightsweep %1$s >>>\n%2$s# <<< nightsweep %1$s <<<\n"
        .formatted(comment(model), body);
  }

  @Override
  public Optional<String> top(String model, List<Recipe> recipes) {
    return Optional.empty();
  }

  private static String body(Recipe recipe) {
    StringBuilder bash = new StringBuilder();
    bash.append("# ").append(comment(recipe.parallelism() + ", " + recipe.configTag()));
    bash.append('\n').append(FlagScript.whole(recipe.flags()));
    exports(recipe.env()).forEach(line -> bash.append(line).append('\n'));
    return bash.toString();
  }

  /** One line for each variable with a name that bash accepts. */
  public static List<String> exports(Map<String, String> env) {
    List<String> lines = new ArrayList<>();
    env.forEach(
        (name, value) -> {
          if (name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            lines.add("export " + name + "=" + Shell.word(value));
          }
        });
    return lines;
  }

  /** The text in characters that are safe in a comment of one line. */
  public static String comment(String text) {
    return text.replaceAll("[^A-Za-z0-9 ._,=+-]", "?");
  }
}
