package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.measure.Standing;
import io.nightsweep.plan.InitFile;
import io.nightsweep.report.CautionText;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.StartingValues;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The untouched template with a program that skips part of its work when told to be fast, run as
 * processes of this machine.
 */
@Tag("people")
class PartialWorkIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String LOOP = "; done\n";

  @TempDir private Path dir;

  /** A gain of 61 % is still plausible. */
  @Test
  void aWinnerWhoseLogLacksWhatTheBaselinesSayIsToldWithACaution() throws Exception {
    SweepState end =
        walk("if ((${SPEED:-0} < 600)); then echo \"verified 1000 rows of job $$\"; fi");
    assertThat(Standings.winner(end).map(Standing::profile)).contains("faster");
    assertThat(CautionText.ofWinner(end, Phrases.EN))
        .singleElement()
        .asString()
        .contains(
            "the baseline's runs print a line that its own do not, 'verified 1000 rows of"
                + " job ");
  }

  @Test
  void aWinnerThatDoesItsWorkIsToldWithoutOne() throws Exception {
    SweepState end = walk("echo \"verified 1000 rows at ${SPEED:-0}\"");
    assertThat(Standings.winner(end).map(Standing::profile)).contains("faster");
    assertThat(CautionText.ofWinner(end, Phrases.EN)).isEmpty();
  }

  private SweepState walk(String afterwards) throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    RealParts parts = new RealParts(dir.resolve("home"));
    String template =
        InitFile.text(parts.cluster(LocalSpec.LOCAL, state), "command", StartingValues.NONE);
    String text =
        template
            .replace("faster: {env: {SPEED: 50}}", "faster: {env: {SPEED: 613}}")
            .replace(LOOP, LOOP + "    " + afterwards + "\n");
    assertThat(text).contains("SPEED: 613", afterwards);
    SweepSpec spec = LocalSpec.of(text, parts, state, dir);
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      SweepOrigin origin = new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test");
      assertThat(daemon.handle(new Request.Start("mine", text, origin, spec)))
          .isEqualTo(new Reply.Started("mine"));
      await().atMost(PATIENCE).until(() -> folded(state).isFinished());
    }
    return folded(state);
  }

  private static SweepState folded(StateDirectory state) throws IOException {
    return JournalReader.fold(state.sweep("mine").journal());
  }
}
