package io.nightsweep.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThresholdsTest {
  private static final Knob KNOB =
      new Knob(
          new Catalog.CatalogEntry(
              "buffers",
              Catalog.Target.ENV,
              "SNDBUF",
              Catalog.Type.BYTES,
              Optional.of("0"),
              List.of(Profile.of("buffers-1M", Map.of(), env(1 << 20), Map.of())),
              new TreeMap<>(),
              List.of(),
              List.of(),
              "",
              List.of(),
              new TreeMap<>(),
              false,
              Optional.empty(),
              ""));

  private static Map<String, String> env(long value) {
    return Map.of("SNDBUF", "" + value, "RCVBUF", "" + value, "OTHER", "1");
  }

  private static Thresholds tried(Map<Long, Double> gains) {
    Map<String, Double> byName = new TreeMap<>();
    gains.forEach((value, gain) -> byName.put(KNOB.with(value).name(), gain));
    return new Thresholds(KNOB, gains.keySet().stream().map(KNOB::with).toList(), byName, 0.005);
  }

  private static Stream<String> names(List<AdvisedProfile> proposals) {
    return proposals.stream().map(p -> p.profile().name());
  }

  @Test
  void settingsThatGoTogetherCarryTheSameValue() {
    assertThat(KNOB.with(65536).env())
        .containsEntry("SNDBUF", "65536")
        .containsEntry("RCVBUF", "65536")
        .containsEntry("OTHER", "1");
    assertThat(KNOB.value(Profile.of("x", Map.of(), Map.of("SNDBUF", "65536"), Map.of())))
        .isEmpty();
  }

  @Test
  void aSizeIsBracketedOnBothSidesOnce() {
    assertThat(names(tried(Map.of()).bracket(100_000)))
        .containsExactly("buffers-64K", "buffers-128K");
    assertThat(names(tried(Map.of(65_536L, 0.0)).bracket(100_000))).containsExactly("buffers-128K");
    assertThat(tried(Map.of(65_536L, 0.0, 262_144L, 0.0)).bracket(100_000)).isEmpty();
  }

  @Test
  void aLeaderIsRefinedTowardsItsNeighboursAndBeyondTheEdge() {
    assertThat(names(tried(Map.of(65_536L, 0.0, 1_048_576L, 0.02)).refine()))
        .containsExactly("buffers-256K", "buffers-2M");
    assertThat(tried(Map.of(65_536L, 0.0, 131_072L, 0.02, 262_144L, 0.0)).refine()).isEmpty();
    assertThat(tried(Map.of(65_536L, 0.0, 1_048_576L, 0.001)).refine()).isEmpty();
    assertThat(tried(Map.of(65_536L, 0.0, 1_048_576L, Double.NaN)).refine()).isEmpty();
  }
}
