package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> MODELS =
      List.of("llama2-70b", "llama3-8b", "mixtral-8x7b", "mixtral-8x22b");

  @Test
  void aSlipIsMeantBeforeAPart() {
    assertThat(Nearest.to("lama2-70b", MODELS)).hasValue("llama2-70b");
    assertThat(Nearest.to("8x7b", List.of("mixtral-8x7b", "8x8b"))).hasValue("8x8b");
  }

  /** As a launcher accepts a part of a model's name. */
  @Test
  void aPartOfOneNameIsMeantForIt() {
    assertThat(Nearest.to("70B", MODELS)).hasValue("llama2-70b");
    assertThat(Nearest.to("mixtral", MODELS)).as("of two").isEmpty();
    assertThat(Nearest.to("8b", MODELS)).as("too short").isEmpty();
    assertThat(Nearest.to("405b", MODELS)).isEmpty();
  }
}
