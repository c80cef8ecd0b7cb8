package io.nightsweep.sim;

import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A sweep with node n2 dying under the running job, by the packed playbook. */
public final class LostNode {
  private static final Statement DOWN = Statement.words("n2 is down* (Not responding)");

  private LostNode() {}

  /** The remedy begins to wait for the node. */
  public static SweepState awaited(SweepState running) throws InvalidInputException {
    SweepState s = running;
    for (Entry entry : awaitedFrom(running)) {
      s = s.apply(entry);
    }
    return s;
  }

  /** The events from then on until the remedy waits. */
  public static List<Entry> awaitedFrom(SweepState running) throws InvalidInputException {
    AttemptId job = running.inFlight().getFirst().id();
    Instant now = running.lastEventAt();
    Remedy remedy =
        new Playbooks(Resources.beside(Path.of("sweep.yaml")))
            .read("maxtext-rocm")
            .remedyFor("node-fail");
    int wait =
        remedy.steps().stream()
            .map(Remedy.RemedyStep::action)
            .toList()
            .indexOf(Remedy.RemedyStep.WAIT_FOR_NODES);
    List<Event> events =
        List.of(
            new Event.AttemptEnded(
                job,
                new JobEnd(
                    JobEnd.State.NODE_FAIL, 0, Optional.of(now), now, JobEnd.Source.CONTROLLER)),
            new Event.AttemptJudged(
                job,
                new Judgement.Failed(
                    new Diagnosis("node-fail", 1, List.of(), DOWN, List.of("n2")))),
            new Event.RemedyBegun(job, "node-fail", remedy),
            new Event.RemedyStepBegun(job, wait));
    return IntStream.range(0, events.size())
        .mapToObj(i -> new Entry(running.seq() + 1 + i, now, events.get(i)))
        .toList();
  }

  /** The node is not back after half an hour. */
  public static SweepState halted(SweepState running) throws InvalidInputException {
    HaltCause.StepTried resumed =
        new HaltCause.StepTried(
            Remedy.RemedyStep.RESUME_NODE, StepEnd.failed(Statement.words("it is down*")));
    SweepState s = awaited(running);
    return s.apply(
        new Entry(
            s.seq() + 1,
            s.lastEventAt().plus(Duration.ofMinutes(30)),
            new Event.SweepHalted(
                new HaltCause.Incurable("node-fail", DOWN, List.of(resumed)), List.of("n2"))));
  }
}
