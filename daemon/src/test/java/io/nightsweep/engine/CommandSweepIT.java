package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch script without any framework is a cell: patterns of the sweep file read its output. Its
 * winner is then run on real data at a person's request.
 */
@Tag("xla")
class CommandSweepIT {
  private static final Command.Origin ME = new Command.Origin(Command.Origin.Door.CLI, "me");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String SCRIPT =
      """
      #!/bin/bash
      #SBATCH --job-name=of-its-own
      echo "data ${DATA:-synthetic}, flags ${TRAIN_FLAGS:-none}, width $WIDTH"
      [[ $MODE != crash ]] || { echo "Traceback: no such mode"; exit 3; }
      for ((step = 0; step < STEPS; step++)); do
        loss=8.25
        [[ $DATA != real ]] || loss=$((9 - step / 10)).$((9 - step % 10))
        [[ $MODE != diverge || $step -lt 6 ]] || loss=nan
        printf '\\e[36m[rank0]\\e[0m iter %d/%d | 0.1%d s | %d.%d tok/s | loss %s\\n' \\
          $step $STEPS $((RANDOM % 9)) $((1000 + ${SPEED:-0} + RANDOM % 3)) $((RANDOM % 10)) $loss
      done
      """;

  private static final String SWEEP =
      """
      model: anything
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: command
        command: bash train.sbatch
        directory: "@FOLDER@"
        launch: once
        pattern: 'iter (?<step>\\d+)/\\d+ \\| (?<seconds>[\\d.]+) s \\| (?<value>[\\d.]+) tok/s \\| loss (?<loss>[\\d.]+|nan)'
        steps: 12
        windowFrom: 4
        flagsVariable: TRAIN_FLAGS
        env: {WIDTH: 7}
        STEPS: 12
        validation: {steps: 60, STEPS: 60, DATA: real}
        validationMinutes: 3
      metric: {name: tokensPerSecond, unit: tok/s, better: higher}
      profiles:
        fast: {env: {SPEED: 80}, flags: {--xla_anything: on}}
        slow: {overrides: {SPEED: -80}}
        crash: {env: {MODE: crash, SPEED: 500}}
        diverge: {env: {MODE: diverge, SPEED: 500}}
      plan: kernels
      budget: {jobs: 60, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 4, jobTimeLimit: 2m, targetGain: 5%}
      playbook: common
      """;

  @TempDir private Path dir;
  private StateDirectory state;
  private RealParts parts;
  private SweepDirectory directory;

  @BeforeEach
  void stateDirectory() {
    state = new StateDirectory(dir.resolve("state"));
    parts = new RealParts(dir.resolve("home"));
    directory = state.sweep("anything");
  }

