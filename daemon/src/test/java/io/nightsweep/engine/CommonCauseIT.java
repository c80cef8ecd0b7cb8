package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program goes away once the baseline is measured, as processes of this machine: candidates
 * that fail of it are measured after the program is back and the sweep is resumed.
 */
@Tag("recovery")
class CommonCauseIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** {@code @RUN@}: the run that removes this file; 0: none. */
  private static final String PROGRAM =
      """
      for ((step = 0; step < 12; step++)); do
        echo "step $step $((1000 + ${SPEED:-0} + RANDOM % 3)) tok/s"
      done
      echo run >>runs
      [[ $(wc -l <runs) != @RUN@ ]] || rm train.sh
      """;

  private static final String SWEEP =
      """
      model: anything
      parallelism: ranks=1
      slot: {nodelist: n1}
      workload:
        kind: command
        command: bash train.sh
        directory: "@FOLDER@"
        pattern: 'step (?<step>\\d+) (?<value>[\\d.]+) tok/s'
        steps: 12
        windowFrom: 4
      metric: {name: tokensPerSecond, unit: tok/s, better: higher}
      profiles:
        fast: {env: {SPEED: 80}}
        slow: {env: {SPEED: -80}}
      plan: kernels
      budget: {jobs: 60, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 4, jobTimeLimit: 2m, targetGain: 5%}
      playbook: common
      """;

  @TempDir private Path dir;

  @Test
  void candidatesRunAgainOnceTheProgramIsBack() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    RealParts parts = new RealParts(dir.resolve("home"));
    Path program = dir.resolve("train.sh");
    Files.writeString(program, program(2));
    String text = SWEEP.replace("@FOLDER@", dir.toString());
    SweepSpec spec = LocalSpec.of(text, parts, state, dir);
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      SweepOrigin origin = new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test");
      assertThat(daemon.handle(new Request.Start("mine", text, origin, spec)))
          .isEqualTo(new Reply.Started("mine"));
      await().atMost(PATIENCE).until(() -> folded(state).phase() instanceof Phase.Halted);
      SweepState halted = folded(state);
      assertThat(Sentences.of(((Phase.Halted) halted.phase()).cause(), Phrases.EN))
          .contains("program-missing");
      assertThat(halted.dropped()).as("this is what a common cause loses").isNotEmpty();

      Files.writeString(program, program(0));
      Command resume = new Command.Resume(Optional.empty(), Optional.empty());
      Command.Origin me = new Command.Origin(Command.Origin.Door.CLI, "me");
      assertThat(daemon.handle(new Request.Tell("mine", resume, me)))
          .isInstanceOf(Reply.Accepted.class);
      await().atMost(PATIENCE).until(() -> folded(state).isFinished());
    }
    SweepState finished = folded(state);
    assertThat(Standings.winner(finished).map(Standing::profile)).hasValue("fast");
    assertThat(Standings.board(finished).of("slow").orElseThrow().estimate().logGain())
        .isNegative();
  }

  private static String program(int lastRun) {
    return PROGRAM.replace("@RUN@", String.valueOf(lastRun));
  }

  private static SweepState folded(StateDirectory state) throws IOException {
    return JournalReader.fold(state.sweep("mine").journal());
  }
}
