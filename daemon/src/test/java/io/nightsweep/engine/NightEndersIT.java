package io.nightsweep.engine;

import static io.nightsweep.engine.Faults.diagnoses;
import static io.nightsweep.engine.FaultyNight.steps;
import static io.nightsweep.engine.FaultyNight.story;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On the real Slurm lab: candidates fail on each of their nodes, and the night continues. */
@Tag("joblog")
class NightEndersIT {
  private static final String RESET =
      "2099-01-01T00:00:00,000000+00:00 ionic 0000:c1:00.0 eth1: FW heartbeat stalled, reset\n";

  private final SlurmLab lab = SlurmLab.up();

  @Test
  void aCandidatesOwnFailureOnAllItsNodesEndsNoNight() {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "night-enders",
            "n1,n2",
            "{crash: {env: {FAULT: compiler-crash}}, rank: {env: {FAULT: rank-error}},"
                + " nic: {env: {FAULT: nic-information}}, fine: {env: {FAULT: none}}}",
            "",
            // The node reports a reset, but may be queried only after a failure of the NIC.
            Map.of("dmesg", RESET))) {
      SweepState s = night.finished();
      assertThat(story(s, "crash")).containsExactly("xla-compile");
      assertThat(story(s, "rank")).containsExactly("program-error", "program-error");
      assertThat(story(s, "nic")).containsExactly("program-error", "program-error");
      assertThat(story(s, "fine")).containsExactly("measured");
      for (String profile : List.of("crash", "rank", "nic")) {
        assertThat(s.isDropped(profile)).as(profile).isTrue();
        assertThat(steps(s, profile)).as("nothing of a node is touched").isEmpty();
      }
      assertThat(diagnoses(s)).allSatisfy(d -> assertThat(d.subjects()).isEmpty());
      assertThat(diagnoses(s))
          .anySatisfy(d -> assertThat(d.quotes().getFirst().text()).contains("sharding"));
    }
  }
}
