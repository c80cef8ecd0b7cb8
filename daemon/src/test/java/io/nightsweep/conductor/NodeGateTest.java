package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When nodes are checked, who is asked about a slow node, and which jobs wait meanwhile. */
@Tag("hours")
class NodeGateTest {
  private static final AttemptId GATE = new TrialId(1).attempt(1);

  @Test
  void theFirstWaveWaitsForTheCheckAndForTheAnswer() {
    Story story = checked(100, 100, 20);
    assertThat(story.says(NodeGate::judge)).isEqualTo("ask");
    carryOut(story, NodeGate::judge);
    assertThat(asked(story))
        .contains("node n3 is 80 % slower at matrix products than the median of the nodes");
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
    assertThat(story.says(Waves::close)).isEqualTo("-");
    assertThat(story.says(Waves::plan)).isEqualTo("-");
    story.commanded(new Command.Approve("slow-nodes-" + GATE));
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
    carryOut(story, Waves::close);
    assertThat(story.says(Waves::plan)).isEqualTo("open baseline");
  }

  @Test
  void aCheckThatFindsNothingAsksNobody() {
    Story story = checked(100, 95, 103);
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
    carryOut(story, Waves::close);
    assertThat(story.says(Waves::plan)).isEqualTo("open baseline");
  }

  @Test
  void nobodyAnswersAndTheNightGoesOn() {
    Story story = checked(100, 100, 20);
    carryOut(story, NodeGate::judge);
    story.later(Duration.ofMinutes(16));
    carryOut(story, Questions::lapse);
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
    carryOut(story, Waves::close);
    assertThat(story.says(Waves::plan)).isEqualTo("open baseline");
  }

  @Test
  void aRefusalHaltsNamesTheNodeAndIsNotRepeatedAfterResume() {
    Story story = checked(100, 100, 20);
    carryOut(story, NodeGate::judge);
    story.later(Duration.ofMinutes(1)).commanded(new Command.Deny("slow-nodes-" + GATE));
    Event.SweepHalted halted =
        (Event.SweepHalted) ((Decision.Append) story.decisions(NodeGate::judge).getFirst()).event();
    assertThat(halted.failingNodes()).containsExactly("n3");
    story.told(halted).later(Duration.ofMinutes(1));
    story.commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
  }

  @Test
  void theEndOfAPauseAcceptsNoNode() {
    Story story = checked(100, 100, 20);
    carryOut(story, NodeGate::judge);
    story
        .later(Duration.ofMinutes(1))
        .commanded(new Command.Pause())
        .commanded(new Command.Resume(Optional.empty(), Optional.empty()))
        .commanded(new Command.Deny("slow-nodes-" + GATE));
    assertThat(story.decisions(NodeGate::judge))
        .singleElement()
        .satisfies(
            d -> assertThat(((Decision.Append) d).event()).isInstanceOf(Event.SweepHalted.class));
  }

  /** If the kernels are as fast as before, the job's own figures may still identify the node. */
  @Test
  void aNodeThatWasHeldBackWhileItWasCheckedIsAskedAbout() {
    Story story =
        checked(100, 100, 100)
            .told(
                new Event.NodeStrained(
                    GATE, new NodeStrain("n2", NodeStrain.Kind.THROTTLED, 0.48, 0)));
    carryOut(story, NodeGate::judge);
    assertThat(asked(story)).startsWith("n2 was throttled for 48 % of the time");
  }

  @Test
  void aCheckThatCouldNotRunCostsNothing() {
    Story story = new Story(spec()).opened("gate", Purpose.NODE_GATE, "baseline-deployed");
    story.submitted(GATE).failed(GATE, "submission-refused");
    assertThat(story.says(Trials::settle)).startsWith("t0001 Failed");
    carryOut(story, Trials::settle);
    carryOut(story, Waves::close);
    assertThat(story.says(Waves::plan)).isEqualTo("open baseline");
  }

