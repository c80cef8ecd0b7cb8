package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.Hostlist;
import io.nightsweep.workload.WorkloadKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks a few questions about what to tune, where and for how long, and writes the answers into a
 * starting file. An empty answer keeps the starting file's value.
 */
final class InitConversation {
  /** The lines of the packed starting file that answers replace. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^    for step in .*$");

  private static final Pattern PATTERN = Pattern.compile("(?m)^  pattern: .*$");
  private static final Pattern STEPS = Pattern.compile("(?m)^  steps: \\S+");
  private static final Pattern WINDOW = Pattern.compile("(?m)^  windowFrom: \\S+");
  private static final Pattern METRIC = Pattern.compile("(?m)^metric: .*$");
  private static final Pattern MODEL = Pattern.compile("(?m)^model: .*$");
  private static final Pattern SLOT = Pattern.compile("(?m)^slot: \\{nodelist: \"(.*)\"\\}$");
  private static final Pattern PARALLELISM = Pattern.compile("(?m)^parallelism: ranks=.*$");
  private static final Pattern EXPECTED_JOB = Pattern.compile("(?m)^  expectedJob: \\S+");
  private static final Pattern TIME_LIMIT = Pattern.compile("(?m)^  jobTimeLimit: \\S+");
  private static final Pattern HOURS = Pattern.compile("(?m)^  hours: (.*)$");
  private static final Pattern DIRECTORY = Pattern.compile("(?m)^  # directory: .*$");
  private static final Pattern ENVIRONMENT = Pattern.compile("(?m)^  # env: .*$");
  private static final Pattern PROFILES = Pattern.compile("(?m)^profiles:\\n(?:  \\S.*\\n)+");

  /** The start of a loop or condition and variable assignments that precede the program. */
  private static final Pattern HEAD =
      Pattern.compile(
          "^(?:\\s*(?:for|while|until|if)\\b.*?;\\s*(?:do|then)\\b|\\s*set\\s[^;]*;|\\s*\\w+=\\$\\([^;]*;)+");

  private static final Pattern SETTING = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(\\S*)");

  /** What precedes a program's own name: variables, launchers, and interpreters of its script. */
  private static final Pattern BEFORE =
      Pattern.compile(
          "[A-Za-z_]\\w*=\\S*|-\\S*|env|exec|time|nice|numactl|taskset|srun|mpirun|(?:.*/)?(?:python[\\d.]*|bash|sh|perl|ruby|node|Rscript)");

  /** The unit of a time, or of a time per item, for which less is better. */
  private static final Pattern TIME = Pattern.compile("[num]?s(?:/.*)?");

  private static final String EXPECTED_LINE =
      "; expected a line such as 'step 9 of 10: 151.2 MB/s' (a program that prints one figure is"
          + " run in a loop that prints the step before it, as the example in the file does)";

  /** Shown if the pattern made from a pasted line reads no result figure. */
  private static final String CHECKED =
      "its result is checked by its exit status alone; if the pattern reads a figure of it as"
          + " (?<loss>...), such as a residual, a profile that computes a different one cannot win";

  private static final String NOTHING_TRIED =
      "the file tries the example's SPEED, which your program does not read: write its own settings"
          + " below 'profiles' before you start";

  private static final String CHECKED_BY_LOSS =
      "its result is checked by its loss: a profile whose last one is more than 1 % off the"
          + " baseline's cannot win";

  private static final int SETTLING_SHARE = 2;

