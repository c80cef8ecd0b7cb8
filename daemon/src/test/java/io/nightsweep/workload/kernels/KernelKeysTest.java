package io.nightsweep.workload.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.WorkloadSchema;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema, and the page made of it, describe each kernel and each key that one reads. */
@Tag("people")
class KernelKeysTest {
  @Test
  void eachKeyIsDescribedAndNoOther() throws IOException {
    Set<String> read =
        KernelCase.kernels().stream()
            .flatMap(kernel -> KernelCase.settings(kernel).stream())
            .collect(Collectors.toSet());
    assertThat(WorkloadSchema.keys("kernels")).containsExactlyInAnyOrderElementsOf(read);
  }

  @Test
  void eachKernelIsNamedAndNoOther() throws IOException {
    assertThat(WorkloadSchema.choices("kernels", "kernel"))
        .containsExactlyElementsOf(KernelCase.kernels());
  }
}
