package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.files.ForeignFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The document that {@code nightsweep-kernels} writes; {@code native/README.md} describes its
 * fields. Duplicate keys and unknown fields are errors.
 */
public record KernelResult(
    int schema,
    String metricContract,
    Probes probes,
    int ranks,
    List<String> hosts,
    boolean hostsHashed,
    Map<String, String> environment,
    String fault,
    @Nullable JsonNode limits,
    List<Case> cases,
    List<JsonNode> fits) {
  private static final int SCHEMA = 2;

  /**
   * The definition of a time, in the program's words: times of another definition belong to another
   * series.
   */
  static final String METRIC_CONTRACT =
      "barrier; operation x opsPerSample; max over ranks; nearest rank; v2";

  /**
   * About a hundred times the size of a case in the plans as shipped. Every two bytes may become an
   * object, and a daemon has 192 MiB for all its sweeps.
   */
  static final int MOST_BYTES = 2 << 20;

  private static final List<String> DISPOSITIONS =
      List.of("measured", "failed", "dropped", "unsupported");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  public KernelResult {
    Objects.requireNonNull(probes, "probes");
    hosts = List.copyOf(hosts);
    environment = Map.copyOf(environment);
    cases = List.copyOf(cases);
  }

  /** What the program reports about itself and its platform; null where unknown. */
  public record Probes(
      String program,
      String transport,
      @Nullable String blas,
      @Nullable Integer blasThreads,
      @Nullable String operatingSystem,
      @Nullable String processor,
      @Nullable String governor,
      @Nullable String transparentHugePages) {}

  /**
   * @param identity what was requested: the same fields in every disposition
   * @param disposition measured, failed, dropped or unsupported
   * @param wrong elements over all ranks and both checks; null where nothing was checked
   * @param requested resources
   * @param realised the resources that the run got
   * @param components the main one first; empty where nothing was timed
   */
  public record Case(
      String caseId,
      JsonNode identity,
      String disposition,
      @Nullable String reason,
      @Nullable Long wrong,
      JsonNode requested,
      JsonNode realised,
      int iterations,
      int trials,
      int warmup,
      JsonNode facts,
      @Nullable Boolean anomaly,
      List<Component> components) {
    public Case {
      Objects.requireNonNull(disposition, "disposition");
      components = List.copyOf(components);
    }

    /**
     * The component that represents the case.
     *
     * @throws IOException where it was not measured
     */
    public Component headline() throws IOException {
      if (!disposition.equals("measured")) {
        throw new IOException("the case is " + disposition + ": " + reason);
      }
      if (components.isEmpty() || trials < 1 || iterations < 1) {
        throw new IOException("a measured case without a timed component");
      }
      return components.getFirst();
    }
  }

  /**
   * A separately timed part of a kernel.
   *
   * @param minOverRanksP50Seconds the median of the fastest rank's times
   * @param spreadP50Seconds how far the slowest rank's median lies above it
   * @param ofCopyLimit written bytes per second as a share of what a copy reached in the same run
   * @param ofFlopsLimit operations per second as a share of what multiply-adds reached
   * @param samplesSeconds the maximum over ranks of each sample, trial by trial
   */
  public record Component(
      String name,
      double p50Seconds,
      double p90Seconds,
      double p95Seconds,
      double p99Seconds,
      double minSeconds,
      double maxSeconds,
      double meanSeconds,
      double stdevSeconds,
      double cv,
      double minOverRanksP50Seconds,
      double spreadP50Seconds,
      @Nullable Double stateBytes,
      @Nullable Double algbwBytesPerSecond,
      @Nullable Double busbwBytesPerSecond,
      @Nullable Double flopsPerSecond,
      @Nullable Double ofCopyLimit,
      @Nullable Double ofFlopsLimit,
      List<Double> samplesSeconds,
      List<Double> minOverRanksSeconds) {
    public Component {
      samplesSeconds = List.copyOf(samplesSeconds);
      minOverRanksSeconds = List.copyOf(minOverRanksSeconds);
    }

    /**
     * A metric of the component.
     *
     * @throws IOException where the kernel has no such metric
     */
    public double metric(String name) throws IOException {
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
      if (value == null || !isPositive(value) || !isPositive(p50Seconds)) {
        throw new IOException("the kernel has no positive figure '" + name + "'");
      }
      return value;
    }

    private static boolean isPositive(double figure) {
      return figure > 0 && Double.isFinite(figure);
    }
  }

  /**
   * Reads and checks the result of one case.
   *
   * @throws IOException with the reason, where the file is truncated, of another schema, or not of
   *     exactly one case
   */
  static KernelResult read(Path file) throws IOException {
    KernelResult result = readAll(file, MOST_BYTES);
    if (result.cases.size() != 1) {
      throw new IOException(result.cases.size() + " cases where one was expected");
    }
    return result;
  }

  /**
   * Reads and checks the result of a control document's cases.
   *
   * @param mostBytes of the file
   * @throws IOException with the reason, where the file is truncated, of another schema, or without
   *     a case
   */
  public static KernelResult readAll(Path file, int mostBytes) throws IOException {
    KernelResult result = MAPPER.readValue(ForeignFile.read(file, mostBytes), KernelResult.class);
    if (result.schema != SCHEMA) {
      throw new IOException("schema " + result.schema + " where " + SCHEMA + " was expected");
    }
    if (result.cases.isEmpty()) {
      throw new IOException("no case where one at least was expected");
    }
    for (Case one : result.cases) {
      check(one);
    }
    return result;
  }

  /**
   * Reads and checks one case's record, a line of the program's rows.
   *
   * @throws IOException with the reason
   */
  public static Case readCase(String line) throws IOException {
    Case one = MAPPER.readValue(line, Case.class);
    check(one);
    return one;
  }

  private static void check(Case one) throws IOException {
    if (!DISPOSITIONS.contains(one.disposition)) {
      throw new IOException(
          "a case that is '" + one.disposition + "'; expected one of " + DISPOSITIONS);
    }
    for (Component component : one.components) {
      if (!component.samplesSeconds.stream().allMatch(s -> s >= 0 && Double.isFinite(s))) {
        throw new IOException("a sample that is not a time in seconds");
      }
      if (component.samplesSeconds.size() != (long) one.trials * one.iterations) {
        throw new IOException(
            component.samplesSeconds.size()
                + " samples where "
                + one.trials
                + " x "
                + one.iterations
                + " were expected");
      }
    }
  }
}
