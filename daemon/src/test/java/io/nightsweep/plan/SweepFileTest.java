package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("sweep")
class SweepFileTest {
  static final String SWEEP =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload: {kind: kernels, program: native/build/nightsweep-kernels, kernel: allreduce, sizes: "1048576", dtype: f32, iterations: 8, trials: 64, warmup: 8}
      configTags: {1MiB: {sizes: "1048576"}, 8KiB: {sizes: 8192}}
      plan: kernels
      catalogs: [openmpi]
      profiles: {mine: {env: {OMPI_MCA_coll_tuned_use_dynamic_rules: 1, OMPI_MCA_coll_tuned_allreduce_algorithm: "4"}}}
      budget: {jobs: 60, hours: 8, until: 07:30}
      policy: {targetGain: 5%, confirmRuns: 4, jobTimeLimit: 1h30m}
      playbook: kernels
      """;

  private static final ZonedDateTime EVENING = ZonedDateTime.parse("2026-03-02T19:00:00+01:00");

  @TempDir Path folder;

  @Test
  void aWholeSweepFileBecomesASpec() throws Exception {
    SweepSpec spec = resolve(SWEEP);
    assertThat(spec.cell().nodes()).containsExactly("n1", "n2");
    assertThat(spec.cell().parallelism()).isEqualTo("ranks=2");
    assertThat(spec.workload()).isEqualTo("kernels");
    assertThat(spec.settings()).containsEntry("iterations", "8").doesNotContainKey("kind");
    assertThat(spec.metric())
        .isEqualTo(new Metric("busbwBytesPerSecond", "B/s", Metric.Better.HIGHER));
    assertThat(spec.configTags()).extracting(ConfigTag::name).containsExactly("1MiB", "8KiB");
    assertThat(spec.configTags().get(1).overrides()).isEqualTo(Map.of("sizes", "8192"));
    assertThat(spec.budget().jobs()).contains(60);
    assertThat(spec.budget().duration()).contains(Duration.ofHours(8));
    assertThat(spec.budget().until())
        .contains(ZonedDateTime.parse("2026-03-03T07:30:00+01:00").toInstant());
    assertThat(spec.policy().targetGain()).isEqualTo(0.05);
    assertThat(spec.policy().confirmRuns()).isEqualTo(4);
    assertThat(spec.policy().jobTimeLimit()).isEqualTo(Duration.ofMinutes(90));
    assertThat(spec.playbook().remedies()).containsKey("rccl-init-flake");
    assertThat(spec.catalogs()).extracting(Catalog::name).containsExactly("openmpi");
  }

  @Test
  void theScreenIsSplitIntoWavesAndAProfileComesOnce() throws Exception {
    SweepSpec spec = resolve(SWEEP);
    assertThat(spec.plan().waves())
        .extracting(Wave::name)
        .startsWith("baseline", "screen-1", "screen-2")
        .endsWith("race", "confirm", "cross-check");
    assertThat(spec.plan().waves().get(1).profiles()).startsWith("mine");
    assertThat(spec.plan().waves())
        .filteredOn(w -> w.kind() == Wave.Kind.SCREEN)
        .allSatisfy(w -> assertThat(w.profiles()).hasSizeBetween(4, 6));
    assertThat(spec.plan().waves().stream().flatMap(w -> w.profiles().stream()))
        .doesNotHaveDuplicates()
        .doesNotContain("allreduce-ring")
        .contains("allreduce-segmented-ring");
    assertThat(spec.profiles()).extracting(Profile::hash).doesNotHaveDuplicates();
  }

  private SweepSpec resolve(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("sweep.yaml"), text);
    return SweepFile.load(file)
        .resolve(FakeCluster.fourNodes(), (k, q, c) -> Optional.empty(), EVENING);
  }
}
