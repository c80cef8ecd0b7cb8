package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Applies each event to the state. */
final class Fold {
  private Fold() {}

  static SweepState apply(SweepState state, Entry entry) {
    if (entry.seq() != state.seq() + 1) {
      throw new IllegalStateException(
          "event " + entry.seq() + " does not follow event " + state.seq());
    }
    // An event after the end, such as the delivery of a message, does not lengthen the sweep.
    Instant at = state.isFinished() ? state.lastEventAt() : entry.at();
    return change(state, entry.event(), entry.at()).at(entry.seq(), at);
  }

  private static SweepState change(SweepState s, Event event, Instant at) {
    return switch (event) {
      case Event.SweepStarted e -> started(s, e, at);
      case Event.CommandAccepted e -> command(s, e, at);
      case Event.NightJoined e -> s.with(s.start().with(SharedNight.joined(e.night())));
      case Event.TurnTaken e -> night(s, n -> n.taken(e.share(), s.work()));
      case Event.TurnPassed e -> night(s, SharedNight::passed);

      case Event.WaveOpened e -> plan(s, e.wave(), e.trials(), w -> w.opened(at));
      case Event.TrialsPlanned e ->
          plan(s.with(s.roster().takenBack(e.trials())), e.wave(), e.trials(), w -> w);
      case Event.WaveClosed e -> wave(s, e.wave(), w -> w.closed(at));
      case Event.WaveSkipped e -> wave(s, e.wave(), w -> w.skipped(e.why()));
      case Event.AxisChosen e -> led(s, e.axis());
      case Event.ConfirmationPlanned e -> s.with(s.schedule().with(e));
      case Event.ValidationPlanned e -> plan(s, List.of(e.trial()));
      case Event.TrialClosed e -> trial(s, e.trial(), t -> t.closed(e.disposition()));

      case Event.ProfileAdded e -> s.with(s.roster().with(e.profile()));
      case Event.ProfileAmended e -> s.with(s.roster().with(e.profile()));
      case Event.ProfileDropped e -> s.with(s.roster().without(e));

      case Event.SubmissionIntended e -> intended(s, e, at);
      case Event.Submitted e -> attempt(s, e.attempt(), a -> a.submitted(e.job()));
      case Event.SubmissionUnqueued e -> attempt(s, e.attempt(), AttemptState::unqueued);
      case Event.SubmissionRepeated e -> attempt(s, e.attempt(), AttemptState::repeated);
      case Event.SubmissionRefused e -> judged(s, e.attempt(), new Judgement.Failed(e.diagnosis()));
      case Event.AttemptStarted e -> run(s, e.attempt(), r -> r.started(e.startedAt(), e.nodes()));
      case Event.AttemptDoubted e -> run(s, e.attempt(), r -> r.doubted(doubt(e, at)));
      case Event.AttemptSeen e -> run(s, e.attempt(), r -> r.doubted(Optional.empty()));
      case Event.AttemptProgressed e -> run(s, e.attempt(), r -> r.progressed(progress(e, at)));
      case Event.AttemptShown e -> run(s, e.attempt(), r -> r.shown(e.sofar()));
      case Event.AttemptGivenUp e -> ending(s, e.attempt(), x -> x.givenUp(e.diagnosis()));
      case Event.CancelRequested e -> ending(s, e.attempt(), x -> x.cancelled(e.cause()));
      case Event.AttemptEnded e ->
          ending(run(s, e.attempt(), r -> r.ended(e.end())), e.attempt(), x -> x.ended(e.end()));
      case Event.AttemptJudged e -> judged(s, e.attempt(), e.judgement());

      case Event.RemedyBegun e -> attempt(s, e.attempt(), a -> a.with(begun(e, at)));
      case Event.RemedyStepBegun e -> remedy(s, e.attempt(), r -> r.stepBegun(e.index(), at));
      case Event.RemedyStepDone e -> remedy(s, e.attempt(), r -> r.stepDone(done(e, at)));
      case Event.RemedyEnded e -> remedy(s, e.attempt(), r -> r.ended(e.then()));

      case Event.QuestionAsked e -> s.with(s.talk().with(e.question(), Question.asked(e, at)));
      case Event.QuestionLapsed e -> s.with(s.talk().question(e.question(), Question::lapsed));

      case Event.LlmAdmitted e -> llm(s, s.llm().with(e.terms()));
      case Event.LlmAsked e -> llm(s, s.llm().asked(e.occasion(), at));
      case Event.LlmAnswered e -> llm(s, s.llm().answered(e.round(), e.answer()));

      case Event.ClusterUnreachable e -> s.with(s.known().outage(Optional.of(outage(e, at))));
      case Event.ClusterReachable e -> s.with(s.known().outage(Optional.empty()));
      case Event.StorageFailed e -> s;
      case Event.StorageRecovered e -> s;
      case Event.DaemonStarted e -> s;
      case Event.DaemonStopped e -> s;
      case Event.InventoryTaken e -> s.with(s.known().with(e.facts()));
      case Event.GainsKnown e -> s.with(s.known().with(e));
      case Event.FindingMade e -> s.with(s.known().with(e.finding()));
      case Event.NodesChecked e -> s.with(s.known().with(e));
      case Event.NodeStrained e -> s.with(s.known().with(e));

      case Event.NoticeIssued e -> s.with(s.talk().with(e.key(), issued(s, e, at)));
      case Event.NoticeSending e -> delivery(s, e.key(), e.to(), d -> d.sending(e.part()));
      case Event.NoticeDelivered e ->
          delivery(s, e.key(), e.to(), d -> d.delivered(e.part(), receipt(e, at)));
      case Event.NoticeUnsent e -> delivery(s, e.key(), e.to(), d -> d.sending(d.delivered()));
      case Event.NoticeSettled e -> notice(s, e.key(), n -> n.settled(e.to(), e.how()));

      case Event.SweepHalted e ->
          s.with(new Phase.Halted(s.seq() + 1, at, e.cause(), e.failingNodes()));
      case Event.CellRepinned e ->
          spec(s, s.spec().on(e.nodes()))
              .with(s.schedule().anew())
              .with(s.roster().beforeTheRace());
      case Event.SweepFinished e ->
          s.with(new Phase.Finished(e.outcome(), e.ending(), halted(s.phase())));
    };
  }

