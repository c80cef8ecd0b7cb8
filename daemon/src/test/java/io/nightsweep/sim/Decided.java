package io.nightsweep.sim;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A night's decisions, one line for each event that decides something: ids, names, classes and
 * figures, with the time since nightfall, but no sentences. Mere observations have no line.
 */
final class Decided {
  private Decided() {}

  static List<String> lines(List<Entry> entries) {
    Instant start = entries.getFirst().at();
    return entries.stream()
        .flatMap(e -> line(e.event()).map(text -> since(start, e.at()) + " " + text).stream())
        .toList();
  }

  private static String since(Instant start, Instant at) {
    return Long.toString(Duration.between(start, at).toSeconds());
  }

  private static Optional<String> line(Event event) {
    return Optional.of(
            switch (event) {
              case Event.SweepStarted e -> "start " + e.sweep();
              case Event.CommandAccepted e -> "command " + command(e.command());
              case Event.NightJoined e -> "join " + e.night();
              case Event.TurnTaken e -> "turn";
              case Event.TurnPassed e -> "pass " + e.to();
              case Event.WaveOpened e -> "open " + e.wave() + trials(e.trials());
              case Event.TrialsPlanned e -> "plan " + e.wave() + trials(e.trials());
              case Event.AxisChosen e -> "axis " + e.axis();
              case Event.ConfirmationPlanned e -> "confirm " + e.profile() + " " + e.runsPerArm();
              case Event.WaveClosed e -> "close " + e.wave();
              case Event.WaveSkipped e -> "skip " + e.wave();
              case Event.ProfileAdded e -> "add " + profile(e.profile());
              case Event.ProfileDropped e -> "drop " + e.profile() + " " + e.cause();
              case Event.ProfileAmended e -> "amend " + profile(e.profile());
              case Event.ValidationPlanned e -> "validate " + trial(e.trial());
              case Event.TrialClosed e -> e.trial() + " " + disposition(e.disposition());
              case Event.SubmissionIntended e -> e.attempt() + " submit";
              case Event.SubmissionRefused e -> e.attempt() + " " + e.diagnosis().failureClass();
              case Event.AttemptGivenUp e ->
                  e.attempt() + " given-up " + e.diagnosis().failureClass();
              case Event.CancelRequested e -> e.attempt() + " cancel";
              case Event.AttemptJudged e -> judged(e.attempt(), e.judgement());
              case Event.RemedyBegun e -> e.attempt() + " remedy " + e.failureClass();
              case Event.RemedyStepBegun e -> e.attempt() + " step " + e.index();
              case Event.RemedyEnded e -> e.attempt() + " remedied " + e.then();
              case Event.QuestionAsked e -> "ask " + e.question();
              case Event.QuestionLapsed e -> "lapse " + e.question();
              case Event.LlmAdmitted e -> "llm " + e.terms().mode();
              case Event.LlmAsked e -> "llm asked " + e.occasion().kind();
              case Event.LlmAnswered e -> "llm answered " + e.answer().outcome();
              case Event.GainsKnown e -> "known gains of " + e.logGains().keySet();
              case Event.FindingMade e -> "finding " + e.finding().kind();
              case Event.NodesChecked e -> "nodes " + e.attempt();
              case Event.NodeStrained e -> "strained " + e.strain().node();
              case Event.NoticeIssued e -> "tell " + e.key();
              case Event.SweepHalted e -> "halt " + e.failingNodes();
              case Event.CellRepinned e -> "repin " + e.nodes();
              case Event.SweepFinished e -> "finish " + e.outcome();
              case Event.AttemptEnded e -> "";
              case Event.Submitted e -> "";
              case Event.SubmissionUnqueued e -> "";
              case Event.SubmissionRepeated e -> "";
              case Event.AttemptStarted e -> "";
              case Event.AttemptDoubted e -> "";
              case Event.AttemptSeen e -> "";
              case Event.AttemptProgressed e -> "";
              case Event.AttemptShown e -> "";
              case Event.RemedyStepDone e -> "";
              case Event.ClusterUnreachable e -> "";
              case Event.ClusterReachable e -> "";
              case Event.StorageFailed e -> "";
              case Event.StorageRecovered e -> "";
              case Event.DaemonStarted e -> "";
              case Event.DaemonStopped e -> "";
              case Event.InventoryTaken e -> "";
              case Event.NoticeSending e -> "";
              case Event.NoticeDelivered e -> "";
              case Event.NoticeUnsent e -> "";
              case Event.NoticeSettled e -> "";
            })
        .filter(text -> !text.isEmpty());
  }

  private static String command(Command command) {
    return command.getClass().getSimpleName();
  }

  private static String trials(List<Trial> trials) {
    return trials.stream().map(Decided::trial).collect(Collectors.joining(" ", " ", ""));
  }

  private static String trial(Trial t) {
    return "%d:%s@%s/%s#%d.%d"
        .formatted(
            t.id().number(),
            t.profile(),
            t.configTag(),
            t.purpose().name().toLowerCase(Locale.ROOT),
            t.block(),
            t.repetition());
  }

  private static String profile(Profile p) {
    return p.name() + " " + p.hash().substring(0, 8);
  }

  private static String disposition(Disposition disposition) {
    return switch (disposition) {
      case Disposition.Measured d -> "measured " + d.attempt();
      case Disposition.Failed d -> "failed " + d.failureClass();
      case Disposition.Dropped d -> "dropped";
      case Disposition.Unsupported d -> "unsupported";
    };
  }

  private static String judged(AttemptId attempt, Judgement judgement) {
    return switch (judgement) {
      case Judgement.Measured j ->
          String.format(Locale.ROOT, "%s %.5g", attempt, j.measurement().value());
      case Judgement.Done j -> attempt + " done";
      case Judgement.Failed j -> attempt + " " + j.diagnosis().failureClass();
      case Judgement.Voided j -> attempt + " void";
      case Judgement.Duplicate j -> attempt + " duplicate";
    };
  }
}
