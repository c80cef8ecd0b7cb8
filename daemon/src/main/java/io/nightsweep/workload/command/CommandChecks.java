package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SettingProblem.Unfit;
import io.nightsweep.workload.SettingProblem.Unknown;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.SweepSettings.Section;
import java.util.ArrayList;
import java.util.List;

/** Checks a sweep file's settings of a command. */
final class CommandChecks {
  private final List<SettingProblem> problems = new ArrayList<>();
  private final Section workload;

  private CommandChecks(Section workload) {
    this.workload = workload;
  }

  static List<SettingProblem> of(SweepSettings settings) {
    CommandChecks checks = new CommandChecks(settings.own());
    checks.names(settings.own());
    settings.variants().forEach(checks::names);
    checks.needed();
    checks.pattern();
    checks.window();
    checks.launch();
    return checks.problems;
  }

  /** Checks keys: a key that is not a setting names a variable, which must be in capitals. */
  private void names(Section section) {
    for (String key : section.values().keySet()) {
      boolean known = CommandSettings.OWN.contains(key) || key.equals("kind");
      if (!known && !key.matches("[A-Z_][A-Z0-9_]*")) {
        problems.add(
            new Unknown(section.path(key), true, "setting of command", key, CommandSettings.OWN));
      }
    }
  }

  private void needed() {
    for (String key : List.of("command", "pattern", "steps")) {
      if (workload.text(key).isEmpty()) {
        problems.add(
            new Unfit(
                workload.path(),
                true,
                "'" + key + "' is missing in 'workload'",
                "a workload of kind command needs 'command', 'pattern' and 'steps'"));
      }
    }
  }

  private void pattern() {
    workload
        .text("pattern")
        .flatMap(CommandSettings::patternProblem)
        .ifPresent(
            problem ->
                problems.add(
                    new Unfit(
                        workload.path("pattern"),
                        false,
                        problem,
                        "expected named groups: (?<step>...), then (?<value>...) or"
                            + " (?<seconds>...), and (?<loss>...) if there is one")));
  }

  private void window() {
    int steps = whole("steps", 1, "a run's steps");
    if (steps > CommandSettings.MOST_STEPS) {
      problems.add(
          new Unfit(
              workload.path("steps"),
              false,
              "'steps' is " + steps,
              "expected at most "
                  + CommandSettings.MOST_STEPS
                  + ", since all of them are kept: let the program print each hundredth, or the"
                  + " pattern read only some"));
    }
    int from = whole("windowFrom", 0, "a step of the run");
    if (steps > 0 && from >= steps) {
      problems.add(
          new Unfit(
              workload.path("windowFrom"),
              true,
              "'windowFrom' is " + from + " of " + steps + " steps",
              "expected a step of the run, counted from 0"));
    }
    int few = whole(SweepSpec.SCREENING_STEPS, 1, "steps of a short job");
    if (few > 0 && (few >= steps || few < from + SweepSpec.FEWEST_IN_WINDOW)) {
      problems.add(
          new Unfit(
              workload.path(SweepSpec.SCREENING_STEPS),
              false,
              "'" + SweepSpec.SCREENING_STEPS + "' is " + few + " of " + steps + " steps",
              "expected fewer than a whole job has, and at least "
                  + (from + SweepSpec.FEWEST_IN_WINDOW)
                  + ": 'windowFrom' and the three that are measured"));
    }
    whole("ranks", 1, "ranks over all nodes");
  }

  private int whole(String key, int least, String what) {
    String text = workload.text(key).orElse("");
    if (text.isEmpty()) {
      return 0;
    }
    int number = number(text);
    if (number < least) {
      problems.add(
          new Unfit(
              workload.path(key),
              false,
              "'" + key + "' is '" + text + "'",
              "expected " + what + ": a whole number, at least " + least));
    }
    return number;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void launch() {
    workload
        .text("launch")
        .filter(way -> !way.equals("ranks") && !way.equals("once"))
        .ifPresent(
            way ->
                problems.add(
                    new Unknown(
                        workload.path("launch"),
                        false,
                        "way to launch",
                        way,
                        List.of("once", "ranks"))));
  }
}
