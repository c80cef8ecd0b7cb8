package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A sweep file's settings for a cell that runs a command.
 *
 * @param command lines of bash; overrides are their variables
 * @param perRank whether the command starts once for each rank instead of once for the job
 * @param ranks over all nodes
 * @param pattern of a step's line, with named groups
 * @param steps of a whole run, which show that it is complete
 * @param windowFrom first step that counts
 * @param flagsVariable the variable to which a profile's flags are appended
 * @param variables set by overrides, by name
 */
record CommandSettings(
    String command,
    Optional<Path> directory,
    boolean perRank,
    int ranks,
    Pattern pattern,
    int steps,
    int windowFrom,
    String flagsVariable,
    SortedMap<String, String> env,
    SortedMap<String, String> variables) {
  static final Set<String> OWN =
      new TreeSet<>(
          List.of(
              "command",
              "directory",
              "launch",
              "ranks",
              "cpusPerTask",
              "gpusPerTask",
              "pattern",
              "steps",
              "windowFrom",
              SweepSpec.SCREENING_STEPS,
              "flagsVariable",
              "env",
              "validation",
              Workload.VALIDATION_MINUTES));

  /** The group names that a pattern may use; the first two are required. */
  static final Set<String> GROUPS = Set.of("step", "value", "seconds", "loss");

  /**
   * A limit, since each job's steps are kept for the report and a daemon has 192 MiB for all its
   * sweeps.
   */
  static final int MOST_STEPS = 5_000;

  private static final String ENV = "env.";

  /** A variable in bash, or a name in capitals that a program may read. */
  private static final Pattern NAMED =
      Pattern.compile("(?<=\\$\\{?)[A-Za-z_]\\w*|\\b[A-Z_][A-Z0-9_]*\\b");

  static CommandSettings of(Map<String, String> settings, int nodes) {
    TreeMap<String, String> env = new TreeMap<>();
    TreeMap<String, String> variables = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(ENV)) {
            env.put(key.substring(ENV.length()), value);
          } else if (!OWN.contains(key) && !key.startsWith(Workload.VALIDATION)) {
            variables.put(key, value);
          }
        });
    return new CommandSettings(
        settings.getOrDefault("command", ""),
        Optional.ofNullable(settings.get("directory")).map(d -> Path.of(d).toAbsolutePath()),
        settings.getOrDefault("launch", "ranks").equals("ranks"),
        number(settings, "ranks", nodes),
        Pattern.compile(settings.getOrDefault("pattern", "")),
        number(settings, "steps", 0),
        number(settings, "windowFrom", 0),
        settings.getOrDefault("flagsVariable", "XLA_FLAGS"),
        env,
        variables);
  }

  /** The variables that are set for every job, and those in the command's text. */
  Set<String> mentioned() {
    TreeSet<String> names = new TreeSet<>(env.keySet());
    names.addAll(variables.keySet());
    names.add(flagsVariable);
    NAMED.matcher(command).results().map(MatchResult::group).forEach(names::add);
    return names;
  }

  /** What is wrong with a pattern; empty if it is usable. */
  static Optional<String> patternProblem(String pattern) {
    try {
      Set<String> groups = Pattern.compile(pattern).namedGroups().keySet();
      if (!groups.contains("step") || !(groups.contains("value") || groups.contains("seconds"))) {
        return Optional.of("the pattern names no group 'step', or neither 'value' nor 'seconds'");
      }
      return groups.stream()
          .filter(g -> !GROUPS.contains(g))
          .findFirst()
          .map(g -> "the pattern names a group '" + g + "'");
    } catch (PatternSyntaxException e) {
      return Optional.of("the pattern is not valid: " + e.getDescription());
    }
  }

  private static int number(Map<String, String> settings, String key, int otherwise) {
    String value = settings.getOrDefault(key, "");
    return value.matches("[0-9]{1,7}") ? Integer.parseInt(value) : otherwise;
  }
}
