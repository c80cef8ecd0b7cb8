package io.nightsweep.bench;

import io.nightsweep.measure.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Two sides of one case, compared round by round. Both ran the same control document, so sampling
 * and operations per sample are the same; a round in which either failed is left out.
 *
 * @param ratio of times, the second side's to the first's: the median over rounds
 * @param low of an interval of that median, the interval between two of the rounds' ratios
 * @param coverage how often such an interval contains the median, for independent rounds of any
 *     distribution: at least 95 % from six rounds on
 */
record SideBySide(
    CaseRow row,
    String first,
    String second,
    int rounds,
    MeasuredTime firstTime,
    MeasuredTime secondTime,
    double ratio,
    double low,
    double high,
    double coverage) {
  private static final double WANTED = 0.95;

  /** Compares each case that both sides measured in at least three rounds. */
  static List<SideBySide> of(List<CaseRow> rows) {
    SequencedMap<String, Map<String, Map<Integer, CaseRow>>> cases = new LinkedHashMap<>();
    rows.stream()
        .filter(r -> !r.side().equals(CaseRow.ONE_SIDE) && r.isMeasured())
        .forEach(
            r ->
                cases
                    .computeIfAbsent(r.shard().id() + " " + r.caseId(), k -> new TreeMap<>())
                    .computeIfAbsent(r.side(), k -> new TreeMap<>())
                    .put(r.round(), r));
    return cases.values().stream().flatMap(sides -> of(sides).stream()).toList();
  }

  private static Optional<SideBySide> of(Map<String, Map<Integer, CaseRow>> sides) {
    if (sides.size() != 2) {
      return Optional.empty();
    }
    List<String> names = List.copyOf(sides.keySet());
    Map<Integer, CaseRow> first = sides.getOrDefault(names.getFirst(), Map.of());
    Map<Integer, CaseRow> second = sides.getOrDefault(names.getLast(), Map.of());
    List<Double> ratios = new ArrayList<>();
    List<Double> ones = new ArrayList<>();
    List<Double> others = new ArrayList<>();
    for (Map.Entry<Integer, CaseRow> round : first.entrySet()) {
      Optional<CaseRow> other = Optional.ofNullable(second.get(round.getKey()));
      if (other.isPresent()) {
        MeasuredTime one = time(round.getValue());
        MeasuredTime two = time(other.get());
        ones.add(one.seconds());
        others.add(two.seconds());
        ratios.add(two.ratioTo(one));
      }
    }
    if (ratios.size() < 3) {
      return Optional.empty();
    }
    List<Double> sorted = ratios.stream().sorted().toList();
    int cut = 0;
    while (coverage(sorted.size(), cut + 1) >= WANTED) {
      cut++;
    }
    return Optional.of(
        new SideBySide(
            first.values().iterator().next(),
            names.getFirst(),
            names.getLast(),
            ratios.size(),
            new MeasuredTime(Median.of(ones)),
            new MeasuredTime(Median.of(others)),
            Median.of(ratios),
            sorted.get(cut),
            sorted.get(sorted.size() - 1 - cut),
            coverage(sorted.size(), cut)));
  }

  private static MeasuredTime time(CaseRow row) {
    return new MeasuredTime(row.record().orElseThrow().components().getFirst().p50Seconds());
  }

  /**
   * Coverage of an interval that leaves out {@code cut} ratios at either end: the median lies below
   * it if at most {@code cut} of {@code n} ratios do, each with a probability of one half.
   */
  static double coverage(int n, int cut) {
    double outside = 0;
    double choices = 1;
    for (int below = 0; below <= cut; below++) {
      outside += choices;
      choices *= (double) (n - below) / (below + 1);
    }
    return Math.max(0, 1 - 2 * outside / Math.pow(2, n));
  }
}
