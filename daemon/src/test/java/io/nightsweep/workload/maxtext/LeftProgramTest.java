package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which jobs of the packed plan leave the text of their compiled step. */
@Tag("hours")
class LeftProgramTest {
  @TempDir private Path checkout;

  @BeforeEach
  void checkout() throws Exception {
    Files.createDirectories(checkout.resolve("configs"));
    Files.writeString(checkout.resolve("configs/ds.gpu.yml"), "per_device_batch_size: 7\n");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          baseline-deployed, CONTROL,         1, true
          baseline-deployed, CONTROL,         2, false
          baseline-deployed, CONFIRM_CONTROL, 1, false
          baseline-no-env,   SCREEN,          1, false
          ag-1G,             SCREEN,          1, true
          ag-1G,             SCREEN,          2, false
          ag-1G,             CONFIRM,         1, false
          ag-1G,             CROSS_CHECK,     1, false
          lhs,               SCREEN,          1, true
          prio,              SCREEN,          1, false
          own-nccl,          SCREEN,          1, false
          own-both,          SCREEN,          1, false
          """)
  void theFirstJobOfAProfileThatTheHloShowsWhole(
      String profile, Purpose purpose, int repetition, boolean leaves) throws Exception {
    Workload.LaunchRequest request = PackedCell.request(checkout, "", profile, purpose, repetition);
    assertThat(new MaxTextWorkload().leavesProgram(request)).isEqualTo(leaves);
    assertThat(dumps(request)).isEqualTo(leaves);
  }

  @Test
  void noneWhereTheSweepFileSaysSo() throws Exception {
    Workload.LaunchRequest request =
        PackedCell.request(checkout, "comparePrograms: false", "ag-1G", Purpose.SCREEN, 1);
    assertThat(new MaxTextWorkload().leavesProgram(request)).isFalse();
    assertThat(dumps(request)).isFalse();
  }

  private boolean dumps(Workload.LaunchRequest request) throws Exception {
    return Rendering.of(
            request, MaxTextSettings.of(request.spec()), ModelFiles.config(checkout, "ds"))
        .command()
        .passthrough()
        .containsKey("_env_ENABLE_XLA_DUMP");
  }
}
