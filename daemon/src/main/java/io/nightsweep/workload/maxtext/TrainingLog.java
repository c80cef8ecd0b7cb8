package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.workload.maxtext.Line.Head;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a training job's logs say, gathered block by block while they grow. One log holds the output
 * of many ranks; a step that several print counts once.
 */
final class TrainingLog {
  private static final String COMPLETED = "completed ";
  private static final String STEP = "step: ";
  private static final String SUMMARY = "JOB SUMMARY";
  private static final Pattern PROFILER =
      Pattern.compile("completed profiler (activation|deactivation) step: (\\d{1,9})");
  private static final String UNKNOWN = " in XLA_FLAGS: ";
  private static final Pattern UNKNOWN_FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");
  private static final Pattern STATUS = Pattern.compile("Status: +\\w+ \\(exit (\\d{1,3})\\)");

  /** What precedes the first step is looked for so much longer: ranks print out of order. */
  private static final long SETTLING_BYTES = 4 << 20;

  private final Set<String> variables;
  private final NavigableMap<Source, TreeMap<Integer, StepLine>> steps = new TreeMap<>();
  private final NavigableMap<Source, SortedMap<String, String>> environments = new TreeMap<>();
  private final MemoryLines memory = new MemoryLines();
  private final TreeMap<String, Integer> profiler = new TreeMap<>();
  private final TreeSet<String> unknownFlags = new TreeSet<>();
  private OptionalInt exitCode = OptionalInt.empty();
  private boolean inSummary;
  private long bytesSinceFirstStep;

  /**
   * Who printed.
   *
   * @param file 0 for the main log; Ray's own logs, which are whole, come before it
   */
  private record Source(int file, int rank, String actor) implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
        Comparator.comparingInt(Source::file)
            .thenComparingInt(Source::rank)
            .thenComparing(Source::actor);

    @Override
    public int compareTo(Source other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * @param variables of the environment whose values are wanted
   */
  TrainingLog(Set<String> variables) {
    this.variables = Set.copyOf(variables);
  }

  /**
   * Takes in whole lines, one character a byte.
   *
   * @param file 0 for the main log, below 0 for one that is to be preferred to it
   */
  void accept(int file, String block) {
    if (bytesSinceFirstStep <= SETTLING_BYTES) {
      variables.forEach(name -> readVariable(file, block, name));
      memory.accept(block);
      readUnknownFlags(block);
    }
    readSteps(file, block);
    readSummary(block);
    if (!steps.isEmpty()) {
      bytesSinceFirstStep += block.length();
    }
  }

  /** The last step seen, -1 before the first. */
  int lastStep() {
    return steps.values().stream().mapToInt(s -> s.lastKey()).max().orElse(-1);
  }

  /** The steps of the rank that printed most of them, the others' filling its gaps. */
  List<Measurement.Step> series(ToDoubleFunction<StepLine> value) {
    TreeMap<Integer, StepLine> merged = new TreeMap<>();
    steps.values().stream()
        .sorted(Comparator.comparingInt(s -> -s.size()))
        .forEach(s -> s.forEach(merged::putIfAbsent));
    List<Measurement.Step> series = new ArrayList<>();
    merged.forEach(
        (index, line) ->
            series.add(
                new Measurement.Step(
                    index, line.seconds(), value.applyAsDouble(line), line.loss())));
    return series;
  }

  /** Memory figures by name, in bytes. */
  SortedMap<String, Double> memoryBytes() {
    return memory.bytes();
  }

  /** The environments that the ranks printed, each with the wanted variables that it has. */
  List<SortedMap<String, String>> environments() {
    return List.copyOf(environments.values());
  }

  /** The step after which the profiler went on, as the run itself says. */
  Optional<Integer> profilerActivation() {
    return Optional.ofNullable(profiler.get("activation"));
  }

  Optional<Integer> profilerDeactivation() {
    return Optional.ofNullable(profiler.get("deactivation"));
  }

  /** The flags that the build says it does not know. */
  List<String> unknownFlags() {
    return List.copyOf(unknownFlags);
  }

  /** The exit code of the job's own summary, where the log has one. */
  OptionalInt exitCode() {
    return exitCode;
  }

  private void readSteps(int file, String block) {
    int at = block.indexOf(COMPLETED);
    while (at >= 0) {
      int after = at + COMPLETED.length();
      if (block.startsWith(STEP, after)) {
        int lineEnd = endOfLine(block, after);
        int next = block.indexOf(StepLine.START, after, lineEnd);
        readStep(file, block, at, next < 0 ? lineEnd : next);
      } else if (block.startsWith("profiler ", after)) {
        Matcher m = PROFILER.matcher(block).region(at, endOfLine(block, at));
        if (m.lookingAt()) {
          profiler.putIfAbsent(m.group(1), Integer.parseInt(m.group(2)));
        }
      }
      at = block.indexOf(COMPLETED, after);
    }
  }

  private void readStep(int file, String block, int at, int end) {
    Optional<StepLine> line = StepLine.parse(block, at + StepLine.START.length(), end);
    if (line.isPresent()) {
      Head head = Line.head(block.substring(startOfLine(block, at), at));
      steps
          .computeIfAbsent(new Source(file, head.rank(), head.actor()), s -> new TreeMap<>())
          .putIfAbsent(line.get().step(), line.get());
    }
  }

  /** {@code 3: NAME=value} as {@code printenv} prints it, and no other line that names it. */
  private void readVariable(int file, String block, String name) {
    String word = name + "=";
    int at = block.indexOf(word);
    while (at >= 0) {
      int start = startOfLine(block, at);
      Head head = at - start > 300 ? null : Line.head(block.substring(start, at));
      if (head != null && head.rest().isEmpty()) {
        String value = block.substring(at + word.length(), endOfLine(block, at));
        environments
            .computeIfAbsent(new Source(file, head.rank(), head.actor()), s -> new TreeMap<>())
            .put(name, Line.withoutAnsi(decoded(value)));
      }
      at = block.indexOf(word, at + word.length());
    }
  }

  /** {@code Unknown flag(s) in XLA_FLAGS: --xla_a=1 --xla_b}: all of them on one line. */
  private void readUnknownFlags(String block) {
    int at = block.indexOf(UNKNOWN);
    while (at >= 0) {
      int end = endOfLine(block, at);
      if (block.substring(startOfLine(block, at), at).contains("Unknown flag")) {
        Matcher m = UNKNOWN_FLAG.matcher(block).region(at, end);
        while (m.find()) {
          unknownFlags.add(m.group());
        }
      }
      at = block.indexOf(UNKNOWN, end);
    }
  }

  private void readSummary(String block) {
    int at = inSummary ? 0 : block.indexOf(SUMMARY);
    if (at < 0) {
      return;
    }
    inSummary = true;
    Matcher m = STATUS.matcher(Line.withoutAnsi(block.substring(at)));
    if (m.find()) {
      exitCode = OptionalInt.of(Integer.parseInt(m.group(1)));
      inSummary = false;
    }
  }

  private static int startOfLine(String block, int at) {
    return block.lastIndexOf('\n', at) + 1;
  }

  private static int endOfLine(String block, int at) {
    int end = block.indexOf('\n', at);
    return end < 0 ? block.length() : end;
  }

  private static String decoded(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
