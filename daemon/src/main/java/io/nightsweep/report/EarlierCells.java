package io.nightsweep.report;

import io.nightsweep.sweep.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Results of earlier sweeps of the model on other parallelisms, from {@code tuning.json}. */
public final class EarlierCells {
  private EarlierCells() {}

  /**
   * The mean log-gain of each profile over those cells, by the profile's hash.
   *
   * @param shared the directory of the model's pages
   * @throws IOException if there is a file and it cannot be read
   */
  public static Map<String, Double> logGains(Path shared, Cell cell) throws IOException {
    Path figures = ReportWriter.figures(shared, cell.model());
    Map<String, List<Double>> found =
        TuningFile.read(ReportWriter.known(figures)).stream()
            .filter(other -> !other.parallelism().equals(cell.parallelism()))
            .flatMap(other -> other.rows().entrySet().stream())
            .filter(row -> Double.isFinite(row.getValue().logGain()))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    TreeMap::new,
                    Collectors.mapping(row -> row.getValue().logGain(), Collectors.toList())));
    Map<String, Double> means = new HashMap<>();
    found.forEach(
        (hash, gains) ->
            means.put(
                hash, gains.stream().mapToDouble(Double::doubleValue).average().orElseThrow()));
    return means;
  }
}
