package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("guard")
class DrainReasonTest {
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "none, true",
    "Not responding, true",
    "Not responding [slurm@2026-11-22T03:00:00], true",
    "Kill task failed, true",
    "Prolog error, true",
    "Node unexpectedly rebooted, true",
    "nightsweep, true",
    "Not responding to BMC since Monday; do not touch, false",
    "Kill task failed twice; RMA, false",
    "maintenance: DIMM is being replaced, false",
    "NHC: check_hw_gpu failed, false",
    "health check failed, false",
    "kill the noise on this node before use, false",
    "alice: do not resume (not responding to pings), false",
  })
  void whatPeopleSetAsideIsTheirs(String reason, boolean slurms) {
    assertThat(DrainReason.isSlurmsOwn(reason)).isEqualTo(slurms);
  }
}
