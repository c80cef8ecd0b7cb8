package io.nightsweep.bench.figure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;

/**
 * The main result of a measured case.
 *
 * @param facet points of one facet share a chart
 * @param series points of one series share a line
 * @param size on the axis, in {@code unit}; NaN where the kernel has no size
 * @param flopsPerByte operations for each byte that must be touched; empty where the kernel has no
 *     such ratio
 */
public record Point(
    String facet,
    String series,
    JsonNode identity,
    JsonNode facts,
    double size,
    String unit,
    double p50Seconds,
    double p90Seconds,
    double p99Seconds,
    double minSeconds,
    OptionalDouble stateBytes,
    OptionalDouble busbwBytesPerSecond,
    OptionalDouble flopsPerSecond,
    OptionalDouble flopsPerByte) {

  String kernel() {
    return identity.path("kernel").asText();
  }

  double micros() {
    return p50Seconds * 1e6;
  }
}
