package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one attempt measured.
 *
 * @param value the metric's steady-state mean, in the metric's unit
 * @param steps the full per-step series, in step order
 * @param windowFrom first step of the steady-state window
 * @param windowTo last step of the window, inclusive
 * @param extras further figures by name with the unit in the name, such as {@code tempBytes}
 */
public record Measurement(
    double value,
    List<MeasuredStep> steps,
    int windowFrom,
    int windowTo,
    SortedMap<String, Double> extras) {
  /** Fraction of the metric lost from the window's first third to its last; an extra figure. */
  public static final String DECAY = "decay";

  /**
   * One step.
   *
   * @param value in the metric's unit; NaN if the step printed none
   * @param loss absent if the workload has none, NaN if it diverged
   */
  public record MeasuredStep(int index, double seconds, double value, OptionalDouble loss) {}

  /** The steps of the steady-state window. */
  public Stream<MeasuredStep> stepsInWindow() {
    return steps.stream().filter(s -> s.index() >= windowFrom && s.index() <= windowTo);
  }

  public Measurement {
    steps = List.copyOf(steps);
    extras = Collections.unmodifiableSortedMap(new TreeMap<>(extras));
  }
}
