package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Measurement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
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
  private static final String PROFILER = "completed profiler ";
  private static final Pattern PROFILER_STEP =
      Pattern.compile(
          PROFILER + "(?:activation/deactivation|activation|deactivation) step: (\\d{1,9})");
  private static final String UNKNOWN = " in XLA_FLAGS: ";
  private static final Pattern UNKNOWN_FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");

  /** What precedes the first step is looked for so much longer: ranks print out of order. */
  private static final long SETTLING_BYTES = 4 << 20;

  /** What is looked for to the log's end. */
  private static final List<String> LASTING =
      List.of(StepLine.START, PROFILER, JobSummary.BEGIN, InstalledMaxText.PROVENANCE);

  private static final Source METRICS = new Source(1, -1, "");

  private static final Words SETTLED = new Words(LASTING);

  private final Words settling;
  private final Words summing;
  private final NavigableMap<Source, TreeMap<Integer, StepLine>> steps = new TreeMap<>();
  private final EnvironmentLines environment;
  private final MemoryLines memory = new MemoryLines();
  private final TreeSet<Integer> profiler = new TreeSet<>();
  private final ProvenanceLines provenance = new ProvenanceLines();
  private final TreeSet<String> unknownFlags = new TreeSet<>();
  private final JobSummary summary = new JobSummary();
  private long bytesSinceFirstStep;

  /**
   * @param variables of the environment whose values are wanted
   */
  TrainingLog(Set<String> variables) {
    environment = new EnvironmentLines(variables);
    List<String> words = new ArrayList<>(LASTING);
    words.add(UNKNOWN);
    words.addAll(environment.words());
    words.addAll(MemoryLines.WORDS);
    settling = new Words(words);
    words.add(JobSummary.STATUS);
    summing = new Words(words);
  }

  /**
   * Takes in whole lines. What comes of them is the same however the log is cut into blocks.
   *
   * @param file 0 for the main log, below 0 for one that is to be preferred to it
   * @param length how many of the block's bytes are to be read
   */
  void accept(int file, byte[] block, int length) {
    int at = 0;
    while (at < length) {
      int start = words().nextLine(block, at, length);
      pass(start - at);
      at = start;
      if (start < length) {
        int end = endOfLine(block, start, length);
        read(file, new String(block, start, end - start, StandardCharsets.ISO_8859_1));
        at = end + 1;
        pass(at - start);
      }
    }
  }

  private Words words() {
    return summary.isOpen() ? summing : isSettled() ? SETTLED : settling;
  }

  private boolean isSettled() {
    return bytesSinceFirstStep > SETTLING_BYTES;
  }

  private void pass(int bytes) {
    bytesSinceFirstStep += steps.isEmpty() ? 0 : bytes;
  }

  private void read(int file, String line) {
    if (!isSettled()) {
      environment.accept(file, line);
      memory.accept(line);
      readUnknownFlags(line);
    }
    readSteps(file, line);
    provenance.accept(line);
    summary.accept(line);
  }

  /** The last step seen, those without figures among them; -1 before the first. */
  int lastStep() {
    return Math.max(
        steps.values().stream().mapToInt(s -> s.lastKey()).max().orElse(-1),
        profiler.isEmpty() ? -1 : profiler.last());
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
    return environment.environments();
  }

  /** The steps at which the profiler went on or off, of which MaxText may hide the figures. */
  SortedSet<Integer> profilerSteps() {
    return Collections.unmodifiableSortedSet(profiler);
  }

  /** The software that the job runs with, by name. */
  SortedMap<String, String> provenance() {
    return provenance.byName();
  }

  /** Takes in lines of a metrics file, which tells the steps that the logs do not. */
  void acceptMetrics(Collection<String> lines) {
    lines.stream()
        .flatMap(line -> MetricsLine.parse(line).stream())
        .forEach(step -> add(METRICS, step));
  }

  /** The flags that the build says it does not know. */
  List<String> unknownFlags() {
    return List.copyOf(unknownFlags);
  }

  /** The exit code of the job's own summary, where the log has one. */
  OptionalInt exitCode() {
    return summary.exitCode();
  }

  private void readSteps(int file, String line) {
    int at = line.indexOf(StepLine.START);
    while (at >= 0) {
      int next = line.indexOf(StepLine.START, at + 1);
      readStep(file, line, at, next < 0 ? line.length() : next);
      at = next;
    }
    if (line.contains(PROFILER)) {
      Matcher m = PROFILER_STEP.matcher(line);
      while (m.find()) {
        profiler.add(Integer.valueOf(m.group(1)));
      }
    }
  }

  private void readStep(int file, String line, int at, int end) {
    Optional<StepLine> step = StepLine.parse(line, at + StepLine.START.length(), end);
    if (step.isPresent()) {
      add(Source.of(file, Line.head(line.substring(0, at))), step.get());
    }
  }

  private void add(Source source, StepLine step) {
    steps.computeIfAbsent(source, s -> new TreeMap<>()).putIfAbsent(step.step(), step);
  }

  /** {@code Unknown flag(s) in XLA_FLAGS: --xla_a=1 --xla_b}: all of them on one line. */
  private void readUnknownFlags(String line) {
    int at = line.indexOf(UNKNOWN);
    if (at >= 0 && line.substring(0, at).contains("Unknown flag")) {
      Matcher m = UNKNOWN_FLAG.matcher(line).region(at, line.length());
      while (m.find()) {
        unknownFlags.add(m.group());
      }
    }
  }

  private static int endOfLine(byte[] block, int at, int to) {
    int end = at;
    while (end < to && block[end] != '\n') {
      end++;
    }
    return end;
  }
}
