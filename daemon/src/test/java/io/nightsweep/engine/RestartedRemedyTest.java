package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A remedy's wait ends even if the daemon dies more often than that. */
@Tag("guard")
class RestartedRemedyTest {
  @TempDir private Path scratch;

  @Test
  void aNodeIsWaitedForSinceTheFirstDaemonAskedForIt() throws Exception {
    Playbooks playbooks = new Playbooks(Resources.beside(Path.of("sweep.yaml")));
    SampleNight night =
        new SampleNight(
            scratch,
            playbooks.read("common"),
            EveryClassTest.sample(playbooks, "common", "node-down"),
            SampleNight.CANDIDATE,
            1_000,
            Optional.of("resume-node"));
    night.run(RestartedRemedyTest::isNodeAwaited);
    // Two tries of two minutes each.
    SweepState s = night.restarting(Duration.ofSeconds(20), 20);
    assertThat(s.phase()).isInstanceOf(Phase.Halted.class);
  }

  private static boolean isNodeAwaited(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.remedy().stream())
        .flatMap(
            r ->
                r.running().stream()
                    .map(AttemptState.StepUnderWay::index)
                    .map(r.remedy().steps()::get))
        .anyMatch(step -> step.action().equals("resume-node"));
  }
}
