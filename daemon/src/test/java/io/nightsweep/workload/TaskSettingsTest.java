package io.nightsweep.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.report.Phrases;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The resources of each rank are requested in Slurm's own words, or not at all. */
@Tag("kernels")
class TaskSettingsTest {
  @Test
  void whatIsSetIsAskedForAndNothingElse() throws Exception {
    assertThat(TaskSettings.of(Map.of("cpusPerTask", "4", "gpusPerTask", "1")).slurmOptions())
        .containsExactly("--cpus-per-task=4", "--gpus-per-task=1");
    assertThat(TaskSettings.of(Map.of("sizes", "8"))).isEqualTo(PerTask.UNSAID);
    assertThat(PerTask.UNSAID.slurmOptions()).isEmpty();
  }

  @Test
  void whatIsNoNumberIsToldWithWhatWasExpected() {
    assertThatThrownBy(() -> TaskSettings.of(Map.of("gpusPerTask", "all")))
        .isInstanceOfSatisfying(
            UnsupportedTrialException.class,
            e ->
                assertThat(Phrases.EN.text(e.why()))
                    .isEqualTo(
                        "'gpusPerTask' is 'all'; expected a whole number of at most four digits"));
  }
}
