package io.nightsweep.conductor;

import io.nightsweep.judging.NodeOutliers;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.NodeFault;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks the pinned nodes before the first wave, after each remedy that touched a node, and at
 * dawn. If a node is far slower than the others, people decide; the gate never replaces a node.
 */
public final class NodeGate {
  /** Prefix of the name of each question about slow nodes. */
  private static final String QUESTION = "slow-nodes-";

  private NodeGate() {}

  /** The slow nodes of a check, in their order; empty if it found none. */
  public static List<NodeFault.Slow> outliers(SweepState s, Event.NodesChecked check) {
    List<NodeFigures> before =
        Stream.concat(
                check.earlier().stream(),
                s.nodeChecks().subList(0, s.nodeChecks().indexOf(check)).stream()
                    .flatMap(c -> c.nodes().stream()))
            .toList();
    return NodeOutliers.of(check.nodes(), before, s.spec().policy().nodeOutlier());
  }

  /** Asks people about slow nodes, and halts if they say no. */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    return counting(s)
        .map(check -> judge(s, check, found(s, check)))
        .filter(decisions -> !decisions.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static List<NodeFault> found(SweepState s, Event.NodesChecked check) {
    return Stream.<NodeFault>concat(
            outliers(s, check).stream(),
            s.strains().stream()
                .filter(e -> e.attempt().equals(check.attempt()))
                .map(e -> new NodeFault.Strained(e.strain())))
        .toList();
  }

  private static List<Decision> judge(
      SweepState s, Event.NodesChecked check, List<NodeFault> found) {
    if (found.isEmpty()) {
      return List.of();
    }
    String key = QUESTION + check.attempt();
    if (isAtDawn(s, check)) {
      return s.notices().containsKey(key)
          ? List.of()
          : Decision.append(
              new Event.NoticeIssued(
                  key, new Notice.Incident(new Occurrence.FaultyNodesAtDawn(found))),
              Statement.phrase("because-node-dawn"));
    }
    Questions.AnswerSoFar reply =
        Questions.ask(
            s,
            key,
            new QuestionAbout.FaultyNodes(found),
            s.spec().policy().answerWithin(),
            true,
            Statement.phrase("because-node-asked"));
    return switch (reply) {
      case Questions.AnswerSoFar.Open open -> open.decisions();
      case Questions.AnswerSoFar.Closed closed ->
          closed.answer().yes() || isResumed(s, key) || !Trials.isRunning(s)
              ? List.of()
              : Decision.append(
                  new Event.SweepHalted(
                      new HaltCause.NodesRefused(found),
                      found.stream().map(NodeFault::node).distinct().toList()),
                  Statement.phrase("because-node-refused"));
    };
  }

  /** Whether a person resumed after the halt, and so accepted these nodes or chose others. */
  private static boolean isResumed(SweepState s, String key) {
    return Optional.ofNullable(s.questions().get(key))
        .map(Question::askedAt)
        .flatMap(asked -> RemedyLimits.lastResume(s).filter(asked::isBefore))
        .isPresent();
  }

  /**
   * Whether nothing else may be sent to the nodes, because they are being checked or a question
   * about them is open.
   */
  static boolean isAwaited(SweepState s) {
    return s.open().values().stream().anyMatch(NodeGate::isCheck) || isAsked(s);
  }

  /** Whether the wave stays open for a person's answer, so that no wave opens behind it. */
  static boolean isHolding(SweepState s, Wave wave) {
    return wave.kind() == Wave.Kind.NODE_GATE && isAsked(s);
  }

  private static boolean isAsked(SweepState s) {
    return s.questions().entrySet().stream()
        .anyMatch(q -> q.getKey().startsWith(QUESTION) && q.getValue().isOpen());
  }

  static boolean isCheck(TrialState t) {
    return t.trial().purpose() == Purpose.NODE_GATE;
  }

  /** Plans a node check before a trial is retried, if its remedy touched a node. */
  static List<Decision> afterRemedy(View view) {
    SweepState s = view.state();
    if (!s.spec().plan().checksNodes() || s.open().values().stream().anyMatch(NodeGate::isCheck)) {
      return List.of();
    }
    return s.open().values().stream()
        .filter(t -> touchedAt(t).filter(at -> !isCheckedSince(s, at)).isPresent())
        .findFirst()
        .map(t -> check(s, t))
        .orElse(List.of());
  }

  private static List<Decision> check(SweepState s, TrialState t) {
    Wave wave = s.wave(t.trial().wave()).orElseThrow().wave();
    Blocks blocks = new Blocks(s, wave.name());
    blocks.alone(s.spec().primaryTag().name(), Profile.BASELINE, Purpose.NODE_GATE);
    return Waves.planned(wave, blocks.trials(), Statement.phrase("because-node-touched"));
  }

  /** When a completed remedy, after which the trial runs again, last touched a node. */
  private static Optional<Instant> touchedAt(TrialState t) {
    Optional<AttemptState.RemedyState> remedy =
        t.lastAttempt()
            .flatMap(AttemptState::remedy)
            .filter(r -> r.ended().filter(Remedy.Then.RESUBMIT::equals).isPresent());
    return remedy.stream()
        .flatMap(r -> r.stepsDone().stream().filter(done -> touches(r, done)))
        .map(AttemptState.StepDone::at)
        .reduce((first, second) -> second);
  }

  private static boolean touches(AttemptState.RemedyState remedy, AttemptState.StepDone done) {
    return done.end().succeeded()
        && Remedy.RemedyStep.TOUCHING.contains(remedy.step(done.index()).action());
  }

  private static boolean isCheckedSince(SweepState s, Instant at) {
    return s.trials().values().stream()
        .filter(NodeGate::isCheck)
        .flatMap(t -> t.attempts().stream())
        .anyMatch(a -> !a.intendedAt().isBefore(at));
  }

  private static Stream<Event.NodesChecked> counting(SweepState s) {
    return s.nodeChecks().stream()
        .filter(
            check ->
                s.repinnedAfter()
                    .filter(last -> check.attempt().trial().compareTo(last) <= 0)
                    .isEmpty());
  }

  /** Whether no job of the plan follows this check. */
  private static boolean isAtDawn(SweepState s, Event.NodesChecked check) {
    TrialId trial = check.attempt().trial();
    Optional<WaveState> own =
        s.wave(s.trial(trial).trial().wave()).filter(w -> w.is(Wave.Kind.NODE_GATE));
    return own.isPresent()
        && s.waves().subList(s.waves().indexOf(own.get()) + 1, s.waves().size()).isEmpty()
        && s.waves().size() > 1;
  }
}
