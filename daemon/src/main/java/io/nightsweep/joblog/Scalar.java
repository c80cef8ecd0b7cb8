package io.nightsweep.joblog;

import java.util.Optional;

/**
 * A figure of one step from a TensorBoard event file. Listeners receive it as a line: {@code
 * tensorboard scalar 7 0.562 perf/step_time_seconds}.
 *
 * @param value NaN or infinite if the training diverged
 */
public record Scalar(int step, double value, String tag) {
  /** The beginning of the line. */
  public static final String START = "tensorboard scalar ";

  private static final int PARTS = 3;

  /** The line, without its end. */
  String line() {
    return START + step + ' ' + value + ' ' + tag;
  }

  /** The scalar in a line that {@link #line} made; empty for every other line. */
  public static Optional<Scalar> parse(String line) {
    String[] parts =
        line.startsWith(START) ? line.substring(START.length()).split(" ", PARTS) : new String[0];
    try {
      return parts.length == PARTS
          ? Optional.of(
              new Scalar(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]), parts[2]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
