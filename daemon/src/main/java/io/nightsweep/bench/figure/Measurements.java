package io.nightsweep.bench.figure;

import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The data of the figures.
 *
 * @param limits absent where no run measured them
 * @param modelled times by a model, in seconds, for points that have a published cost
 */
public record Measurements(
    List<Point> points,
    Optional<Limits> limits,
    Optional<Study.Reference> reference,
    List<Modelled> modelled) {

  /**
   * What the machine itself reached in the same run.
   *
   * @param copyBytesPerSecond memory bandwidth, from copies of the largest size
   * @param flopsPerSecond by dtype
   */
  public record Limits(double copyBytesPerSecond, SortedMap<String, Double> flopsPerSecond) {}

  /**
   * A model's time beside the measured point, and a published time where there is one; no ratio is
   * formed.
   */
  public record Modelled(Point point, double seconds, OptionalDouble publishedSeconds) {}

  List<Point> of(String kernel) {
    return points.stream().filter(p -> p.kernel().equals(kernel)).toList();
  }
}
