package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;

import io.nightsweep.conductor.LastFindings;
import io.nightsweep.sweep.CollectiveRoute;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the winner's own profiled run shows about why it wins, compared with the deployed state. */
final class OwnProfile {
  private static final String WINDOW = "window";

  /** Costs of the breakdown; communication is split by kind instead. */
  private static final List<String> COSTS = List.of("compute", "copies", "idle");

  private final SweepState s;
  private final Phrases t;
  private final Map<String, Double> was;
  private final Map<String, Double> is;

  private OwnProfile(SweepState s, Phrases t, Map<String, Double> was, Map<String, Double> is) {
    this.s = s;
    this.t = t;
    this.was = was;
    this.is = is;
  }

  /**
   * The sentences; empty where the winner was not profiled.
   *
   * @param acting the cost on which the winner's settings are known to act
   */
  static List<String> sentences(SweepState s, Phrases t, Optional<String> acting) {
    Optional<SortedMap<String, Double>> before = seconds(kind -> LastFindings.last(s, kind));
    Optional<SortedMap<String, Double>> after = seconds(kind -> LastFindings.ofWinner(s, kind));
    return before.isEmpty() || after.isEmpty()
        ? List.of()
        : new OwnProfile(s, t, before.get(), after.get()).sentences(acting);
  }

  private List<String> sentences(Optional<String> acting) {
    List<String> sentences = new ArrayList<>();
    acting.ifPresent(cost -> sentences.add(borneOut(cost)));
    if (acting.filter(cost -> fallOf(cost) > 0).isEmpty()) {
      fallenMost().ifPresent(cost -> sentences.add(told("own.fell-most", cost)));
    }
    acting.flatMap(this::compiled).ifPresent(sentences::add);
    return sentences;
  }

  private String borneOut(String cost) {
    return told(fallOf(cost) > 0 ? "own.borne-out" : "own.not-borne-out", cost);
  }

  private String told(String key, String cost) {
    return t.text(
        key,
        code(cost),
        Figures.plain(of(is, cost)),
        Figures.plain(of(was, cost)),
        Figures.plain(of(is, WINDOW)),
        Figures.plain(of(was, WINDOW)));
  }

  /** How often the compiled step runs what the winner's settings affect, if that changed. */
  private Optional<String> compiled(String cost) {
    Optional<Double> before = runs(LastFindings.last(s, Finding.MECHANISMS), cost);
    Optional<Double> after = runs(LastFindings.ofWinner(s, Finding.MECHANISMS), cost);
    return before.isEmpty() || after.isEmpty() || before.equals(after)
        ? Optional.empty()
        : Optional.of(
            t.text(
                "own.compiled",
                code(cost),
                Figures.plain(after.get()),
                Figures.plain(before.get())));
  }

  private static Optional<Double> runs(Optional<Finding> mechanisms, String cost) {
    return mechanisms.flatMap(f -> Optional.ofNullable(f.figures().get(cost)));
  }

  private Optional<String> fallenMost() {
    TreeSet<String> costs = new TreeSet<>(was.keySet());
    costs.remove(WINDOW);
    return costs.stream()
        .filter(cost -> fallOf(cost) > 0)
        .max(Comparator.comparingDouble(this::fallOf));
  }

  private double fallOf(String cost) {
    return of(was, cost) - of(is, cost);
  }

  private static double of(Map<String, Double> seconds, String cost) {
    return seconds.getOrDefault(cost, 0.0);
  }

  /** Seconds of the window by cost, named as in {@link Finding#DOMINANT}. */
  private static Optional<SortedMap<String, Double>> seconds(
      Function<String, Optional<Finding>> found) {
    return found
        .apply(Finding.BREAKDOWN)
        .map(
            breakdown -> {
              TreeMap<String, Double> seconds = new TreeMap<>();
              double window = breakdown.figures().getOrDefault(WINDOW, 0.0);
              seconds.put(WINDOW, window);
              COSTS.forEach(c -> seconds.put(c, breakdown.figures().getOrDefault(c, 0.0)));
              shares(found.apply(Finding.COMMUNICATION))
                  .forEach(
                      e -> seconds.merge(e.getKey().opcode(), e.getValue() * window, Double::sum));
              return seconds;
            });
  }

  private static Stream<Map.Entry<CollectiveRoute, Double>> shares(
      Optional<Finding> communication) {
    return communication.stream().flatMap(f -> f.exposedShares().entrySet().stream());
  }
}
