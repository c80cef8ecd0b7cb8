package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Fact;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sweep's software is the software of its first jobs. */
@Tag("xla")
class ProvenanceTest {
  private static final Fact COMMIT = new Fact("launcher commit", "aaaa", true);

  @Test
  void whatIsNewIsLearnedAndWhatIsDifferentIsToldWithBothVersions() {
    TreeMap<String, String> told = new TreeMap<>(Map.of("jax", "0.7.1", "launcher commit", "aaaa"));
    assertThat(new Provenance(List.of(COMMIT)).contradiction(told)).isEmpty();
    Provenance known = new Provenance(List.of(COMMIT)).with(told);
    assertThat(known.inventory()).containsExactly(COMMIT, new Fact("jax", "0.7.1", true));
    assertThat(
            Phrases.EN.text(
                known.contradiction(new TreeMap<>(Map.of("jax", "0.8.0"))).orElseThrow()))
        .startsWith("the job ran with jax 0.8.0 instead of 0.7.1: ");
    assertThat(
            Phrases.EN.text(
                known
                    .contradiction(new TreeMap<>(Map.of("launcher commit", "bbbb")))
                    .orElseThrow()))
        .contains("launcher commit bbbb instead of aaaa");
  }

  @Test
  void aJobThatTellsNothingChangesNothing() {
    Provenance provenance = new Provenance(List.of(COMMIT));
    assertThat(provenance.contradiction(new TreeMap<>())).isEmpty();
    assertThat(provenance.with(new TreeMap<>())).isEqualTo(provenance);
  }
}
