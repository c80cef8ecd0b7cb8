package io.nightsweep.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Two sides of one case, round by round. Both ran the same control document, so that sampling and
 * operations a sample are the same; a round in which either failed is left out.
 *
 * @param ratio of times, the second side's to the first's: the median over rounds
 * @param low of a 95 % bootstrap interval of that median
 */
record SideBySide(
    Row row,
    String first,
    String second,
    int rounds,
    Measured firstTime,
    Measured secondTime,
    double ratio,
    double low,
    double high) {
  private static final int DRAWS = 2000;

  /** A comparison for each case that both sides measured in three rounds at least. */
  static List<SideBySide> of(List<Row> rows) {
    SequencedMap<String, Map<String, Map<Integer, Row>>> cases = new LinkedHashMap<>();
    rows.stream()
        .filter(r -> !r.side().equals(Row.ONE_SIDE) && r.isMeasured())
        .forEach(
            r ->
                cases
                    .computeIfAbsent(r.shard().id() + " " + r.caseId(), k -> new TreeMap<>())
                    .computeIfAbsent(r.side(), k -> new TreeMap<>())
                    .put(r.round(), r));
    return cases.values().stream().flatMap(sides -> of(sides).stream()).toList();
  }

  private static Optional<SideBySide> of(Map<String, Map<Integer, Row>> sides) {
    if (sides.size() != 2) {
      return Optional.empty();
    }
    List<String> names = List.copyOf(sides.keySet());
    Map<Integer, Row> first = sides.getOrDefault(names.getFirst(), Map.of());
    Map<Integer, Row> second = sides.getOrDefault(names.getLast(), Map.of());
    List<Double> ratios = new ArrayList<>();
    List<Double> ones = new ArrayList<>();
    List<Double> others = new ArrayList<>();
    for (Map.Entry<Integer, Row> round : first.entrySet()) {
      Optional<Row> other = Optional.ofNullable(second.get(round.getKey()));
      if (other.isPresent()) {
        Measured one = time(round.getValue());
        Measured two = time(other.get());
        ones.add(one.seconds());
        others.add(two.seconds());
        ratios.add(two.ratioTo(one));
      }
    }
    if (ratios.size() < 3) {
      return Optional.empty();
    }
    List<Double> medians = bootstrap(ratios);
    return Optional.of(
        new SideBySide(
            first.values().iterator().next(),
            names.getFirst(),
            names.getLast(),
            ratios.size(),
            new Measured(median(ones)),
            new Measured(median(others)),
            median(ratios),
            medians.get((int) (0.025 * DRAWS)),
            medians.get((int) (0.975 * DRAWS))));
  }

  private static Measured time(Row row) {
    return new Measured(row.record().orElseThrow().components().getFirst().p50Seconds());
  }

  private static List<Double> bootstrap(List<Double> ratios) {
    Random random = new Random(1);
    List<Double> medians = new ArrayList<>();
    for (int draw = 0; draw < DRAWS; draw++) {
      medians.add(
          median(random.ints(ratios.size(), 0, ratios.size()).mapToObj(ratios::get).toList()));
    }
    return medians.stream().sorted().toList();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
  }
}
