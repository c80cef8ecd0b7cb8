package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.sweep.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a training job's logs say, gathered line by line while they grow. */
final class TrainingLog implements LogListener {
  private static final String UNKNOWN = " in XLA_FLAGS: ";
  private static final Pattern UNKNOWN_FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");
  private static final String UNPARSED = "Couldn't interpret value ";
  private static final Pattern UNPARSED_FLAG =
      Pattern.compile(UNPARSED + "(.{0,400}?) for flag -*(xla_[A-Za-z0-9_]+)");

  /** A build knows thousands of flags, and a profile sets a few dozen. */
  private static final int MOST_UNKNOWN_FLAGS = 500;

  /** What precedes the first step is looked for so much longer: ranks print out of order. */
  private static final long SETTLING_LINES = 1 << 15;

  private static final List<String> OF_THE_JOB =
      List.of(JobSummary.BEGIN, JobSummary.STATUS, InstalledMaxText.PROVENANCE);

  /** What is looked for to the log's end. */
  private static final List<String> LASTING =
      Stream.concat(TrainingSteps.WORDS.stream(), OF_THE_JOB.stream()).toList();

  private final PatternSet stepless = PatternSets.ofWords(OF_THE_JOB);
  private final PatternSet settled = PatternSets.ofWords(LASTING);
  private final PatternSet settling;
  private final TrainingSteps steps;
  private final EnvironmentLines environment;
  private final MemoryLines memory = new MemoryLines();
  private final ProvenanceLines provenance = new ProvenanceLines();
  private final SettingLines settings = new SettingLines();
  private final TreeSet<String> unknownFlags = new TreeSet<>();
  private final JobSummary summary = new JobSummary();
  private long latestAt;

  /**
   * @param variables of the environment whose values are wanted
   * @param teller hears of each step
   */
  TrainingLog(Set<String> variables, StepTeller teller) {
    steps = new TrainingSteps(teller);
    environment = new EnvironmentLines(variables);
    List<String> words = new ArrayList<>(LASTING);
    words.add(UNKNOWN);
    words.add(UNPARSED);
    words.add(SettingLines.NAMES);
    words.add(SettingLines.COUNT);
    words.addAll(environment.words());
    words.addAll(MemoryLines.WORDS);
    settling = PatternSets.ofWords(words);
  }

  @Override
  public PatternSet patterns() {
    return !isSettled(latestAt) ? settling : steps.areLookedFor() ? settled : stepless;
  }

  /** What comes of the lines is the same however the log is cut into blocks. */
  @Override
  public void line(Line line, int[] candidates) {
    latestAt = line.ordinal();
    if (!isSettled(line.ordinal())) {
      environment.accept(line);
      memory.accept(line.text());
      settings.accept(line);
      readUnknownFlags(line.text());
    }
    steps.accept(line);
    provenance.accept(line);
    summary.accept(line.text());
  }

  private boolean isSettled(long ordinal) {
    return ordinal - SETTLING_LINES > steps.firstAt();
  }

  /** The last step seen, those without figures among them; -1 before the first. */
  int lastStep() {
    return steps.last();
  }

  /** The steps of the rank that printed most of them, the others' filling its gaps. */
  List<Measurement.MeasuredStep> series(ToDoubleFunction<StepLine> value) {
    return steps.series(value);
  }

  /** The first step whose loss is no finite number. */
  OptionalInt divergedAt() {
    return steps.series(StepLine::seconds).stream()
        .filter(step -> !Double.isFinite(step.loss().orElse(0)))
        .mapToInt(Measurement.MeasuredStep::index)
        .findFirst();
  }

  /** Memory figures by name, in bytes. */
  SortedMap<String, Double> memoryBytes() {
    return memory.bytes();
  }

  /** The environments that the ranks printed, each with the wanted variables that it has. */
  List<SortedMap<String, String>> environments() {
    return environment.environments();
  }

  /** The steps at which the profiler went on or off; MaxText may hide their figures. */
  SortedSet<Integer> profilerSteps() {
    return steps.ofProfiler();
  }

  /** The software that the job runs with, by name. */
  SortedMap<String, String> provenance() {
    return provenance.byName();
  }

  /** All settings that the installed MaxText has, where the job is a probe. */
  SortedSet<String> knownSettings() {
    return settings.names();
  }

  /** The flags that the build says it does not know, and those whose value it cannot parse. */
  List<String> unknownFlags() {
    return List.copyOf(unknownFlags);
  }

  /** The exit code of the job's own summary, where the log has one. */
  OptionalInt exitCode() {
    return summary.exitCode();
  }

  /** {@code Unknown flag(s) in XLA_FLAGS: --xla_a=1 --xla_b}: all of them on one line. */
  private void readUnknownFlags(String line) {
    int at = line.indexOf(UNKNOWN);
    if (at >= 0 && line.substring(0, at).contains("Unknown flag")) {
      Matcher m = UNKNOWN_FLAG.matcher(line).region(at, line.length());
      while (unknownFlags.size() < MOST_UNKNOWN_FLAGS && m.find()) {
        unknownFlags.add(m.group());
      }
    }
    if (line.contains(UNPARSED)) {
      Matcher m = UNPARSED_FLAG.matcher(line);
      while (unknownFlags.size() < MOST_UNKNOWN_FLAGS && m.find()) {
        unknownFlags.add("--" + m.group(2) + "=" + m.group(1));
      }
    }
  }
}
