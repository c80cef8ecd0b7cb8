package io.nightsweep.sweep;

import io.nightsweep.sweep.SweepState.NoticeState;
import io.nightsweep.sweep.SweepState.Outage;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** How each event changes the state. */
final class Fold {
  private Fold() {}

  static SweepState apply(SweepState state, Entry entry) {
    if (entry.seq() != state.seq() + 1) {
      throw new IllegalStateException(
          "event " + entry.seq() + " does not follow event " + state.seq());
    }
    // What is journaled after the end, such as a delivered message, makes the sweep no longer.
    Instant at = state.isFinished() ? state.lastEventAt() : entry.at();
    return change(state, entry.event(), entry.at()).edit().at(entry.seq(), at).done();
  }

  private static SweepState change(SweepState s, Event event, Instant at) {
    return switch (event) {
      case Event.SweepStarted e -> started(s, e, at);
      case Event.CommandAccepted e -> command(s, e, at);
      case Event.WaveOpened e ->
          wave(plan(s, e.trials()), e.wave(), w -> opened(w, e.trials(), at));
      case Event.TrialsPlanned e ->
          wave(plan(s, e.trials()), e.wave(), w -> extended(w, e.trials()));
      case Event.ConfirmationPlanned e -> s.edit().confirmation(e).done();
      case Event.WaveClosed e ->
          wave(
              s,
              e.wave(),
              w -> new WaveState(w.wave(), w.openedAt(), Optional.of(at), w.skipped(), w.trials()));
      case Event.WaveSkipped e ->
          wave(
              s,
              e.wave(),
              w ->
                  new WaveState(
                      w.wave(), w.openedAt(), w.closedAt(), Optional.of(e.reason()), w.trials()));
      case Event.ValidationPlanned e -> plan(s, List.of(e.trial()));
      case Event.ProfileAdded e -> s.edit().profile(e.profile()).done();
      case Event.ProfileAmended e -> s.edit().profile(e.profile()).done();
      case Event.ProfileDropped e -> s.edit().dropped(e).done();
      case Event.TrialClosed e -> s.withTrial(e.trial(), t -> closed(t, e.disposition()));
      case Event.SubmissionIntended e ->
          s.withTrial(
                  e.attempt().trial(),
                  t -> t.withAttempt(AttemptState.intended(e.attempt(), e.jobName(), at)))
              .edit()
              .attemptIntended()
              .done();
      case Event.Submitted e -> attempt(s, e.attempt(), a -> a.withJob(e.job()));
      case Event.SubmissionRefused e ->
          attempt(s, e.attempt(), a -> a.withJudgement(new Judgement.Failed(e.diagnosis())));
      case Event.AttemptStarted e ->
          attempt(s, e.attempt(), a -> a.withStart(e.startedAt(), e.nodes()));
      case Event.AttemptProgressed e ->
          attempt(s, e.attempt(), a -> a.withProgress(e.step(), e.stepsTotal(), at));
      case Event.AttemptShown e -> attempt(s, e.attempt(), a -> a.withSofar(e.sofar()));
      case Event.AttemptGivenUp e -> attempt(s, e.attempt(), a -> a.withGivenUp(e.diagnosis()));
      case Event.CancelRequested e -> attempt(s, e.attempt(), a -> a.withCancel(e.reason()));
      case Event.AttemptEnded e -> attempt(s, e.attempt(), a -> a.withEnd(e.end()));
      case Event.AttemptJudged e -> attempt(s, e.attempt(), a -> a.withJudgement(e.judgement()));
      case Event.RemedyBegun e ->
          attempt(s, e.attempt(), a -> a.withRemedyBegun(e.failureClass(), e.remedy(), at));
      case Event.RemedyStepBegun e ->
          attempt(s, e.attempt(), a -> a.withRemedyStepBegun(e.index()));
      case Event.RemedyStepDone e ->
          attempt(
              s,
              e.attempt(),
              a ->
                  a.withRemedyStep(
                      new AttemptState.StepDone(e.index(), e.succeeded(), e.output(), at)));
      case Event.RemedyEnded e -> attempt(s, e.attempt(), a -> a.withRemedyEnded(e.then()));
      case Event.ApprovalAsked e ->
          s.edit()
              .approval(
                  e.approval(),
                  new SweepState.Approval(e.attempt(), e.step(), e.question(), Optional.empty()))
              .done();
      case Event.ClusterUnreachable e ->
          s.edit().clusterOutage(Optional.of(new Outage(at, e.error()))).done();
      case Event.ClusterReachable e -> s.edit().clusterOutage(Optional.empty()).done();
      case Event.StorageFailed e -> s.edit().storageFailure(Optional.of(e.error())).done();
      case Event.StorageRecovered e -> s.edit().storageFailure(Optional.empty()).done();
      case Event.DaemonStarted e -> s;
      case Event.DaemonStopped e -> s;
      case Event.InventoryTaken e -> s.edit().inventory(e.facts()).done();
      case Event.FindingMade e -> s.edit().finding(e.finding()).done();
      case Event.NoticeIssued e ->
          s.edit()
              .notice(
                  e.key(),
                  new NoticeState(
                      e.notice(), s.seq() + 1, at, 0, 0, Optional.empty(), Optional.empty()))
              .done();
      case Event.NoticeSending e -> notice(s, e.key(), n -> n.sending(e.part()));
      case Event.NoticeDelivered e ->
          notice(s, e.key(), n -> n.delivered(e.part(), new NoticeState.Delivery(at, e.receipt())));
      case Event.NoticeUnsent e -> notice(s, e.key(), n -> n.sending(n.delivered()));
      case Event.NoticeSettled e -> notice(s, e.key(), n -> n.settled(e.how()));
      case Event.SweepHalted e ->
          s.edit()
              .phase(new Phase.Halted(s.seq() + 1, e.reason(), e.failingNodes(), e.tried()))
              .done();
      case Event.CellRepinned e -> repinned(s, e);
      case Event.SweepFinished e ->
          s.edit().phase(new Phase.Finished(e.outcome(), e.conclusion())).done();
    };
  }

