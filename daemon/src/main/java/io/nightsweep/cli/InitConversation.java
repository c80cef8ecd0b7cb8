package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.Hostlist;
import io.nightsweep.workload.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks in a few questions what is tuned, where and for how long, and writes the answers into a
 * starting file. An empty answer leaves what the starting file has.
 */
final class InitConversation {
  /** The lines of the packed starting file that answers take the place of. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^    for step in .*$");

  private static final Pattern PATTERN = Pattern.compile("(?m)^  pattern: .*$");
  private static final Pattern STEPS = Pattern.compile("(?m)^  steps: \\S+");
  private static final Pattern WINDOW = Pattern.compile("(?m)^  windowFrom: \\S+");
  private static final Pattern METRIC = Pattern.compile("(?m)^metric: .*$");
  private static final Pattern MODEL = Pattern.compile("(?m)^model: .*$");
  private static final Pattern SLOT = Pattern.compile("(?m)^slot: .*$");
  private static final Pattern PARALLELISM = Pattern.compile("(?m)^parallelism: ranks=.*$");
  private static final Pattern EXPECTED_JOB = Pattern.compile("(?m)^  expectedJob: \\S+");
  private static final Pattern TIME_LIMIT = Pattern.compile("(?m)^  jobTimeLimit: \\S+");
  private static final Pattern HOURS = Pattern.compile("(?m)^  hours: .*$");
  private static final Pattern PROFILES = Pattern.compile("(?m)^profiles:\\n(?:  \\S.*\\n)+");

  /** A number as programs print it. */
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

  private static final int SETTLING_SHARE = 2;
  private static final int PATIENCE = 10;

  private final Function<String, Optional<String>> ask;

  /**
   * @param ask puts a question; empty where nobody answers any more
   */
  InitConversation(Function<String, Optional<String>> ask) {
    this.ask = ask;
  }

  /** The name of one of {@code kinds}; of the first where no answer names one. */
  String workload(List<WorkloadKind> kinds) {
    String first = kinds.getFirst().name();
    String choices =
        kinds.stream()
            .map(k -> "'" + k.name() + "' is " + k.about())
            .collect(Collectors.joining(", "));
    String answer = asked("What do you tune? " + choices + " [" + first + "]:");
    return kinds.stream().map(WorkloadKind::name).filter(answer::equals).findFirst().orElse(first);
  }

  /**
   * @param text the starting file
   * @param nodes of the cluster, to choose from
   */
  String fill(String text, String workload, List<Node> nodes) {
    String filled = where(text, nodes);
    if (workload.equals("command")) {
      filled = command(filled);
    }
    String hours = asked("How many hours may it take? [as in the file]:");
    return hours.matches("\\d+(\\.\\d+)?") ? put(filled, HOURS, "  hours: " + hours) : filled;
  }

  private String where(String text, List<Node> nodes) {
    if (nodes.size() < 2) {
      return text;
    }
    String names =
        asked(
            "Which nodes? "
                + Hostlist.format(nodes.stream().map(Node::name).toList())
                + " [as in the file]:");
    try {
      List<String> chosen = names.isEmpty() ? List.of() : Hostlist.parse(names);
      return chosen.isEmpty()
          ? text
          : put(
              put(text, SLOT, "slot: {nodelist: \"" + Hostlist.format(chosen) + "\"}"),
              PARALLELISM,
              "parallelism: ranks=" + chosen.size());
    } catch (Hostlist.SyntaxException e) {
      return text;
    }
  }

