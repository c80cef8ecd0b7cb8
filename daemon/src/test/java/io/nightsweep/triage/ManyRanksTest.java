package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of ranks echo the error that killed one of them. */
@Tag("joblog")
class ManyRanksTest {
  private static final int RANKS = 3000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1500, RANKS})
  void theCauseIsFoundWhereverItStandsAmongTheEchoes(int place) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank <= RANKS; rank++) {
      String error =
          rank == place
              ? "ValueError: One of pjit arguments should be divisible by 8"
              : "jaxlib.xla_extension.XlaRuntimeError: UNAVAILABLE: Failed to send RPC to coordination service";
      text.append("%d: Traceback (most recent call last):\n".formatted(rank))
          .append("%d:   File \"train.py\", line 12, in main\n".formatted(rank))
          .append("%d: %s\n".formatted(rank, error));
    }
    Path log = Files.writeString(folder.resolve("job.log"), text);
    Playbooks shipped = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
    Diagnosis found =
        new LogTriage(shipped.read("any").recognition(), Workloads::hearSteps)
            .ended(log, Optional.of(JobEnd.State.FAILED), OptionalInt.of(1), 15);
    assertThat(found.failureClass()).isEqualTo("program-error");
    assertThat(found.quotes().getFirst().text()).contains("should be divisible by 8");
  }
}