  private static SweepState started(SweepState s, Event.SweepStarted e, Instant at) {
    if (s.startedSpec().isPresent()) {
      throw new IllegalStateException("a second start of sweep " + s.sweep());
    }
    PVector<WaveState> waves = TreePVector.empty();
    for (Wave wave : e.spec().plan().waves()) {
      waves = waves.plus(WaveState.of(wave));
    }
    PMap<String, Profile> profiles = HashTreePMap.empty();
    PVector<String> order = TreePVector.empty();
    for (Profile profile : e.spec().profiles()) {
      profiles = profiles.plus(profile.name(), profile);
      order = order.plus(profile.name());
    }
    SweepState empty = SweepState.empty();
    return new SweepState(
        s.seq(),
        e.sweep(),
        e.seed(),
        Optional.of(e.spec()),
        Optional.of(at),
        at,
        new Phase.Running(),
        waves,
        profiles,
        order,
        empty.dropped(),
        empty.trials(),
        empty.open(),
        0,
        empty.clusterOutage(),
        empty.storageFailure(),
        empty.findings(),
        empty.inventory(),
        empty.notices(),
        empty.approvals(),
        empty.commands(),
        empty.confirmations(),
        empty.repinnedAfter());
  }

  private static SweepState command(SweepState s, Event.CommandAccepted e, Instant at) {
    SweepState.Edit edit =
        s.edit().command(new SweepState.CommandRecord(at, e.command(), e.origin()));
    switch (e.command()) {
      case Command.Pause c -> edit.phase(new Phase.Paused());
      case Command.Resume c -> edit.phase(new Phase.Running());
      case Command.Stop c -> edit.phase(new Phase.Stopping(c.mode()));
      case Command.Validate c -> {}
      case Command.SkipProfile c -> {}
      case Command.SetBudget c -> {
        Budget old = s.spec().budget();
        SweepSpec spec = s.spec();
        edit.spec(
            new SweepSpec(
                spec.cell(),
                spec.workload(),
                spec.settings(),
                spec.metric(),
                spec.configTags(),
                spec.profiles(),
                spec.plan(),
                new Budget(
                    c.jobs().or(old::jobs),
                    c.duration().or(old::duration),
                    c.duration().isPresent() ? Optional.empty() : old.until()),
                spec.policy(),
                spec.playbook(),
                spec.catalogs()));
      }
      case Command.Approve c -> answer(s, edit, c.approval(), true);
      case Command.Deny c -> answer(s, edit, c.approval(), false);
    }
    return edit.done();
  }

