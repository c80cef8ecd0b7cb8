package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
class NodeEvidenceTest {
  /** The cut falls into the secret, of which the rest has no form. */
  @Test
  void aNodesWordsAreMaskedBeforeTheyAreCut() {
    for (int rest = 0; rest < 30; rest++) {
      String text = "HF_TOKEN=hf_" + "canary".repeat(6) + " " + "x".repeat(1_965 + rest);
      assertThat(NodeEvidence.printable(text)).contains("xxx").doesNotContain("canary");
    }
    assertThat(NodeEvidence.printable("x".repeat(70_000))).hasSize(2_003);
  }
}
