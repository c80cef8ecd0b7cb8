package io.nightsweep.measure;

import io.nightsweep.sweep.Measurement;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/**
 * The steps of one run, in step order, each once.
 *
 * @param steps at most one entry per index; the first one printed wins
 */
public record StepSeries(List<Measurement.MeasuredStep> steps) {

  public StepSeries {
    var seen = new HashSet<Integer>();
    steps =
        steps.stream()
            .filter(step -> seen.add(step.index()))
            .sorted(Comparator.comparingInt(Measurement.MeasuredStep::index))
            .toList();
  }

  /** The steps inside the window that printed a finite metric. */
  public List<Measurement.MeasuredStep> within(Window window) {
    return steps.stream()
        .filter(step -> window.contains(step.index()) && Double.isFinite(step.value()))
        .toList();
  }
}
