package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Scalar;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Builds steps from the scalars of one event file, under the same names as in a line of {@code
 * metrics_file}. MaxText writes the tokens per second last, but omits them while the batch size
 * ramps up; then a step is complete when a later one begins. In any other order it is complete with
 * its fourth scalar.
 */
final class ScalarSteps {
  private static final StepLine NOTHING =
      new StepLine(-1, Double.NaN, Double.NaN, Double.NaN, OptionalDouble.empty());

  private StepLine pending = NOTHING;
  private boolean isTold;

  /** The step that this scalar completes. */
  Optional<StepLine> accept(Scalar scalar) {
    double value = scalar.value();
    StepLine known = scalar.step() == pending.step() ? pending : NOTHING;
    OptionalDouble loss = known.loss();
    double seconds = known.seconds();
    double tokens = known.tgs();
    double tflops = known.tflops();
    switch (scalar.tag()) {
      case MetricsLine.LOSS -> loss = OptionalDouble.of(value);
      case MetricsLine.WORD -> seconds = value;
      case MetricsLine.TOKENS -> tokens = value;
      case MetricsLine.TFLOPS -> tflops = value;
      default -> {
        return Optional.empty();
      }
    }
    StepLine before = pending;
    boolean wasTold = isTold;
    pending = new StepLine(scalar.step(), seconds, tokens, tflops, loss);
    isTold &= before.step() == scalar.step();
    boolean isLast = scalar.tag().equals(MetricsLine.TOKENS) || !Double.isNaN(tokens + tflops);
    if (!isTold && isLast && loss.isPresent() && seconds >= 0) {
      isTold = true;
      return Optional.of(pending);
    }
    return before.step() != scalar.step() && !wasTold ? whole(before) : Optional.empty();
  }

  private static Optional<StepLine> whole(StepLine step) {
    return step.seconds() >= 0 ? Optional.of(step) : Optional.empty();
  }
}
