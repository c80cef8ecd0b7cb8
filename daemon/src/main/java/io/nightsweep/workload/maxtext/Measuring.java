package io.nightsweep.workload.maxtext;

import io.nightsweep.measure.SteadyState;
import io.nightsweep.measure.StepSeries;
import io.nightsweep.measure.Window;
import io.nightsweep.sweep.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Turns a log's figures into a measurement. */
final class Measuring {
  static final String TOKENS = "tokensPerSecondPerDevice";
  static final String FLOPS = "flopsPerSecondPerDevice";
  static final String SECONDS = "stepSeconds";

  private static final Map<String, ToDoubleFunction<StepLine>> METRICS =
      Map.of(
          TOKENS, StepLine::tgs, FLOPS, line -> line.tflops() * 1e12, SECONDS, StepLine::seconds);

  private Measuring() {}

  /** The complete measurement, once the last step of the window is there. */
  static Optional<Measurement> of(TrainingLog log, Window window, String metric) {
    return log.lastStep() < window.to() ? Optional.empty() : sofar(log, window, metric);
  }

  static List<Measurement.MeasuredStep> steps(TrainingLog log, String metric) {
    return log.series(METRICS.getOrDefault(metric, StepLine::tgs));
  }

  /** The measurement so far of a running job; empty before its window has begun. */
  static Optional<Measurement> sofar(TrainingLog log, Window window, String metric) {
    List<Measurement.MeasuredStep> steps = steps(log, metric);
    return SteadyState.of(new StepSeries(steps), window)
        .map(
            steady -> {
              TreeMap<String, Double> extras = new TreeMap<>(log.memoryBytes());
              extras.put(SECONDS, steady.stepSeconds());
              extras.put(Measurement.DECAY, steady.decay());
              steady.lastLoss().ifPresent(loss -> extras.put("lastLoss", loss));
              return new Measurement(steady.mean(), steps, window.from(), window.to(), extras);
            });
  }
}
