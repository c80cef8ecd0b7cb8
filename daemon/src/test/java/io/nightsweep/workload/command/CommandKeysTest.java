package io.nightsweep.workload.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.WorkloadSchema;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema, and the page made of it, describe each key that a command workload reads. */
@Tag("people")
class CommandKeysTest {
  @Test
  void eachKeyIsDescribedAndNoOther() throws IOException {
    assertThat(WorkloadSchema.keys("command"))
        .containsExactlyInAnyOrderElementsOf(CommandSettings.OWN);
  }
}
