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
 * The steps that a training prints: what a step of MaxText is, for its figures and for all who
 * listen to the same log. A step that several ranks print counts once.
 */
final class TrainingSteps implements LogListener {
  private static final String PROFILER = "completed profiler ";
  private static final Pattern PROFILER_STEP =
      Pattern.compile(
          PROFILER + "(?:activation/deactivation|activation|deactivation) step: (\\d{1,9})");

  /** A job prints whatever ranks and steps it likes; what is beyond these is heard and not held. */
  private static final int MOST_RANKS = 1024;

  /** All of them stand in one line of the journal, whatever their figures look like. */
  private static final int MOST_STEPS = 100_000;

  private static final int MOST_OF_PROFILER = 10_000;

  /**
   * After so many lines of steps of which none is new, by when all ranks have printed theirs, one
   * part of the log in {@link #OF_PARTS} is searched for steps until there is a new one.
   */
  private static final int MOST_IN_VAIN = 1 << 17;

  private static final int OF_PARTS = 16;

  /** What a shell under {@code set -x} is about to do, where a command may have a step's words. */
  private static final Pattern TRACE = Pattern.compile("\\++ ");

  /** A line without any of them tells no step. */
  static final List<String> WORDS =
      List.of(StepLine.START, PROFILER, MetricsLine.WORD, Scalar.START);

  private final PatternSet words = PatternSets.ofWords(WORDS);
  private final NavigableMap<Rank, StepsOfRank> steps = new TreeMap<>();

  /**
   * The steps of TensorBoard's event files, which count where neither log nor metrics file has any.
   */
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

  /** Whether the next part of the log is searched for steps; asked once for each part. */
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
    if (TRACE.matcher(line.body()).lookingAt()) {
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

  /** Events are written late: of a step that is known already they tell nothing new. */
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

  /** The ranks' steps, those first that count first. */
  private List<NavigableMap<Integer, StepLine>> told() {
    return steps.isEmpty()
        // Each start of the training writes a file of its own, whose name begins with the time.
        ? events.descendingMap().values().stream().map(StepsOfRank::steps).toList()
        // Of as many the logs that Ray's workers wrote themselves come first, which are whole.
        : steps.entrySet().stream()
            .sorted(
                Comparator.<Map.Entry<Rank, StepsOfRank>>comparingInt(
                        s -> -s.getValue().steps().size())
                    .thenComparing(s -> isMetrics(s.getKey()))
                    .thenComparing(s -> s.getKey().actor().isEmpty()))
            .map(s -> s.getValue().steps())
            .toList();
  }

  /** The ordinal of the first line with a step's figures; the largest number before it. */
  long firstAt() {
    return firstAt;
  }

  /** The last step seen, those without figures among them; -1 before the first. */
  int last() {
    return Math.max(
        told().stream().mapToInt(s -> s.lastKey()).max().orElse(-1),
        profiler.isEmpty() ? -1 : profiler.last());
  }

  /**
   * The steps of the rank that printed most of them, of event files those of the latest; the others
   * fill its gaps.
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

  /** The steps at which the profiler went on or off; MaxText may hide their figures. */
  SortedSet<Integer> ofProfiler() {
    return Collections.unmodifiableSortedSet(profiler);
  }

  /** A file of figures alone, for what the logs do not tell. */
  private static boolean isMetrics(Rank rank) {
    return rank.actor().startsWith(InstalledMaxText.METRICS);
  }
}
