package io.nightsweep.triage;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** The duration of a step on a cell, from the baselines that the sweep has measured. */
public final class BaselinePace {
  private BaselinePace() {}

  /** Seconds. Of several runs, the median of the slowest run, since a profile may be as slow. */
  public static OptionalDouble seconds(SweepState s, String configTag) {
    return s.trials().values().stream()
        .filter(t -> t.trial().configTag().equals(configTag))
        .filter(t -> s.profile(t.trial().profile()).isBaseline())
        .map(TrialState::measurement)
        .flatMapToDouble(m -> m.map(BaselinePace::median).orElseGet(DoubleStream::empty))
        .max();
  }

  private static DoubleStream median(Measurement m) {
    List<Double> seconds =
        m.stepsInWindow()
            .map(Measurement.MeasuredStep::seconds)
            .filter(StepPace::isDuration)
            .toList();
    return StepPace.median(seconds).stream();
  }
}
