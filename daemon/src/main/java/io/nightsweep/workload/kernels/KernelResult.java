package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document that {@code nightsweep-kernels} writes; {@code native/README.md} tells its fields.
 * Duplicate keys and unknown fields are errors.
 */
record KernelResult(
    int schema,
    String metricContract,
    String program,
    String transport,
    String blas,
    int ranks,
    List<String> hosts,
    Map<String, String> environment,
    List<Case> cases) {
  private static final int SCHEMA = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /**
   * @param identity what was measured
   * @param samplesSeconds the maximum over ranks of each sample, trial by trial
   */
  record Case(
      JsonNode identity,
      String disposition,
      long wrong,
      int iterations,
      int trials,
      int warmup,
      double p50Seconds,
      double p90Seconds,
      double p95Seconds,
      double p99Seconds,
      double minSeconds,
      double maxSeconds,
      double meanSeconds,
      double stdevSeconds,
      double cv,
      @Nullable Double algbwBytesPerSecond,
      @Nullable Double busbwBytesPerSecond,
      @Nullable Double flopsPerSecond,
      List<Double> samplesSeconds,
      List<Double> minOverRanksSeconds) {

    /**
     * A metric of the case.
     *
     * @throws IOException where the kernel has no such metric
     */
    double metric(String name) throws IOException {
      @Nullable Double value =
          switch (name) {
            case "algbwBytesPerSecond" -> algbwBytesPerSecond;
            case "busbwBytesPerSecond" -> busbwBytesPerSecond;
            case "flopsPerSecond" -> flopsPerSecond;
            case "p50Seconds" -> p50Seconds;
            case "p99Seconds" -> p99Seconds;
            case "meanSeconds" -> meanSeconds;
            default -> null;
          };
      if (value == null || !(value > 0) || Double.isInfinite(value)) {
        throw new IOException("the kernel has no positive figure '" + name + "'");
      }
      return value;
    }
  }

  /**
   * Reads and checks a result.
   *
   * @throws IOException with what is wrong, where it is truncated, of another schema, or of other
   *     than one case
   */
  static KernelResult read(Path file) throws IOException {
    KernelResult result = MAPPER.readValue(file.toFile(), KernelResult.class);
    if (result.schema != SCHEMA) {
      throw new IOException("schema " + result.schema + " where " + SCHEMA + " was expected");
    }
    if (result.cases.size() != 1) {
      throw new IOException(result.cases.size() + " cases where one was expected");
    }
    Case only = result.cases.getFirst();
    if (only.samplesSeconds.size() != only.trials * only.iterations) {
      throw new IOException(
          only.samplesSeconds.size()
              + " samples where "
              + only.trials
              + " x "
              + only.iterations
              + " were expected");
    }
    return result;
  }
}
