package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.nightsweep.bench.figure.Measurements;
import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The roof over measured points is the machine's own: all threads counted once, and the slope of
 * its memory.
 */
@Tag("kernels")
class PointsTest {
  @Test
  void thePeakCountsThreadsOnceAndTheSlopeIsOfTheLargestCopy() throws Exception {
    JsonNode limits =
        BenchJson.MAPPER.readTree(
            """
            {"copies": [{"bytes": 4096, "bytesPerSecond": 185e9},
                        {"bytes": 67108864, "bytesPerSecond": 6e9},
                        {"bytes": 262144, "bytesPerSecond": 40e9}],
             "fmaFlopsPerSecond": {"f32": 352e9}, "blasThreads": 2}
            """);
    Measurements.Limits found =
        Points.of(List.of(), manifest(List.of(limits, NullNode.getInstance())))
            .limits()
            .orElseThrow();
    assertThat(found.copyBytesPerSecond()).isEqualTo(6e9);
    assertThat(found.flopsPerSecond()).isEqualTo(Map.of("f32", 352e9));
  }

  @Test
  void withoutLimitsThereIsNoRoof() {
    assertThat(Points.of(List.of(), manifest(List.of(NullNode.getInstance()))).limits()).isEmpty();
  }

  /** fp8 factors give a bf16 product. */
  @Test
  void theIntensityOfAProductGoesByItsElements() {
    for (Map.Entry<String, Double> bytes :
        Map.of("f64", 24.0, "f32", 12.0, "f16", 6.0, "bf16", 6.0, "fp8", 4.0).entrySet()) {
      MeasuredRows rows = new MeasuredRows();
      rows.identity
          .put("kernel", "gemm")
          .put("dtype", bytes.getKey())
          .put("m", 64)
          .put("n", 64)
          .put("k", 64);
      CaseRow row = rows.product(new Study.Sampling(8, 64, 32));
      assertThat(Points.of(List.of(row), manifest(List.of())).points())
          .singleElement()
          .satisfies(
              p ->
                  assertThat(p.flopsPerByte())
                      .as(bytes.getKey())
                      .hasValue(2 * 64 / bytes.getValue()));
    }
  }

  private static Manifest manifest(List<JsonNode> limits) {
    List<Manifest.JobSource> sources =
        limits.stream()
            .map(
                l ->
                    new Manifest.JobSource(
                        "shard",
                        CaseRow.ONE_SIDE,
                        1,
                        1,
                        "7",
                        "hash",
                        NullNode.getInstance(),
                        1,
                        List.of("host"),
                        false,
                        false,
                        Map.of(),
                        l,
                        List.of()))
            .toList();
    return new Manifest(
        Manifest.SCHEMA,
        "gemm",
        "",
        "run",
        "2026-01-01T00:00:00Z",
        "local",
        new Study.Sampling(8, 64, 32),
        Map.of(),
        1,
        Optional.empty(),
        Attempts.RULE,
        0,
        Map.of(),
        Map.of(),
        true,
        List.of(),
        List.of(),
        sources,
        Optional.empty(),
        Optional.empty());
  }
}