  private static SweepState started(SweepState s, Event.SweepStarted e, Instant at) {
    if (s.startedSpec().isPresent()) {
      throw new IllegalStateException("a second start of sweep " + s.sweep());
    }
    Roster roster = Roster.empty();
    for (Profile profile : e.spec().profiles()) {
      roster = roster.with(profile);
    }
    return SweepState.empty()
        .with(
            new SweepStart(
                e.sweep(), e.seed(), Optional.of(e.spec()), Optional.of(at), Optional.empty()))
        .with(new Phase.Running())
        .with(roster)
        .with(SweepSchedule.of(e.spec().plan().waves()));
  }

  /** The halt that was in force when a person stopped the sweep. */
  private static Optional<Phase.Halted> halted(Phase before) {
    return switch (before) {
      case Phase.Halted p -> Optional.of(p);
      case Phase.Stopping p -> p.halted();
      case Phase.Finished p -> p.halted();
      case Phase.NotStarted p -> Optional.empty();
      case Phase.Running p -> Optional.empty();
      case Phase.Paused p -> Optional.empty();
    };
  }

  private static SweepState command(SweepState before, Event.CommandAccepted e, Instant at) {
    boolean endsHalt =
        e.command() instanceof Command.Resume && before.phase() instanceof Phase.Halted;
    SweepState s =
        before.with(
            before
                .talk()
                .with(new SweepState.CommandRecord(at, e.command(), e.origin(), endsHalt)));
    return switch (e.command()) {
      case Command.Pause c -> s.with(new Phase.Paused());
      case Command.Resume c -> s.with(new Phase.Running());
      case Command.Stop c -> s.with(new Phase.Stopping(c.mode(), halted(before.phase())));
      case Command.Validate c -> s;
      case Command.SkipProfile c -> s;
      case Command.AddProfiles c -> added(s, c, e.origin());
      case Command.SetBudget c -> spec(s, s.spec().within(s.spec().budget().with(c)));
      case Command.Approve c -> s.with(s.talk().answered(c.question(), true));
      case Command.Deny c -> s.with(s.talk().answered(c.question(), false));
    };
  }

  /** Adds the profiles to the roster and a wave for them to the schedule. */
  private static SweepState added(SweepState s, Command.AddProfiles added, Command.Origin origin) {
    Roster roster = s.roster();
    for (Profile profile : added.profiles()) {
      roster = roster.with(profile);
    }
    SweepState joined = s.with(roster).with(s.schedule().adding(added.profiles(), origin));
    // A program's profiles do not answer a question to people.
    return origin.door() == Command.Origin.Door.LLM
        ? joined
        : joined.with(s.talk().answered(Question.UNADDRESSED, true));
  }

