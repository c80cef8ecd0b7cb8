package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.sweep.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kinds of noise match their names, and a seed always gives the same night. */
@Tag("hours")
class NoiseFamilyTest {
  private static final Profile CANDIDATE = Profile.of("p1", Map.of(), Map.of(), Map.of());

  @ParameterizedTest
  @EnumSource
  void aSeedGivesTheSameNightWhateverWasAskedBefore(NoiseFamily family) {
    DrawnSurface one = surface(family, 3);
    DrawnSurface other = surface(family, 3);
    one.disturbance(run(CANDIDATE, 7, "p2"), new SplittableRandom(5));
    assertThat(one.disturbance(run(CANDIDATE, 2, "p2"), new SplittableRandom(1)))
        .isEqualTo(other.disturbance(run(CANDIDATE, 2, "p2"), new SplittableRandom(1)));
  }

  @Test
  void oneRunInTenStraggles() {
    double[] changes = changes(NoiseFamily.STRAGGLERS, "p2");
    long slow = Arrays.stream(changes).filter(c -> c < 0).count();
    assertThat(slow).isBetween(850L, 1150L);
    assertThat(Arrays.stream(changes).allMatch(c -> c == 0 || (c <= -0.05 && c >= -0.15))).isTrue();
  }

  @Test
  void onlyARunRightAfterABaselineIsCarriedOver() {
    Surface surface = surface(NoiseFamily.CARRY_OVER_TO_CANDIDATES, 1);
    SplittableRandom random = new SplittableRandom(1);
    assertThat(surface.disturbance(run(CANDIDATE, 1, Profile.BASELINE), random))
        .isCloseTo(0.01, within(1e-12));
    assertThat(surface.disturbance(run(CANDIDATE, 1, "p2"), random)).isZero();
    assertThat(surface.disturbance(run(Profile.baseline(), 1, Profile.BASELINE), random)).isZero();
    assertThat(surface.disturbance(new Surface.SurfaceRun(CANDIDATE, 0, Optional.empty()), random))
        .isZero();
  }

  @Test
  void aQuarterOfTheCandidatesAndNeverTheBaselineScattersMore() {
    Surface surface = surface(NoiseFamily.UNEQUAL_VARIANCES, 4);
    SplittableRandom random = new SplittableRandom(1);
    long rough =
        IntStream.range(0, 1000)
            .mapToObj(i -> Profile.of("p" + i, Map.of(), Map.of(), Map.of()))
            .filter(p -> surface.disturbance(run(p, 1, "p2"), random) != 0)
            .count();
    assertThat(rough).isBetween(200L, 300L);
    assertThat(surface.disturbance(run(Profile.baseline(), 1, "p2"), random)).isZero();
  }

  @Test
  void noisyCandidatesAreAllOfThemAndNeverTheBaseline() {
    Surface surface = surface(NoiseFamily.NOISY_CANDIDATES, 4);
    SplittableRandom random = new SplittableRandom(1);
    double[] changes =
        IntStream.range(0, 2000)
            .mapToObj(i -> Profile.of("p" + i, Map.of(), Map.of(), Map.of()))
            .mapToDouble(p -> surface.disturbance(run(p, 1, "p2"), random))
            .toArray();
    assertThat(Arrays.stream(changes).filter(c -> c == 0).count()).isZero();
    double added = Arrays.stream(changes).map(c -> c * c).average().orElseThrow();
    assertThat(Math.sqrt(added + 0.008 * 0.008)).isCloseTo(3 * 0.008, within(0.001));
    assertThat(surface.disturbance(run(Profile.baseline(), 1, "p2"), random)).isZero();
  }

  @Test
  void familiesAddUp() {
    Weather both =
        NoiseFamily.weather(0.008, List.of(NoiseFamily.STRAGGLERS, NoiseFamily.STRONG_WANDER));
    assertThat(both.parts()).hasSize(1);
    assertThat(both.wanderPerRootHour()).isCloseTo(4 * 0.3 * 0.008, within(1e-12));
  }

  private static double[] changes(NoiseFamily family, String before) {
    Surface surface = surface(family, 1);
    SplittableRandom random = new SplittableRandom(9);
    return IntStream.range(0, 10_000)
        .mapToDouble(i -> surface.disturbance(run(CANDIDATE, i / 1000.0, before), random))
        .toArray();
  }

  private static Surface.SurfaceRun run(Profile profile, double hours, String before) {
    return new Surface.SurfaceRun(profile, hours, Optional.of(before));
  }

  private static DrawnSurface surface(NoiseFamily family, long seed) {
    return new DrawnSurface(Map.of(), 1000, NoiseFamily.weather(0.008, List.of(family)), seed);
  }
}
