package io.nightsweep.bench.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The figures that a study requests; a figure without points is left out. */
public final class StudyFigures {
  private StudyFigures() {}

  /**
   * @throws IllegalArgumentException for a name that the schema does not allow
   */
  public static List<Figure> of(Set<String> names, Measurements measurements) throws IOException {
    List<Figure> figures = new ArrayList<>();
    for (String name : names) {
      figures.addAll(
          switch (name) {
            case "latency" -> SizeCharts.latency(measurements);
            case "percentiles" -> SizeCharts.percentiles(measurements);
            case "buffers" -> BufferChart.of(measurements);
            case "roofline" -> RooflineChart.of(measurements);
            case "topologies" -> TopologyDiagram.of(measurements);
            case "pairs" -> PairMatrix.of(measurements);
            case "model" -> ModelChart.of(measurements);
            default -> throw new IllegalArgumentException("no figure '" + name + "'");
          });
    }
    return figures;
  }
}