  /** The retry waits until the nodes are checked; no other job is sent during the check. */
  @Test
  void aRemedyThatTouchedANodeIsFollowedByACheck() {
    Story story = checked(100, 100, 100);
    carryOut(story, Waves::close);
    AttemptId failing = new TrialId(2).attempt(1);
    story.opened("screen-1", Purpose.SCREEN, "p1", "p2").submitted(failing);
    story.failed(failing, "node-down");
    Remedy remedy =
        new Remedy(
            List.of(
                new Remedy.RemedyStep(
                    "resume-node",
                    new TreeMap<>(),
                    Duration.ofMinutes(2),
                    Optional.empty(),
                    1,
                    Remedy.Then.HALT)),
            Remedy.Then.RESUBMIT,
            2,
            Remedy.RemedyScope.SWEEP,
            false,
            Remedy.Then.HALT);
    story.told(new Event.RemedyBegun(failing, "node-down", remedy));
    assertThat(story.says(NodeGate::afterRemedy)).isEqualTo("-");
    story.later(Duration.ofMinutes(1));
    story.told(
        new Event.RemedyStepBegun(failing, 0),
        new Event.RemedyStepDone(failing, 0, StepEnd.succeeded(Statement.phrase("remedy-usable"))),
        new Event.RemedyEnded(failing, Remedy.Then.RESUBMIT, Event.RemedyEnded.Why.STEPS_DONE));
    assertThat(story.says(NodeGate::afterRemedy)).isEqualTo("more for screen-1");
    carryOut(story, NodeGate::afterRemedy);
    assertThat(story.says(NodeGate::afterRemedy)).isEqualTo("-");
    AttemptId again = new TrialId(4).attempt(1);
    assertThat(story.state().trial(again.trial()).trial().purpose()).isEqualTo(Purpose.NODE_GATE);
    assertThat(story.says(Submissions::next)).isEqualTo("submit t0004a1");
    story.later(Duration.ofMinutes(1)).submitted(again);
    assertThat(story.says(Submissions::next)).isEqualTo("-");
    measured(story, again, 100, 100, 100);
    assertThat(story.says(NodeGate::afterRemedy)).isEqualTo("-");
    assertThat(story.says(Submissions::next)).isEqualTo("submit t0002a2");
  }

  /** A check of the night is compared with the one before it, whatever the other nodes do. */
  @Test
  void atDawnPeopleAreToldAndNotAsked() {
    Story story = checked(100, 100, 100);
    story.opened("dawn", Purpose.NODE_GATE, "baseline-deployed");
    AttemptId dawn = new TrialId(2).attempt(1);
    story.submitted(dawn);
    measured(story, dawn, 40, 40, 40);
    Event told = ((Decision.Append) story.decisions(NodeGate::judge).getFirst()).event();
    assertThat(told)
        .isInstanceOfSatisfying(
            Event.NoticeIssued.class,
            e ->
                assertThat(Sentences.of(((Notice.Incident) e.notice()).what(), Phrases.EN))
                    .contains("node n1 is 60 % slower at matrix products than in earlier checks"));
    story.told(told);
    assertThat(story.says(NodeGate::judge)).isEqualTo("-");
  }

  /** Every candidate was decided: more budget would not change the sweep's results. */
  @Test
  void aCheckAtDawnThatNoJobIsLeftForCutsNothingOfThePlan() {
    Story story = checked(100, 100, 100);
    story.told(new Event.WaveSkipped("dawn", new Cause.BudgetSpent(Wave.Kind.NODE_GATE)));
    assertThat(Conclusion.cut(story.state())).isEmpty();
    story.told(new Event.WaveSkipped("confirm", new Cause.BudgetSpent(Wave.Kind.CONFIRM)));
    assertThat(Conclusion.cut(story.state())).containsExactly("confirm");
  }

  private static String asked(Story story) {
    return story.state().openQuestions().values().stream()
        .map(q -> Sentences.of(q.about(), Phrases.EN))
        .findFirst()
        .orElse("nothing");
  }

  private static Story checked(double... figures) {
    Story story = new Story(spec()).opened("gate", Purpose.NODE_GATE, "baseline-deployed");
    story.submitted(GATE).later(Duration.ofMinutes(1));
    measured(story, GATE, figures);
    return story;
  }

  private static void measured(Story story, AttemptId attempt, double... figures) {
    List<NodeFigures> nodes = new ArrayList<>();
    for (int i = 0; i < figures.length; i++) {
      nodes.add(
          new NodeFigures("n" + (i + 1), new TreeMap<>(Map.of(NodeMetric.GEMM_FLOPS, figures[i]))));
    }
    story.told(new Event.NodesChecked(attempt, nodes, List.of()));
    story.judged(attempt, new Judgement.Done(Statement.words("ended with exit code 0")));
    story.told(new Event.TrialClosed(attempt.trial(), new Disposition.Measured(attempt)));
  }

  private static void carryOut(Story story, Function<View, List<Decision>> stage) {
    story.decisions(stage).forEach(d -> story.told(((Decision.Append) d).event()));
  }

  private static SweepSpec spec() {
    SweepSpec spec = Specs.kernels(4, 40);
    List<Wave> waves = new ArrayList<>(spec.plan().waves());
    waves.addFirst(gate("gate"));
    waves.addLast(gate("dawn"));
    return spec.on(List.of("n1", "n2", "n3")).with(new Plan("kernels", waves, List.of()));
  }

  private static Wave gate(String name) {
    return new Wave(
        name, Wave.Kind.NODE_GATE, List.of(), Wave.When.ALWAYS, 1, Statement.words("nodes"));
  }
}