  private String command(String text) {
    String filled = text;
    String command = asked("The command that a job runs [the example]:");
    if (command.isEmpty()) {
      return filled;
    }
    filled = put(filled, COMMAND, "    " + command);
    filled = put(filled, MODEL, "model: " + name(command));
    String line = asked("A line that it prints in each step, with its step and what is measured:");
    Optional<String> pattern = pattern(line);
    if (pattern.isPresent()) {
      filled = put(filled, PATTERN, "  pattern: '" + pattern.get().replace("'", "''") + "'");
    }
    String steps = asked("How many steps does a run print? [10]:");
    if (steps.matches("[1-9]\\d{0,6}")) {
      int count = Integer.parseInt(steps);
      filled = put(filled, STEPS, "  steps: " + count);
      filled = put(filled, WINDOW, "  windowFrom: " + count / SETTLING_SHARE);
    }
    String unit = asked("The unit of what is measured, such as tok/s or s [tok/s]:");
    if (unit.matches("[A-Za-z/%0-9]{1,20}")) {
      String better = unit.equals("s") || unit.equals("ms") ? "lower" : "higher";
      String asked =
          asked(
              "Is more of it better? yes or no ["
                  + (better.equals("higher") ? "yes" : "no")
                  + "]:");
      if (!asked.isEmpty()) {
        better = asked.toLowerCase(Locale.ROOT).startsWith("y") ? "higher" : "lower";
      }
      filled =
          put(
              filled,
              METRIC,
              "metric: {name: measured, unit: \"" + unit + "\", better: " + better + "}");
    }
    return profiles(time(filled));
  }

  /** A run may take ten times as long as usual before it is ended. */
  private String time(String text) {
    String seconds = asked("How many seconds does a run take? [60]:");
    if (!seconds.matches("[1-9]\\d{0,4}")) {
      return text;
    }
    int usual = Integer.parseInt(seconds);
    int limit = Math.max(10, Math.ceilDiv(usual * PATIENCE, 60));
    return put(
        put(text, EXPECTED_JOB, "  expectedJob: " + usual + "s"),
        TIME_LIMIT,
        "  jobTimeLimit: " + limit + "m");
  }

  private String profiles(String text) {
    String tried = asked("Settings to try, each NAME=VALUE, separated by spaces [the example]:");
    List<String> profiles = new ArrayList<>();
    for (String setting : tried.split("\\s+", -1)) {
      Matcher named = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(\\S*)").matcher(setting);
      if (named.matches()) {
        profiles.add(
            "  %s: {env: {%s: \"%s\"}}\n"
                .formatted(
                    (named.group(1) + "-" + named.group(2)).replaceAll("[^A-Za-z0-9._-]+", "-"),
                    named.group(1),
                    named.group(2).replace("\\", "\\\\").replace("\"", "\\\"")));
      }
    }
    return profiles.isEmpty()
        ? text
        : put(text, PROFILES, "profiles:\n" + String.join("", profiles));
  }

  /**
   * A pattern of a line: its first whole number is the step, the next number is what is measured.
   *
   * @return empty where the line has not both
   */
  static Optional<String> pattern(String line) {
    Matcher numbers = NUMBER.matcher(line);
    StringBuilder pattern = new StringBuilder();
    int from = 0;
    int found = 0;
    boolean hasStep = false;
    boolean hasValue = false;
    while (numbers.find() && !hasValue) {
      String number = numbers.group();
      boolean isStep = !hasStep && !number.contains(".");
      boolean isTotal =
          hasStep && line.substring(from, numbers.start()).matches("\\s*(?:of|/)\\s*");
      pattern.append(quoted(line.substring(from, numbers.start())));
      pattern.append(
          isStep ? "(?<step>\\d+)" : isTotal || !hasStep ? "[\\d.]+" : "(?<value>[\\d.]+)");
      hasStep |= isStep;
      hasValue |= hasStep && !isStep && !isTotal;
      from = numbers.end();
      found++;
    }
    return hasStep && hasValue && found > 1 ? Optional.of(pattern.toString()) : Optional.empty();
  }

  private static String quoted(String text) {
    return text.replaceAll("[\\\\.\\[\\]{}()*+?^$|]", "\\\\$0").replaceAll("\\s+", "\\\\s+");
  }

  private static String name(String command) {
    String program = command.strip().split("\\s+", 2)[0].replaceAll(".*/", "");
    String plain = program.replaceAll("[^A-Za-z0-9._-]", "");
    return plain.matches("[A-Za-z0-9].*") ? plain : "my-program";
  }

  private static String put(String text, Pattern place, String line) {
    Matcher matcher = place.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("the starting file has no line " + place.pattern());
    }
    return matcher.replaceFirst(Matcher.quoteReplacement(line));
  }

  private String asked(String question) {
    return ask.apply(question).map(String::strip).orElse("");
  }
}