  @Test
  void aBatchScriptIsTunedAndItsWinnerIsRunOnRealDataWhenSomebodyAsks() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      start(daemon);
      assertThat(validate(daemon))
          .isInstanceOfSatisfying(
              Reply.Refused.class, r -> assertThat(r.reason()).contains("has not finished"));
      await().atMost(PATIENCE).until(() -> folded().isFinished());
    }
    SweepState swept = folded();
    assertThat(((Phase.Finished) swept.phase()).outcome())
        .as(swept.phase().toString())
        .isEqualTo(Event.SweepFinished.SweepOutcome.WINNER);
    Standing winner = Standings.winner(swept).orElseThrow();
    assertThat(winner.profile()).isEqualTo("fast");
    assertThat(Math.exp(Standings.publishedLogGain(winner))).isBetween(1.06, 1.10);
    assertThat(Standings.board(swept).of("slow").orElseThrow().estimate().logGain()).isNegative();
    assertThat(trials(swept, "crash"))
        .allMatch(t -> !(t.disposition().orElseThrow() instanceof Disposition.Measured));
    assertThat(trials(swept, "diverge"))
        .as("whatever its speed")
        .allMatch(t -> !(t.disposition().orElseThrow() instanceof Disposition.Measured));
    AttemptState fast = measured(swept, "fast");
    assertThat(log(fast)).contains("data synthetic, flags --xla_anything=on, width 7");
    assertThat(fast.measurement().orElseThrow().steps()).hasSize(12);
    assertThat(fast.measurement().orElseThrow().steps().getLast().loss()).hasValue(8.25);
    assertThat(swept.validations()).as("nobody asked").isEmpty();

    ReportWriter.write(directory.reports(), swept);
    Map<String, String> reports = reports();
    assertThat(reports).containsKey("anything-tuning.md").doesNotContainKey("validation.md");
    // A daemon that never knew the sweep opens it just for this.
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      assertThat(validate(daemon)).isInstanceOf(Reply.Accepted.class);
      await().atMost(PATIENCE).until(() -> !folded().validations().isEmpty() && folded().isDone());
      await().atMost(PATIENCE).until(() -> reports().containsKey("validation.md"));
      await()
          .atMost(PATIENCE)
          .until(() -> reports().getOrDefault("validation.md", "").contains("60 steps"));
    }
    SweepState after = folded();
    assertThat(after.phase()).isEqualTo(swept.phase());
    assertThat(JournalReader.endsFinished(directory.journal())).isTrue();
    TrialState validation = after.validations().getFirst();
    assertThat(after.validations()).hasSize(1);
    assertThat(validation.trial().profile()).isEqualTo("fast");
    assertThat(validation.attempts()).hasSize(1);
    AttemptState run = validation.attempts().getFirst();
    assertThat(log(run)).contains("data real, flags --xla_anything=on, width 7");
    assertThat(run.measurement().orElseThrow().steps()).hasSize(60);
    assertThat(run.measurement().orElseThrow().steps().getLast().loss()).hasValue(4.0);

    // The leaderboard and every file of the report are unchanged.
    assertThat(Standings.board(after)).isEqualTo(Standings.board(swept));
    Map<String, String> now = reports();
    assertThat(now.remove("validation.md"))
        .contains("60 steps; the loss went from 9.9000 to 4.0000", "| 0 | 9.9000 |");
    assertThat(now.remove("validation.zh.md")).contains("60 步；损失从 9.9000 变为 4.0000");
    now.forEach((file, text) -> assertThat(text).as(file).isEqualTo(reports.get(file)));
    assertThat(now.keySet()).isEqualTo(reports.keySet());
  }

  private void start(Daemon daemon) throws Exception {
    Files.writeString(dir.resolve("train.sbatch"), SCRIPT);
    String text = SWEEP.replace("@FOLDER@", dir.toString());
    SweepSpec spec = LocalSpec.of(text, parts, state, dir);
    assertThat(parts.workload("command").preflight(spec)).isEmpty();
    SweepOrigin origin = new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test");
    Reply reply = daemon.handle(new Request.Start("anything", text, origin, spec));
    assertThat(reply).isEqualTo(new Reply.Started("anything"));
  }

  private static Reply validate(Daemon daemon) throws InterruptedException {
    return daemon.handle(new Request.Tell("anything", new Command.Validate(), ME));
  }

  private SweepState folded() throws IOException {
    return JournalReader.fold(directory.journal());
  }

  private String log(AttemptState a) throws IOException {
    return Files.readString(directory.job(a.id()).log());
  }

  private static List<TrialState> trials(SweepState s, String profile) {
    return s.trials().values().stream().filter(t -> t.trial().profile().equals(profile)).toList();
  }

  private static AttemptState measured(SweepState s, String profile) {
    return trials(s, profile).stream()
        .filter(t -> t.trial().purpose() == Trial.Purpose.SCREEN)
        .flatMap(t -> t.attempts().stream())
        .filter(a -> a.measurement().isPresent())
        .findFirst()
        .orElseThrow();
  }

  /**
   * The reports by name; for charts the size suffices. Files that are being written have hidden
   * names.
   */
  private Map<String, String> reports() throws IOException {
    TreeMap<String, String> all = new TreeMap<>();
    if (!Files.isDirectory(directory.reports())) {
      return all;
    }
    try (Stream<Path> files = Files.walk(directory.reports())) {
      for (Path file : files.filter(f -> !f.getFileName().toString().startsWith(".new")).toList()) {
        if (!Files.isRegularFile(file)) {
          continue;
        }
        String name = directory.reports().relativize(file).toString();
        all.put(name, name.endsWith(".png") ? Files.size(file) + " bytes" : Files.readString(file));
      }
    }
    return all;
  }
}
