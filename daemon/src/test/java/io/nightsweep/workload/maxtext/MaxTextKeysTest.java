package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.WorkloadSchema;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The schema, and the page made of it, describe each of Nightsweep's keys that a MaxText workload
 * reads.
 */
@Tag("people")
class MaxTextKeysTest {
  @Test
  void eachKeyIsDescribedAndNoOther() throws IOException {
    assertThat(WorkloadSchema.keys("maxtext"))
        .containsExactlyInAnyOrderElementsOf(MaxTextSettings.OWN);
  }
}
