package io.nightsweep.workload.maxtext;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A line of MaxText's {@code metrics_file}: the scalars of one step as a JSON object.
 *
 * @see <a
 *     href="https://github.com/AI-Hypercomputer/maxtext/blob/main/src/maxtext/common/metric_logger.py">
 *     MaxText's metric logger</a>
 */
final class MetricsLine {
  /** Only a line with this key has a step. */
  static final String WORD = "perf/step_time_seconds";

  static final String LOSS = "learning/loss";
  static final String TOKENS = "perf/per_device_tokens_per_sec";
  static final String TFLOPS = "perf/per_device_tflops_per_sec";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private MetricsLine() {}

  /** The step; empty where the line has none, for instance since two ranks wrote at once. */
  static Optional<StepLine> parse(String line) {
    try {
      JsonNode metrics = JSON.readTree(line);
      JsonNode step = metrics.path("step");
      JsonNode seconds = metrics.path(WORD);
      return step.isNumber() && step.asDouble() >= 0 && seconds.isNumber()
          ? Optional.of(
              new StepLine(
                  (int) step.asDouble(),
                  seconds.asDouble(),
                  number(metrics, TOKENS),
                  number(metrics, TFLOPS),
                  metrics.path(LOSS).isNumber()
                      ? OptionalDouble.of(metrics.path(LOSS).asDouble())
                      : OptionalDouble.empty()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static double number(JsonNode metrics, String name) {
    return metrics.path(name).asDouble(Double.NaN);
  }
}
