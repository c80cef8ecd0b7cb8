package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Confirmation;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Noise;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Two sweeps side by side, such as two nights of one cell: how far the baseline moved, and whether
 * the gains of their common profiles differ.
 *
 * @param unlike differences to know before comparing figures, such as other nodes
 * @param baseline the second sweep's baseline relative to the first's; NaN where one has none, or
 *     where they measure different things
 * @param profiles with equal settings in both, in the order of the first leaderboard
 * @param onlyFirst profiles that the second sweep has not measured with these settings
 * @param onlySecond profiles that the first sweep has not measured with these settings
 */
public record ComparedSweeps(
    String first,
    String second,
    List<Unlike> unlike,
    GainChange baseline,
    List<Pair> profiles,
    List<String> onlyFirst,
    List<String> onlySecond) {

  private static final double LEVEL = 0.95;

  private static final String METRIC = "metric";

  /** If one of these differs, figures of the two baselines have different meanings. */
  private static final Set<String> MEASURE = Set.of("model", "workload", METRIC);

  private static final GainChange UNKNOWN =
      new GainChange(Double.NaN, Optional.empty(), Optional.empty());

  /** Whether both baselines are figures of the same program in the same metric. */
  public boolean isOfOneMeasure() {
    return isOfOneMeasure(unlike);
  }

  private static boolean isOfOneMeasure(List<Unlike> unlike) {
    return unlike.stream().map(Unlike::what).noneMatch(MEASURE::contains);
  }

  /** The two metrics, if they differ: then nothing can be compared. */
  public Optional<Unlike> otherMetric() {
    return otherMetric(unlike);
  }

  private static Optional<Unlike> otherMetric(List<Unlike> unlike) {
    return unlike.stream().filter(u -> u.what().equals(METRIC)).findFirst();
  }

  /**
   * Something that differs between the two.
   *
   * @param what such as {@code nodes} or {@code workload.steps}
   */
  public record Unlike(String what, String first, String second) {
    public String words(Phrases t) {
      List<String> a = first.lines().toList();
      List<String> b = second.lines().toList();
      int same = 0;
      while (same < Math.min(a.size(), b.size()) - 1 && a.get(same).equals(b.get(same))) {
        same++;
      }
      return t.text("unlike", t.textOr("unlike." + what, what), line(a, same), line(b, same));
    }

    /** One line of a text, with dots for omitted lines before and after it. */
    private static String line(List<String> text, int at) {
      String line = at < text.size() ? text.get(at).strip() : "";
      return (at > 0 ? "... " : "") + line + (at + 1 < text.size() ? " ..." : "");
    }
  }

  /**
   * A difference in percent with its 95 % interval (Welch's, of log ratios).
   *
   * @param lowPercent absent where a side has too few runs to know its noise
   */
  public record GainChange(
      double percent, Optional<Double> lowPercent, Optional<Double> highPercent) {
    /** Whether the interval excludes zero; false while there is none. */
    public boolean isCertain() {
      return lowPercent.filter(low -> low > 0).isPresent()
          || highPercent.filter(high -> high < 0).isPresent();
    }
  }

  /**
   * @param profile its name in the first sweep
   * @param secondProfile its name in the second
   * @param firstGainPercent over the first sweep's own baseline, as its report publishes it
   * @param change of the gain from the first to the second
   */
  public record Pair(
      String profile,
      String secondProfile,
      String settings,
      double firstGainPercent,
      int firstRuns,
      double secondGainPercent,
      int secondRuns,
      GainChange change) {}

  public static ComparedSweeps of(SweepState a, SweepState b) {
    return of(a, Standings.board(a), b, Standings.board(b));
  }

  /**
   * The comparison from both leaderboards, the most expensive part. Sweeps with different metrics
   * have no profiles in common, since their gains cannot be compared.
   */
  public static ComparedSweeps of(
      SweepState a, Leaderboard boardA, SweepState b, Leaderboard boardB) {
    List<Unlike> unlike = unlike(a, b);
    if (otherMetric(unlike).isPresent()) {
      return new ComparedSweeps(
          a.sweep(), b.sweep(), unlike, UNKNOWN, List.of(), List.of(), List.of());
    }
    TreeMap<String, Standing> byHash = new TreeMap<>();
    boardB.standings().forEach(st -> byHash.put(b.profile(st.profile()).hash(), st));
    List<Pair> pairs = new ArrayList<>();
    List<String> onlyFirst = new ArrayList<>();
    for (Standing st : boardA.standings()) {
      Profile profile = a.profile(st.profile());
      Optional<Standing> other = Optional.ofNullable(byHash.remove(profile.hash()));
      if (other.isEmpty()) {
        onlyFirst.add(st.profile());
        continue;
      }
      pairs.add(
          new Pair(
              st.profile(),
              other.get().profile(),
              profile.describe(),
              Interval.percent(Standings.publishedLogGain(st)),
              runs(st),
              Interval.percent(Standings.publishedLogGain(other.get())),
              runs(other.get()),
              change(of(st, boardA.noise()), of(other.get(), boardB.noise()))));
    }
    return new ComparedSweeps(
        a.sweep(),
        b.sweep(),
        unlike,
        isOfOneMeasure(unlike) ? change(baseline(a), baseline(b)) : UNKNOWN,
        List.copyOf(pairs),
        List.copyOf(onlyFirst),
        byHash.values().stream().map(Standing::profile).sorted().toList());
  }

  /** A mean of logarithms with its estimated error. */
  private record LogMean(double log, double standardError, int degreesOfFreedom) {}

  /** A single run decides nothing, even if the noise of the sweep is well known. */
  private static LogMean of(Standing st, Noise noise) {
    int runs = runs(st);
    return new LogMean(
        Standings.publishedLogGain(st),
        runs < 2
            ? Double.NaN
            : fresh(st).isPresent()
                ? noise.total() * Math.sqrt(2.0 / runs)
                : st.estimate().standardError(),
        noise.degreesOfFreedom());
  }

  private static int runs(Standing st) {
    return fresh(st).map(Confirmation::runs).orElse(st.estimate().runs());
  }

  /** The fresh runs and their controls, if the report publishes them. */
  private static Optional<Confirmation> fresh(Standing st) {
    return st.confirmation().filter(Confirmation::complete);
  }

  private static LogMean baseline(SweepState s) {
    double[] logs =
        CountedRuns.on(s, s.spec().primaryTag().name())
            .of(Profile.BASELINE)
            .mapToDouble(Measurement::value)
            .map(Math::log)
            .toArray();
    double mean = 0;
    for (double log : logs) {
      mean += log / logs.length;
    }
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    int freedom = logs.length - 1;
    return logs.length == 0
        ? new LogMean(Double.NaN, Double.NaN, 0)
        : new LogMean(
            mean, freedom > 0 ? Math.sqrt(squares / freedom / logs.length) : Double.NaN, freedom);
  }

  private static GainChange change(LogMean a, LogMean b) {
    double difference = b.log() - a.log();
    double varianceA = a.standardError() * a.standardError();
    double varianceB = b.standardError() * b.standardError();
    double error = Math.sqrt(varianceA + varianceB);
    if (!(error > 0) || a.degreesOfFreedom() < 1 || b.degreesOfFreedom() < 1) {
      return new GainChange(Interval.percent(difference), Optional.empty(), Optional.empty());
    }
    double freedom =
        Math.pow(error, 4)
            / (varianceA * varianceA / a.degreesOfFreedom()
                + varianceB * varianceB / b.degreesOfFreedom());
    double reach = error * TDistribution.of(freedom).inverseCumulativeProbability((1 + LEVEL) / 2);
    return new GainChange(
        Interval.percent(difference),
        Optional.of(Interval.percent(difference - reach)),
        Optional.of(Interval.percent(difference + reach)));
  }

  private static List<Unlike> unlike(SweepState a, SweepState b) {
    List<Unlike> unlike = new ArrayList<>();
    differ(unlike, "model", a.cell().model(), b.cell().model());
    differ(unlike, "parallelism", a.cell().parallelism(), b.cell().parallelism());
    differ(unlike, "nodes", String.join(",", a.cell().nodes()), String.join(",", b.cell().nodes()));
    differ(unlike, "workload", a.spec().workload(), b.spec().workload());
    differ(unlike, METRIC, words(a.spec().metric()), words(b.spec().metric()));
    differ(unlike, "configTag", a.spec().primaryTag().name(), b.spec().primaryTag().name());
    differ(
        unlike,
        Profile.BASELINE,
        a.profile(Profile.BASELINE).describe(),
        b.profile(Profile.BASELINE).describe());
    TreeMap<String, String> settings = new TreeMap<>(a.spec().settings());
    b.spec().settings().forEach(settings::putIfAbsent);
    settings
        .keySet()
        .forEach(
            key ->
                differ(
                    unlike,
                    "workload." + key,
                    a.spec().settings().getOrDefault(key, "-"),
                    b.spec().settings().getOrDefault(key, "-")));
    return List.copyOf(unlike);
  }

  private static String words(Metric metric) {
    return "%s (%s, %s is better)"
        .formatted(metric.name(), metric.unit(), LowerCase.of(metric.better()));
  }

  private static void differ(List<Unlike> unlike, String what, String a, String b) {
    if (!a.equals(b)) {
      unlike.add(new Unlike(what, a, b));
    }
  }
}
