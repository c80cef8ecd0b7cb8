package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.Workload.SetupProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compares what the scripts of a launcher's checkout support with what a sweep needs. */
final class LauncherScripts {
  private static final Pattern VARIABLE = Pattern.compile("\\b[A-Z][A-Z0-9_]{2,}\\b");
  private static final Pattern STAGES = Pattern.compile("(?m)^\\s*stage_timeout_init((?: +\\S+)+)");
  private static final Pattern CALLS_MAIN = Pattern.compile("(?m)^ *from MaxText import train\\b");

  /**
   * The module that now has the main function; a launcher that names both checks which one exists.
   */
  private static final String MOVED = "maxtext.trainers.pre_train";

  private static final String RAY = "_train_with_ray.sh";

  /** The launcher's scripts in the order in which each calls the next, as far as they exist. */
  private static final List<String> CHAIN =
      List.of("submit.sh", "_job.sbatch", "_container.sh", "_train.sh");

  private final Path checkout;

  LauncherScripts(Path checkout) {
    this.checkout = checkout;
  }

  List<SetupProblem> problems(MaxTextSettings settings) {
    List<SetupProblem> problems = new ArrayList<>();
    missing().ifPresent(problems::add);
    if (settings.ray()
        && Files.exists(checkout.resolve("_container.sh"))
        && !Files.exists(checkout.resolve(RAY))) {
      problems.add(
          new SetupProblem(
              "the launcher has no " + RAY + ", and the sweep trains through Ray",
              "set workload.ray to false",
              true,
              "workload/ray"));
    }
    settings.stageTimeouts().flatMap(this::stages).ifPresent(problems::add);
    settings.launcher().keySet().stream()
        .flatMap(name -> misspelt(name).stream())
        .forEach(problems::add);
    return problems;
  }

  /**
   * Whether its Python code calls the main function of {@code MaxText.train} and of no other
   * module.
   */
  boolean callsMain() {
    return files(checkout.resolve("utils"), ".*\\.py")
        .map(LauncherHosts::text)
        .anyMatch(text -> CALLS_MAIN.matcher(text).find() && !text.contains(MOVED));
  }

  private Optional<SetupProblem> missing() {
    for (int i = 1; i < CHAIN.size(); i++) {
      String script = CHAIN.get(i);
      if (!Files.exists(checkout.resolve(script))
          && LauncherHosts.text(checkout.resolve(CHAIN.get(i - 1))).contains(script)) {
        return Optional.of(
            new SetupProblem(
                CHAIN.get(i - 1) + " calls " + script + ", which is not in " + checkout,
                "restore it: git -C " + checkout + " checkout -- " + script,
                true,
                "workload/repository"));
      }
    }
    return Optional.empty();
  }

  /**
   * Finds unknown stages, at which the job would end: each must be among those that the job's
   * script registers.
   */
  private Optional<SetupProblem> stages(String written) {
    Matcher registered = STAGES.matcher(LauncherHosts.text(checkout.resolve("_job.sbatch")));
    if (!registered.find()) {
      return Optional.empty();
    }
    List<String> known = names(registered.group(1).strip(), " +");
    return names(written, ",").stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .map(
            name ->
                new SetupProblem(
                    "the launcher has no stage '" + name + "'",
                    "expected " + String.join(", ", known) + ", as in " + known.getLast() + ":2400",
                    true,
                    "workload/stageTimeouts",
                    known));
  }

  private static List<String> names(String entries, String separator) {
    return Arrays.stream(entries.split(separator)).map(entry -> entry.split(":", 2)[0]).toList();
  }

  /**
   * Reports only slips of known variables: programs behind the scripts read variables of their own.
   */
  private Optional<SetupProblem> misspelt(String name) {
    Set<String> read = variables();
    return read.contains(name)
        ? Optional.empty()
        : read.stream()
            .filter(known -> isSlip(name, known))
            .findFirst()
            .map(
                known ->
                    new SetupProblem(
                        "no script of the launcher reads " + name,
                        "write " + known + ", which they read",
                        true,
                        "workload/launcher/" + name));
  }

  private Set<String> variables() {
    Set<String> names = new TreeSet<>();
    Stream.of("", "utils", "configs")
        .flatMap(folder -> files(checkout.resolve(folder), ".*\\.(?:sh|sbatch|template)"))
        .map(LauncherHosts::text)
        .forEach(
            text -> VARIABLE.matcher(text).results().map(MatchResult::group).forEach(names::add));
    return names;
  }

  /** Files with such a name; empty where there is no such folder. */
  private static Stream<Path> files(Path folder, String name) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().matches(name)).toList().stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /** Whether one letter is missing, added or different, or two neighbours are swapped. */
  static boolean isSlip(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    int front = 0;
    while (front < shorter && a.charAt(front) == b.charAt(front)) {
      front++;
    }
    int back = 0;
    while (back < shorter - front
        && a.charAt(a.length() - 1 - back) == b.charAt(b.length() - 1 - back)) {
      back++;
    }
    String left = a.substring(front, a.length() - back);
    String right = b.substring(front, b.length() - back);
    return (left.length() <= 1 && right.length() <= 1)
        || (left.length() == 2 && new StringBuilder(left).reverse().toString().equals(right));
  }
}
