package io.nightsweep.measure;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The steps of one run, in step order, each once.
 *
 * @param steps at most one entry per index; the first one printed wins
 */
public record StepSeries(List<Step> steps) {

  /**
   * One step.
   *
   * @param index counted from 0
   * @param seconds duration of the step
   * @param value in the metric's unit; NaN where the step printed none
   * @param loss absent where the workload prints none, NaN where it diverged
   */
  public record Step(int index, double seconds, double value, OptionalDouble loss) {}

  public StepSeries {
    var seen = new HashSet<Integer>();
    steps =
        steps.stream()
            .filter(step -> seen.add(step.index()))
            .sorted(Comparator.comparingInt(Step::index))
            .toList();
  }

  /** The steps inside the window that printed a finite metric. */
  public List<Step> within(Window window) {
    return steps.stream()
        .filter(step -> window.contains(step.index()) && Double.isFinite(step.value()))
        .toList();
  }
}
