package io.nightsweep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a finding's figures mean is known to its kind alone. */
class FindingTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);
  private static final Statement TEXT = Statement.words("text");

  @Test
  void namesTheCandidatesThatArePutOff() {
    Finding putOff = Finding.ofPutOff(ATTEMPT, TEXT, List.of("b", "a"), 8.5);
    assertThat(putOff.putOff()).containsExactly("a", "b");
    assertThat(putOff.figures()).containsEntry("a", 8.5);
    assertThat(putOff.largestCost()).isEmpty();
    assertThat(of(Finding.MECHANISMS).putOff()).isEmpty();
  }

  @Test
  void namesTheLargestCost() {
    Optional<Finding.LargestCost> cost = Optional.of(new Finding.LargestCost("all-gather", 0.25));
    assertThat(of(Finding.DOMINANT).largestCost()).isEqualTo(cost);
    assertThat(of(Finding.UNADDRESSED).largestCost()).isEqualTo(cost);
    assertThat(of(Finding.BREAKDOWN).largestCost()).isEmpty();
    assertThat(new Finding(ATTEMPT, Finding.DOMINANT, TEXT, List.of()).largestCost()).isEmpty();
  }

  private static Finding of(String kind) {
    TreeMap<String, Double> figures = new TreeMap<>();
    figures.put("all-gather", 0.25);
    return new Finding(ATTEMPT, kind, TEXT, List.of(), figures);
  }
}