  private static void answer(SweepState s, SweepState.Edit edit, String key, boolean granted) {
    SweepState.Approval asked = s.approvals().get(key);
    if (asked != null && asked.granted().isEmpty()) {
      edit.approval(
          key,
          new SweepState.Approval(
              asked.attempt(), asked.step(), asked.question(), Optional.of(granted)));
    }
  }

  private static SweepState repinned(SweepState s, Event.CellRepinned e) {
    SweepState.Edit edit = s.edit().spec(s.spec().on(e.nodes()));
    if (!s.trials().isEmpty()) {
      edit.repinnedAfter(s.trials().lastKey());
    }
    PVector<WaveState> waves = TreePVector.empty();
    for (WaveState w : s.waves()) {
      waves = waves.plus(WaveState.of(w.wave()));
    }
    PMap<String, Event.ProfileDropped> dropped = s.dropped();
    for (Event.ProfileDropped drop : s.dropped().values()) {
      if (drop.cause() == Event.ProfileDropped.DropCause.RACED_OUT) {
        dropped = dropped.minus(drop.profile());
      }
    }
    return edit.waves(waves).dropped(dropped).confirmations(TreePVector.empty()).done();
  }

  private static SweepState plan(SweepState s, List<Trial> trials) {
    SweepState.Edit edit = s.edit();
    Set<TrialId> ids = new HashSet<>();
    for (Trial trial : trials) {
      if (s.trials().containsKey(trial.id()) || !ids.add(trial.id())) {
        throw new IllegalStateException("trial " + trial.id() + " is planned twice");
      }
      s.profile(trial.profile());
      edit.trial(TrialState.planned(trial));
    }
    return edit.done();
  }

  private static WaveState opened(WaveState w, List<Trial> trials, Instant at) {
    return extended(
        new WaveState(w.wave(), Optional.of(at), w.closedAt(), w.skipped(), w.trials()), trials);
  }

  private static WaveState extended(WaveState w, List<Trial> trials) {
    return new WaveState(
        w.wave(),
        w.openedAt(),
        w.closedAt(),
        w.skipped(),
        w.trials().plusAll(trials.stream().map(Trial::id).toList()));
  }

  private static TrialState closed(TrialState t, Disposition disposition) {
    if (!t.isOpen()) {
      throw new IllegalStateException("trial " + t.trial().id() + " is closed twice");
    }
    return t.closed(disposition);
  }

  private static SweepState wave(SweepState s, String name, UnaryOperator<WaveState> change) {
    for (int i = 0; i < s.waves().size(); i++) {
      WaveState wave = s.waves().get(i);
      if (wave.wave().name().equals(name)) {
        return s.edit().waves(s.waves().with(i, change.apply(wave))).done();
      }
    }
    throw new IllegalStateException("no wave '" + name + "' in the plan");
  }

  private static SweepState attempt(
      SweepState s, AttemptId id, UnaryOperator<AttemptState> change) {
    return s.withTrial(
        id.trial(), t -> t.withAttempt(change.apply(t.attempts().get(id.attempt() - 1))));
  }

  private static SweepState notice(SweepState s, String key, UnaryOperator<NoticeState> change) {
    NoticeState notice = s.notices().get(key);
    if (notice == null) {
      throw new IllegalStateException("no notice '" + key + "'");
    }
    return s.edit().notice(key, change.apply(notice)).done();
  }
}