  private static SweepState led(SweepState s, String axis) {
    Plan.Alternative by =
        s.spec().plan().alternatives().stream()
            .filter(a -> a.axis().equals(axis))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the plan has no axis '" + axis + "'"));
    return spec(s, s.spec().led(by))
        .with(s.roster().led(s.spec().profiles(), by.profiles()))
        .with(s.schedule().led(by.waves()));
  }

  private static SweepState night(SweepState s, UnaryOperator<SharedNight> change) {
    SharedNight night =
        s.night().orElseThrow(() -> new IllegalStateException("the sweep shares no night"));
    return s.with(s.start().with(change.apply(night)));
  }

  private static SweepState plan(
      SweepState s, String wave, List<Trial> trials, UnaryOperator<WaveState> change) {
    return wave(plan(s, trials), wave, w -> change.apply(w).extended(trials));
  }

  private static SweepState plan(SweepState s, List<Trial> trials) {
    trials.forEach(trial -> s.profile(trial.profile()));
    return s.with(s.schedule().planning(trials));
  }

  private static SweepState intended(SweepState s, Event.SubmissionIntended e, Instant at) {
    AttemptState attempt = AttemptState.intended(e.attempt(), e.jobName(), at);
    TrialState trial = s.trial(e.attempt()).withAttempt(attempt);
    return s.with(s.schedule().with(trial).spending(1));
  }

  private static AttemptState.StepProgress progress(Event.AttemptProgressed e, Instant at) {
    return new AttemptState.StepProgress(e.step(), e.stepsTotal(), at);
  }

  private static Optional<AttemptState.Doubt> doubt(Event.AttemptDoubted e, Instant at) {
    return Optional.of(new AttemptState.Doubt(e.kind(), at));
  }

  private static AttemptState.RemedyState begun(Event.RemedyBegun e, Instant at) {
    return AttemptState.RemedyState.begun(e.failureClass(), e.remedy(), at);
  }

  private static AttemptState.StepDone done(Event.RemedyStepDone e, Instant at) {
    return new AttemptState.StepDone(e.index(), e.end(), at);
  }

  private static SweepState.ClusterOutage outage(Event.ClusterUnreachable e, Instant at) {
    return new SweepState.ClusterOutage(at, e.error());
  }

  private static NoticeState issued(SweepState s, Event.NoticeIssued e, Instant at) {
    return NoticeState.issued(e.notice(), s.seq() + 1, at);
  }

  private static SweepState judged(SweepState s, AttemptId attempt, Judgement judgement) {
    return ending(s, attempt, x -> x.judged(judgement));
  }

  private static SweepState run(
      SweepState s, AttemptId id, UnaryOperator<AttemptState.RunState> change) {
    return attempt(s, id, a -> a.run(change));
  }

  private static SweepState ending(
      SweepState s, AttemptId id, UnaryOperator<AttemptState.Ending> change) {
    return attempt(s, id, a -> a.ending(change));
  }

  private static SweepState remedy(
      SweepState s, AttemptId id, UnaryOperator<AttemptState.RemedyState> change) {
    return attempt(s, id, a -> a.remedy(change));
  }

  private static SweepState attempt(
      SweepState s, AttemptId id, UnaryOperator<AttemptState> change) {
    return trial(s, id.trial(), t -> t.attempt(id.attempt(), change));
  }

  private static SweepState trial(SweepState s, TrialId id, UnaryOperator<TrialState> change) {
    return s.with(s.schedule().with(change.apply(s.trial(id))));
  }

  private static SweepState wave(SweepState s, String name, UnaryOperator<WaveState> change) {
    return s.with(s.schedule().wave(name, change));
  }

  private static SweepState llm(SweepState s, LlmTalk talk) {
    return s.with(s.talk().with(talk));
  }

  private static SweepState notice(SweepState s, String key, UnaryOperator<NoticeState> change) {
    return s.with(s.talk().notice(key, change));
  }

  private static SweepState delivery(
      SweepState s, String key, String to, UnaryOperator<NoticeState.Delivery> change) {
    return notice(s, key, n -> n.delivery(to, change));
  }

  private static NoticeState.Receipt receipt(Event.NoticeDelivered e, Instant at) {
    return new NoticeState.Receipt(at, e.receipt());
  }

  private static SweepState spec(SweepState s, SweepSpec spec) {
    return s.with(s.start().with(spec));
  }
}