  /** A number of steps. */
  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,6}");

  private static final int PATIENCE = 10;

  /** Limit on numbers in a line, since each gets a letter. */
  private static final int MOST_CHOICES = 26;

  private final Asking person;

  /**
   * @param ask asks a question; empty when nobody answers any more
   * @param say explains a wrong answer before the question is repeated
   */
  InitConversation(Function<String, Optional<String>> ask, Consumer<String> say) {
    person = new Asking(ask, say);
  }

  /** Whether jobs should be processes of this machine, asked where no Slurm answers. */
  boolean local() {
    return person.isYes("No Slurm answers here. Run the jobs as processes of this machine?", true);
  }

  /** The chosen name among {@code kinds}; the first kind by default. */
  String workload(List<WorkloadKind> kinds) {
    String first = kinds.getFirst().name();
    String choices =
        kinds.stream()
            .map(k -> "'" + k.name() + "' is " + k.about())
            .collect(Collectors.joining(", "));
    List<String> names = kinds.stream().map(WorkloadKind::name).toList();
    String answer =
        person.fitting(
            "What do you tune? " + choices + " [" + first + "]:",
            names::contains,
            "one of " + String.join(", ", names));
    return answer.isEmpty() ? first : answer;
  }

  /**
   * @param text the starting file
   * @param nodes of the cluster, to choose from; without any, the question is skipped
   * @param here the person's current folder
   */
  String fill(String text, String workload, List<Node> nodes, Path here) {
    String filled = where(text, nodes);
    if (workload.equals("command")) {
      filled = command(filled, here);
    }
    String hours =
        person.fitting(
            "How many hours may it take? [" + inFile(filled, HOURS) + "]:",
            answer -> answer.matches("\\d+(\\.\\d+)?") && Double.parseDouble(answer) > 0,
            "a number of hours, such as 2 or 0.5");
    return hours.isEmpty() ? filled : put(filled, HOURS, "  hours: " + hours);
  }

  private String where(String text, List<Node> nodes) {
    if (nodes.size() < 2) {
      return text;
    }
    List<String> all = nodes.stream().map(Node::name).toList();
    String names =
        person.fitting(
            "Which nodes of " + Hostlist.format(all) + "? [" + inFile(text, SLOT) + "]:",
            answer -> all.containsAll(hosts(answer)) && !hosts(answer).isEmpty(),
            "nodes of " + Hostlist.format(all));
    if (names.isEmpty()) {
      return text;
    }
    List<String> chosen = hosts(names);
    return put(
        put(text, SLOT, "slot: {nodelist: \"" + Hostlist.format(chosen) + "\"}"),
        PARALLELISM,
        "parallelism: ranks=" + chosen.size());
  }

  /** The hosts in a list; empty where the text is not a host list. */
  private static List<String> hosts(String list) {
    try {
      return Hostlist.parse(list);
    } catch (Hostlist.SyntaxException e) {
      return List.of();
    }
  }

  private String command(String text, Path here) {
    String filled = text;
    String command = person.any("The command that a job runs [the example]:");
    if (command.isEmpty()) {
      return filled;
    }
    filled = put(filled, COMMAND, "    " + command);
    filled = put(filled, MODEL, "model: " + name(command));
    filled = put(filled, DIRECTORY, "  directory: " + quotedForYaml(folder(here).toString()));
    Optional<PrintedLine> line = line();
    if (line.isPresent()) {
      person.tell("from that line: " + line.get().words());
      person.tell(line.get().loss().isPresent() ? CHECKED_BY_LOSS : CHECKED);
      filled = put(filled, PATTERN, "  pattern: '" + line.get().pattern().replace("'", "''") + "'");
    }
    Optional<String> total =
        line.flatMap(PrintedLine::total).filter(n -> COUNT.matcher(n).matches());
    String counted =
        person.fitting(
            "How many steps does a run print? [" + total.orElse("10") + "]:",
            answer -> COUNT.matcher(answer).matches(),
            "a whole number, such as 10");
    String steps = counted.isEmpty() ? total.orElse("") : counted;
    if (!steps.isEmpty()) {
      int count = Integer.parseInt(steps);
      filled = put(filled, STEPS, "  steps: " + count);
      filled = put(filled, WINDOW, "  windowFrom: " + count / SETTLING_SHARE);
    }
    String printed = line.flatMap(PrintedLine::unit).orElse("");
    String named =
        person.fitting(
            "The unit of what is measured, such as tok/s or s ["
                + (printed.isEmpty() ? "tok/s" : printed)
                + "]:",
            answer -> answer.matches("[A-Za-z/%0-9]{1,20}"),
            "at most 20 letters, digits, '/' and '%'");
    String unit = named.isEmpty() ? printed : named;
    if (!unit.isEmpty()) {
      boolean isMore = person.isYes("Is more of it better?", !TIME.matcher(unit).matches());
      String better = isMore ? "higher" : "lower";
      filled =
          put(
              filled,
              METRIC,
              "metric: {name: measured, unit: \"" + unit + "\", better: " + better + "}");
    }
    return profiles(time(filled), command);
  }

  /** Asks for a printed line until its two numbers are known. */
  private Optional<PrintedLine> line() {
    while (true) {
      String text =
          person.any("A line that it prints in each step, with its step and what is measured:");
      if (text.isEmpty()) {
        return Optional.empty();
      }
      Optional<MatchResult> step =
          chosen("Which number counts the steps?", text, PrintedLine.steps(text), "none of them");
      Optional<MatchResult> value =
          step.flatMap(
              s -> chosen("Which number is measured?", text, PrintedLine.values(text, s), "a"));
      if (value.isPresent()) {
        return Optional.of(new PrintedLine(text, step.orElseThrow(), value.get()));
      }
      person.complain(
          text,
          step.map(s -> "beside its step, " + s.group() + ", no number in it is measured")
                  .orElse("no number in it counts the steps")
              + EXPECTED_LINE);
    }
  }

  /**
   * A number of the line: found by rule, or chosen by a person, by its letter or as printed.
   *
   * @param usual the meaning of an empty answer: a letter, or "none of them"
   */
  private Optional<MatchResult> chosen(
      String question, String text, PrintedLine.NumberChoice found, String usual) {
    List<MatchResult> numbers = found.numbers();
    if (found.isSure() || numbers.isEmpty()) {
      return numbers.stream().findFirst();
    }
    Map<String, MatchResult> choices = new LinkedHashMap<>();
    numbers.stream().limit(MOST_CHOICES).forEach(n -> choices.put(letter(choices.size()), n));
    Function<String, Optional<MatchResult>> named =
        answer ->
            Optional.ofNullable(choices.get(answer.toLowerCase(Locale.ROOT)))
                .or(() -> numbers.stream().filter(n -> n.group().equals(answer)).findFirst());
    String answer =
        person.fitting(
            choices.entrySet().stream()
                .map(e -> e.getKey() + ") '" + PrintedLine.shown(text, e.getValue()) + "'")
                .collect(Collectors.joining(", ", question + " ", " [" + usual + "]:")),
            a -> named.apply(a).isPresent(),
            "one of " + String.join(", ", choices.keySet()));
    return named.apply(answer.isEmpty() ? usual : answer);
  }

  private static String letter(int index) {
    return String.valueOf((char) ('a' + index));
  }

  /**
   * The folder in which the command runs, since people write a command as they would type it here.
   */
  private Path folder(Path here) {
    String folder =
        person.fitting(
            "The folder that it starts in [this one, " + here + "]:",
            answer -> Files.isDirectory(here.resolve(answer)),
            "a folder that is there");
    return here.resolve(folder).normalize();
  }

  /**
   * Asks for the usual run time and sets the expected time of a job and its limit, ten times as
   * much.
   */
  private String time(String text) {
    String seconds =
        person.fitting(
            "How many seconds does a run take? [60]:",
            answer -> answer.matches("\\d{1,5}(\\.\\d+)?") && Double.parseDouble(answer) > 0,
            "a number of seconds, such as 90");
    if (seconds.isEmpty()) {
      return text;
    }
    int usual = (int) Math.ceil(Double.parseDouble(seconds));
    int limit = Math.max(10, Math.ceilDiv(usual * PATIENCE, 60));
    return put(
        put(text, EXPECTED_JOB, "  expectedJob: " + usual + "s"),
        TIME_LIMIT,
        "  jobTimeLimit: " + limit + "m");
  }

  private String profiles(String text, String command) {
    String tried =
        person.fitting(
            "Settings to try, each NAME=VALUE, separated by spaces [the example]:",
            answer ->
                Arrays.stream(answer.split("\\s+", -1)).allMatch(s -> SETTING.matcher(s).matches()),
            "variables that the program reads, such as OMP_NUM_THREADS=4 (an option of its command"
                + " line: write it as ${NAME:-usual} in the command)");
    Map<String, String> usual = new LinkedHashMap<>();
    List<String> profiles = new ArrayList<>();
    for (String setting : tried.split("\\s+", -1)) {
      Matcher named = SETTING.matcher(setting);
      if (named.matches()) {
        String name = named.group(1);
        String value = named.group(2);
        if (isNeeded(name, command) && !usual.containsKey(name)) {
          usual.put(name, usual(name));
        }
        if (!value.equals(usual.get(name))) {
          profiles.add(
              "  %s: {env: {%s: %s}}\n"
                  .formatted(
                      (name + "-" + value).replaceAll("[^A-Za-z0-9._-]+", "-"),
                      name,
                      quotedForYaml(value)));
        }
      }
    }
    String filled =
        usual.isEmpty()
            ? text
            : put(
                text,
                ENVIRONMENT,
                usual.entrySet().stream()
                    .map(e -> e.getKey() + ": " + quotedForYaml(e.getValue()))
                    .collect(Collectors.joining(", ", "  env: {", "}")));
    if (profiles.isEmpty()) {
      person.tell(NOTHING_TRIED);
    }
    return profiles.isEmpty()
        ? filled
        : put(filled, PROFILES, "profiles:\n" + String.join("", profiles));
  }

  /** Whether the command fails without the variable: then the baseline needs a value too. */
  private static boolean isNeeded(String name, String command) {
    return Pattern.compile("\\$(?:" + name + "\\b|\\{" + name + "})").matcher(command).find();
  }

  private String usual(String name) {
    return person.fitting(
        "What is " + name + " today? The settings are compared with that:",
        answer -> answer.matches("\\S+"),
        "a value, such as 1");
  }

  private static String quotedForYaml(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The program's name, found after variables, launchers and interpreters. */
  static String name(String command) {
    String program =
        Arrays.stream(HEAD.matcher(command).replaceFirst("").strip().split("\\s+", -1))
            .filter(word -> !BEFORE.matcher(word).matches())
            .findFirst()
            .orElse("")
            .replaceAll(".*/", "")
            .replaceAll("\\.(py|sh|pl|rb|js|R)$", "");
    String plain = program.replaceAll("[^A-Za-z0-9._-]", "");
    return plain.matches("[A-Za-z0-9].*") ? plain : "my-program";
  }

  private static String put(String text, Pattern place, String line) {
    return found(text, place).replaceFirst(Matcher.quoteReplacement(line));
  }

  private static String inFile(String text, Pattern place) {
    return found(text, place).group(1);
  }

  private static Matcher found(String text, Pattern place) {
    Matcher matcher = place.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("the starting file has no line " + place.pattern());
    }
    return matcher;
  }
}
