package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * On the real Slurm a cgroup's limit slows a node down: before the first wave the check identifies
 * it, and during the sweep the jobs' own figures do.
 */
@Tag("hours")
@Tag("alone")
class NodeGateIT {
  /** The job's steps run on the first node, which is the slowed one. */
  private static final String SWEEP =
      """
      model: loops
      parallelism: ranks=1
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: command
        launch: once
        pattern: 'step (?<step>\\d+) of 24: (?<value>\\d+) loops'
        steps: 24
        windowFrom: 8
        command: |
          for ((step = 0; step < 24; step++)); do
            began=${EPOCHREALTIME/./}
            for ((i = 0; i < 20000; i++)); do :; done
            sleep 0.05
            echo "step $step of 24: $((1000000000 / (${EPOCHREALTIME/./} - began))) loops"
          done
      metric: {name: loops, unit: 1/s, better: higher}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed]}
          - {name: first, kind: screen, profiles: [one, other], when: always}
      profiles:
        one: {env: {NOTHING_READS_THIS: 1}}
        other: {env: {NOTHING_READS_THIS: 2}}
      budget: {jobs: 20, hours: 1}
      policy:
        {nodeGate: true, nodeOutlier: 70%, baselineRuns: 3, jobsInFlight: 1, jobTimeLimit: 4m, plausibleGain: 900%}
      playbook: common
      """;

  private final SlurmLab lab = SlurmLab.up();

  @Test
  void aSlowNodeIsNamedBeforeTheFirstWaveAndInTheMiddleOfTheNight() throws Exception {
    StateDirectory state = new StateDirectory(lab.shared("node-gate"));
    RealParts parts = new RealParts(lab.home());
    lab.lab("slow-node", "n1", "15");
    try (Daemon daemon = Daemon.open(state, LabParts.of(parts), InstantSource.system())) {
      Request.Start plain = new LabSweep(lab, "loops", SWEEP).request();
      Reply reply =
          daemon.handle(
              new Request.Start(
                  plain.name(),
                  plain.sweepFile(),
                  plain.origin(),
                  NodeChecks.fitted(
                      plain.spec(),
                      parts.cluster(plain.origin().cluster(), state),
                      parts.nodeGate(),
                      InstantSource.system().instant())));
      String sweep = ((Reply.Started) reply).sweep();
      SweepDirectory directory = state.sweep(sweep);

      SweepState asked = until(directory, s -> !s.openQuestions().isEmpty());
      String question = asked.openQuestions().firstKey();
      assertThat(question).startsWith("slow-nodes-");
      assertThat(asked.openQuestions().values())
          .singleElement()
          .satisfies(q -> assertThat(Sentences.of(q.about(), Phrases.EN)).contains("n1 "));
      assertThat(asked.trials().values())
          .as("nothing runs before the answer")
          .allMatch(t -> t.trial().purpose() == Purpose.NODE_GATE);
      assertThat(gate(directory))
          .as("from the opening of the wave to the nodes' figures (decision 0044)")
          .isLessThan(Duration.ofMinutes(2));
      tell(daemon, sweep, new Command.Deny(question));
      SweepState halted = until(directory, s -> s.phase() instanceof Phase.Halted);
      assertThat(((Phase.Halted) halted.phase()).failingNodes()).contains("n1");

      lab.lab("free-node", "n1");
      tell(daemon, sweep, new Command.Resume(Optional.empty(), Optional.empty()));
      until(directory, s -> s.wave("baseline").orElseThrow().closedAt().isPresent());
      lab.lab("slow-node", "n1", "5");
      until(directory, s -> !strained(s).isEmpty());
      lab.lab("free-node", "n1");

      SweepState end = until(directory, SweepState::isFinished);
      Event.NodeStrained strained = strained(end).getFirst();
      assertThat(strained.strain().node()).isEqualTo("n1");
      assertThat(strained.strain().kind()).isEqualTo(NodeStrain.Kind.THROTTLED);
      String profile = end.trialOf(strained.attempt()).profile();
      List<TrialState> own =
          end.trials().values().stream().filter(t -> t.trial().profile().equals(profile)).toList();
      assertThat(own).as("its run is repeated").hasSizeGreaterThanOrEqualTo(2);
      assertThat(JournalReader.fold(directory.journal())).isEqualTo(end);
      assertThat(Standings.winner(end)).isEmpty();
      assertThat(Optional.ofNullable(end.dropped().get(profile)).map(Event.ProfileDropped::why))
          .as("no slow run ends a profile; a sound one may")
          .matches(
              why ->
                  why.isEmpty()
                      || (why.get() instanceof Cause.RacedOut raced
                          && Math.abs(raced.percent()) < 20));
      String report = Files.readString(ReportWriter.page(directory.reports(), end));
      assertThat(report).contains("## Nodes").contains("n1 was throttled for");
    } finally {
      lab.lab("free-node", "n1");
    }
  }

  /** How long the first check of the nodes held the night up, by the journal's own times. */
  private static Duration gate(SweepDirectory directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(directory.journal(), entries::add);
    Entry opened =
        entries.stream()
            .filter(e -> e.event() instanceof Event.WaveOpened)
            .findFirst()
            .orElseThrow();
    assertThat(((Event.WaveOpened) opened.event()).trials())
        .extracting(Trial::purpose)
        .containsExactly(Purpose.NODE_GATE);
    Entry checked =
        entries.stream()
            .filter(e -> e.event() instanceof Event.NodesChecked)
            .findFirst()
            .orElseThrow();
    return Duration.between(opened.at(), checked.at());
  }

  /** Measured candidate runs during which a node was slowed down. */
  private static List<Event.NodeStrained> strained(SweepState s) {
    return s.strains().stream()
        .filter(e -> s.trialOf(e.attempt()).purpose() == Purpose.SCREEN)
        .filter(e -> s.attempt(e.attempt()).judgement().isPresent())
        .toList();
  }

  private static void tell(Daemon daemon, String sweep, Command command) throws Exception {
    assertThat(
            daemon.handle(
                new Request.Tell(
                    sweep, command, new Command.Origin(Command.Origin.Door.CLI, "test"))))
        .isInstanceOf(Reply.Accepted.class);
  }

  private static SweepState until(SweepDirectory directory, Predicate<SweepState> condition) {
    await()
        .atMost(Duration.ofMinutes(8))
        .pollInterval(Duration.ofMillis(300))
        .until(() -> condition.test(fold(directory)));
    return fold(directory);
  }

  private static SweepState fold(SweepDirectory directory) {
    try {
      return JournalReader.fold(directory.journal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
