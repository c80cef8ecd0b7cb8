package io.nightsweep.plan;

import io.nightsweep.workload.command.CommandWorkload;
import java.util.List;
import java.util.TreeSet;

/** Holds a sweep file's command settings against those that exist. */
final class CommandChecks {
  private final Problems problems;
  private final Yaml.Mapping workload;

  private CommandChecks(Yaml.Mapping workload, Problems problems) {
    this.workload = workload;
    this.problems = problems;
  }

  static void check(Yaml.Mapping root, Problems problems) {
    CommandChecks checks = new CommandChecks(root.mapping("workload"), problems);
    checks.names(checks.workload);
    for (String tagsOrProfiles : List.of("configTags", "profiles")) {
      Yaml.Mapping named = root.mapping(tagsOrProfiles);
      for (String name : named.entries().keySet()) {
        Yaml.Mapping one = named.mapping(name);
        checks.names(tagsOrProfiles.equals("profiles") ? one.mapping("overrides") : one);
      }
    }
    for (String key : List.of("command", "pattern", "steps")) {
      if (checks.workload.scalar(key).isEmpty()) {
        problems.add(
            root.placeOf("workload"),
            "'" + key + "' is missing in 'workload'",
            "a workload of kind command needs 'command', 'pattern' and 'steps'");
      }
    }
    checks.pattern();
    checks.window();
    checks.launch();
  }

  /** A key that is no setting of the workload names a variable, and variables are in capitals. */
  private void names(Yaml.Mapping settings) {
    for (Yaml.Entry entry : settings.entries().values()) {
      String key = entry.key();
      boolean known = CommandWorkload.settings().contains(key) || key.equals("kind");
      if (!known && !key.matches("[A-Z_][A-Z0-9_]*")) {
        problems.add(
            Problem.unknown(
                entry.keyPlace(),
                "setting of command",
                key,
                new TreeSet<>(CommandWorkload.settings())));
      }
    }
  }

  private void pattern() {
    workload
        .scalar("pattern")
        .ifPresent(
            p ->
                CommandWorkload.patternProblem(p.text())
                    .ifPresent(
                        problem ->
                            problems.add(
                                p.place(),
                                problem,
                                "expected named groups: (?<step>...), then (?<value>...) or"
                                    + " (?<seconds>...), and (?<loss>...) where there is one")));
  }

  private void window() {
    int steps = whole("steps", 1, "a run's steps");
    int from = whole("windowFrom", 0, "a step of the run");
    if (steps > 0 && from >= steps) {
      problems.add(
          workload.placeOf("windowFrom"),
          "'windowFrom' is " + from + " of " + steps + " steps",
          "expected a step of the run, counted from 0");
    }
    whole("ranks", 1, "ranks over all nodes");
  }

  private int whole(String key, int least, String what) {
    return workload
        .scalar(key)
        .map(
            s -> {
              int number = Values.integer(s).orElse(-1);
              if (number < least) {
                problems.add(
                    s.place(),
                    "'" + key + "' is '" + s.text() + "'",
                    "expected " + what + ": a whole number, at least " + least);
              }
              return number;
            })
        .orElse(0);
  }

  private void launch() {
    workload
        .scalar("launch")
        .filter(s -> !s.text().equals("ranks") && !s.text().equals("once"))
        .ifPresent(
            s ->
                problems.add(
                    Problem.unknown(
                        s.place(), "way to launch", s.text(), List.of("once", "ranks"))));
  }
}
