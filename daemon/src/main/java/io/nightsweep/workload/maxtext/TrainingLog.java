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

/** Gathers what a training job's logs contain, line by line while they grow. */
final class TrainingLog implements LogListener {
  private static final String UNKNOWN = " in XLA_FLAGS: ";
  private static final Pattern UNKNOWN_FLAG = Pattern.compile("--xla_[A-Za-z0-9_]+");
  private static final String UNPARSED = "Couldn't interpret value ";
  private static final Pattern UNPARSED_FLAG =
      Pattern.compile(UNPARSED + "(.{0,400}?) for flag -*(xla_[A-Za-z0-9_]+)");

  /** A limit: a build knows thousands of flags, but a profile sets a few dozen. */
  private static final int MOST_UNKNOWN_FLAGS = 500;

  /**
   * For this many lines after the first step, texts that precede steps are still searched for,
   * since ranks print out of order.
   */
  private static final long SETTLING_LINES = 1 << 15;

  private static final List<String> OF_THE_JOB =
      List.of(JobSummary.BEGIN, JobSummary.STATUS, InstalledMaxText.PROVENANCE);

  /** Texts that are searched for up to the log's end. */
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
   * @param variables of the environment to read
   * @param teller is told each step
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

  /** The result does not depend on how the log is split into blocks. */
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

  /** The last step seen, even without figures; -1 before the first. */
  int lastStep() {
    return steps.last();
  }

  /** The steps of the rank that printed most; steps that it lacks come from the others. */
  List<Measurement.MeasuredStep> series(ToDoubleFunction<StepLine> value) {
    return steps.series(value);
  }

  /** The first step with a loss that is not finite. */
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

  /** The wanted variables in the environments that the ranks printed. */
  List<SortedMap<String, String>> environments() {
    return environment.environments();
  }

  /** The steps at which the profiler started or stopped; MaxText may not print their figures. */
  SortedSet<Integer> profilerSteps() {
    return steps.ofProfiler();
  }

  /** The software in the job, by name. */
  SortedMap<String, String> provenance() {
    return provenance.byName();
  }

  /** All settings of the installed MaxText, if the job is a probe. */
  SortedSet<String> knownSettings() {
    return settings.names();
  }

  /** Flags that the build does not know, and those with a value that it cannot parse. */
  List<String> unknownFlags() {
    return List.copyOf(unknownFlags);
  }

  /** The exit code in the job's own summary, if the log has one. */
  OptionalInt exitCode() {
    return summary.exitCode();
  }

  /** {@code Unknown flag(s) in XLA_FLAGS: --xla_a=1 --xla_b}: all flags are on one line. */
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
