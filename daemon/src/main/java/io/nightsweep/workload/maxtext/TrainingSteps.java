package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.Scalar;
import io.nightsweep.joblog.Step;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.sweep.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the steps that a training prints, for its figures and for other listeners to the same log.
 * A step that several ranks print counts once.
 */
final class TrainingSteps implements LogListener {
  private static final String PROFILER = "completed profiler ";
  private static final Pattern PROFILER_STEP =
      Pattern.compile(
          PROFILER + "(?:activation/deactivation|activation|deactivation) step: (\\d{1,9})");

  /** A job may print any ranks and steps; those beyond the limits are read but not stored. */
  private static final int MOST_RANKS = 1024;

  /** A limit, since all steps are in one line of the journal. */
  private static final int MOST_STEPS = 100_000;

  private static final int MOST_OF_PROFILER = 10_000;

  /**
   * After this many step lines without a new step, all ranks must have printed theirs. From then on
   * only one part of the log in {@link #OF_PARTS} is searched, until a new step appears.
   */
  private static final int MOST_IN_VAIN = 1 << 17;

  private static final int OF_PARTS = 16;

  /**
   * A line with which a shell under {@code set -x} announces a command; the command may contain a
   * step's words.
   */
  private static final Pattern TRACE = Pattern.compile("\\++ ");

  /** Only a line with one of these words can have a step. */
  static final List<String> WORDS =
      List.of(StepLine.START, PROFILER, MetricsLine.WORD, Scalar.START);

  private final PatternSet words = PatternSets.ofWords(WORDS);
  private final NavigableMap<Rank, StepsOfRank> steps = new TreeMap<>();

  /** The steps of TensorBoard's event files, used where neither log nor metrics file has any. */
  private final NavigableMap<Rank, StepsOfRank> events = new TreeMap<>();

  private final Map<Rank, ScalarSteps> scalars = new TreeMap<>();
  private final TreeSet<Integer> profiler = new TreeSet<>();
  private final StepTeller teller;
  private long firstAt = Long.MAX_VALUE;
  private int held;
  private int inVain;
  private int parts;

  TrainingSteps(StepTeller teller) {
    this.teller = teller;
  }

  @Override
  public PatternSet patterns() {
    return areLookedFor() ? words : PatternSet.NONE;
  }

  /** Whether the next part of the log is searched for steps; call it once for each part. */
  boolean areLookedFor() {
    return inVain < MOST_IN_VAIN || ++parts % OF_PARTS == 0;
  }

  @Override
  public void line(Line line, int[] candidates) {
    accept(line);
  }

  void accept(Line line) {
    inVain++;
    if (isMetrics(line.rank())) {
      MetricsLine.parse(line.text()).ifPresent(step -> add(line, step));
      return;
    }
    if (line.rank().actor().startsWith(JobLogs.EVENTS)) {
      Scalar.parse(line.text())
          .flatMap(scalars.computeIfAbsent(line.rank(), r -> new ScalarSteps())::accept)
          .ifPresent(step -> addOfEvents(line, step));
      return;
    }
    if (line.body().startsWith("+") && TRACE.matcher(line.body()).lookingAt()) {
      return;
    }
    String text = line.text();
    int at = text.indexOf(StepLine.START);
    while (at >= 0) {
      int next = text.indexOf(StepLine.START, at + 1);
      Optional<StepLine> step =
          StepLine.parse(text, at + StepLine.START.length(), next < 0 ? text.length() : next);
      if (step.isPresent()) {
        add(line, step.get());
      }
      at = next;
    }
    if (text.contains(PROFILER)) {
      Matcher m = PROFILER_STEP.matcher(text);
      while (m.find()) {
        int step = Integer.parseInt(m.group(1));
        if (profiler.size() < MOST_OF_PROFILER && profiler.add(step)) {
          inVain = 0;
        }
        teller.step(line, new Step(step, Double.NaN));
      }
    }
  }

  private void add(Line line, StepLine step) {
    firstAt = Math.min(firstAt, line.ordinal());
    hold(steps, line.rank(), step);
    teller.step(line, new Step(step.step(), step.seconds()));
  }

  /**
   * Adds a step of an event file. Event files are written late, so a step that is known already is
   * not reported again.
   */
  private void addOfEvents(Line line, StepLine step) {
    hold(events, line.rank(), step);
    if (steps.isEmpty()) {
      firstAt = Math.min(firstAt, line.ordinal());
      teller.step(line, new Step(step.step(), step.seconds()));
    }
  }

  private void hold(NavigableMap<Rank, StepsOfRank> by, Rank rank, StepLine step) {
    if (held < MOST_STEPS && (by.size() < MOST_RANKS || by.containsKey(rank))) {
      if (by.computeIfAbsent(rank, r -> new StepsOfRank()).add(step)) {
        held++;
        inVain = 0;
      }
    }
  }

  /** The ranks' steps in order of precedence. */
  private List<NavigableMap<Integer, StepLine>> told() {
    return steps.isEmpty()
        // Each start of the training writes a file of its own with a name that begins with the
        // time: the latest comes first.
        ? events.descendingMap().values().stream().map(StepsOfRank::steps).toList()
        // Among ranks with equally many steps, logs that Ray's workers wrote themselves come first,
        // since these are complete.
        : steps.entrySet().stream()
            .sorted(
                Comparator.<Map.Entry<Rank, StepsOfRank>>comparingInt(
                        s -> -s.getValue().steps().size())
                    .thenComparing(s -> isMetrics(s.getKey()))
                    .thenComparing(s -> s.getKey().actor().isEmpty()))
            .map(s -> s.getValue().steps())
            .toList();
  }

  /** The ordinal of the first line with a step's figures; the maximum value before there is one. */
  long firstAt() {
    return firstAt;
  }

  /** The last step seen, even without figures; -1 before the first. */
  int last() {
    return Math.max(
        told().stream().mapToInt(s -> s.lastKey()).max().orElse(-1),
        profiler.isEmpty() ? -1 : profiler.last());
  }

  /**
   * The steps of the rank that printed most, or of the latest event file; steps that it lacks come
   * from the others.
   */
  List<Measurement.MeasuredStep> series(ToDoubleFunction<StepLine> value) {
    TreeMap<Integer, StepLine> merged = new TreeMap<>();
    told().forEach(steps -> steps.forEach(merged::putIfAbsent));
    List<Measurement.MeasuredStep> series = new ArrayList<>();
    merged.forEach(
        (index, line) ->
            series.add(
                new Measurement.MeasuredStep(
                    index, line.seconds(), value.applyAsDouble(line), line.loss())));
    return series;
  }

  /** The steps at which the profiler started or stopped; MaxText may not print their figures. */
  SortedSet<Integer> ofProfiler() {
    return Collections.unmodifiableSortedSet(profiler);
  }

  /** Whether the rank is a metrics file, which supplies only figures that the logs lack. */
  private static boolean isMetrics(Rank rank) {
    return rank.actor().startsWith(InstalledMaxText.METRICS);
  }
}
