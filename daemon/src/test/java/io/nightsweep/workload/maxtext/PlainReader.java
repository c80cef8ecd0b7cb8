package io.nightsweep.workload.maxtext;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a training log line by line with plain expressions; {@link TrainingLog} is compared with
 * it.
 */
final class PlainReader {
  private static final String STEP = "completed step: ";
  private static final String HEAD =
      "^\\s*(?:(?<rank>\\d{1,7}): ?)?(?:\\s*\\(\\w+ pid=(?<pid>\\d+)(?:, ip=(?<ip>[^)]+))?\\) ?)?";
  private static final Pattern PROFILER =
      Pattern.compile(
          "completed profiler (?:activation/deactivation|activation|deactivation) step: (\\d+)");
  private static final Pattern USED = Pattern.compile("Using \\(GB\\) ([0-9.]+) / [0-9.]+ \\(");
  private static final Pattern STATUS = Pattern.compile("Status: +\\w+ \\(exit (\\d+)\\)");

  /** Everything that is compared. */
  record Said(
      SortedSet<Integer> steps,
      List<String> environments,
      SortedSet<Integer> profiler,
      double usedBytes,
      SortedSet<String> unknownFlags,
      OptionalInt exitCode) {
    static Said of(TrainingLog log) {
      return new Said(
          log.series(StepLine::seconds).stream()
              .map(step -> step.index())
              .collect(Collectors.toCollection(TreeSet::new)),
          sorted(log.environments()),
          log.profilerSteps(),
          log.memoryBytes().getOrDefault("usedAfterInitBytes", 0.0),
          new TreeSet<>(log.unknownFlags()),
          log.exitCode());
    }
  }

  private PlainReader() {}

  static Said read(List<String> lines, Set<String> variables) {
    TreeSet<Integer> steps = new TreeSet<>();
    TreeMap<String, SortedMap<String, String>> environments = new TreeMap<>();
    TreeSet<Integer> profiler = new TreeSet<>();
    TreeSet<String> flags = new TreeSet<>();
    double used = 0;
    OptionalInt exitCode = OptionalInt.empty();
    boolean isSummary = false;
    for (String coloured : lines) {
      String line = coloured.replaceAll("\u001b\\[[0-9;]*m", "");
      steps.addAll(steps(line));
      for (String name : variables) {
        Matcher m = Pattern.compile(HEAD + name + "=(?<value>.*)$").matcher(line);
        if (m.find()) {
          String who = m.group("rank") + "/" + m.group("pid") + "/" + m.group("ip");
          environments.computeIfAbsent(who, w -> new TreeMap<>()).put(name, m.group("value"));
        }
      }
      Matcher p = PROFILER.matcher(line);
      while (p.find()) {
        profiler.add(Integer.valueOf(p.group(1)));
      }
      Matcher u = USED.matcher(line);
      while (u.find()) {
        used = Math.max(used, Double.parseDouble(u.group(1)) * (1L << 30));
      }
      int unknown = line.indexOf(" in XLA_FLAGS: ");
      if (unknown >= 0 && line.substring(0, unknown).contains("Unknown flag")) {
        Pattern.compile("--xla_\\w+")
            .matcher(line.substring(unknown))
            .results()
            .forEach(m -> flags.add(m.group()));
      }
      int summary = isSummary ? 0 : line.indexOf("JOB SUMMARY");
      if (summary >= 0) {
        Matcher s = STATUS.matcher(line.substring(summary));
        isSummary = !s.find();
        exitCode = isSummary ? exitCode : OptionalInt.of(Integer.parseInt(s.group(1)));
      }
    }
    return new Said(steps, sorted(environments.values()), profiler, used, flags, exitCode);
  }

  private static List<String> sorted(Collection<SortedMap<String, String>> environments) {
    return environments.stream().map(String::valueOf).sorted().toList();
  }

  /** Steps with a number, seconds and a loss. */
  private static List<Integer> steps(String line) {
    List<Integer> steps = new ArrayList<>();
    for (int at = line.indexOf(STEP); at >= 0; at = line.indexOf(STEP, at + 1)) {
      int next = line.indexOf(STEP, at + 1);
      Matcher m =
          Pattern.compile("^completed step: (\\d+)\\b.*, seconds: [0-9.]+.*, loss: [-+\\w.]")
              .matcher(line.substring(at, next < 0 ? line.length() : next));
      if (m.find()) {
        steps.add(Integer.valueOf(m.group(1)));
      }
    }
    return steps;
  }
}
