package io.nightsweep.report;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One line of plain English for each thing that happens. */
public final class Words {
  private Words() {}

  public static String of(Event event) {
    return switch (event) {
      case Event.SweepStarted e ->
          "sweep %s started on %s".formatted(e.sweep(), nodes(e.spec().cell().nodes()));
      case Event.CommandAccepted e ->
          "%s (%s, %s)".formatted(of(e.command()), e.origin().who(), lower(e.origin().door()));
      case Event.WaveOpened e ->
          "wave %s opened with %d trials".formatted(e.wave(), e.trials().size());
      case Event.TrialsPlanned e ->
          "wave %s gets %d more trials: %s".formatted(e.wave(), e.trials().size(), e.because());
      case Event.ConfirmationPlanned e ->
          "%s is to be confirmed by %d fresh runs beside as many of the baseline"
              .formatted(e.profile(), e.runsPerArm());
      case Event.WaveClosed e -> "wave %s closed".formatted(e.wave());
      case Event.WaveSkipped e ->
          "wave %s skipped: %s".formatted(e.wave(), Causes.english(e.why()));
      case Event.ProfileAdded e ->
          "profile %s added: %s".formatted(e.profile().name(), e.because());
      case Event.ProfileDropped e ->
          "profile %s dropped (%s): %s"
              .formatted(e.profile(), lower(e.cause()), Causes.english(e.why()));
      case Event.ProfileAmended e ->
          "profile %s amended: %s".formatted(e.profile().name(), e.because());
      case Event.ValidationPlanned e ->
          "%s is to run once on real data, as %s".formatted(e.trial().profile(), e.trial().id());
      case Event.TrialClosed e -> "%s %s".formatted(e.trial(), of(e.disposition()));
      case Event.SubmissionIntended e ->
          "%s is to be submitted as %s".formatted(e.attempt(), e.jobName());
      case Event.Submitted e -> "%s is job %s".formatted(e.attempt(), e.job());
      case Event.SubmissionRefused e ->
          "%s was refused: %s".formatted(e.attempt(), e.diagnosis().detail());
      case Event.AttemptStarted e -> "%s runs on %s".formatted(e.attempt(), nodes(e.nodes()));
      case Event.AttemptDoubted e ->
          switch (e.kind()) {
            case UNKNOWN -> "%s is in doubt: no source knows its job".formatted(e.attempt());
            case WITHOUT_NODES ->
                "%s is in doubt: its nodes cannot be had now".formatted(e.attempt());
          };
      case Event.AttemptSeen e -> "%s is in doubt no more".formatted(e.attempt());
      case Event.AttemptProgressed e ->
          e.stepsTotal() > 0
              ? "%s is at step %d of %d".formatted(e.attempt(), e.step(), e.stepsTotal())
              : "%s is at step %d".formatted(e.attempt(), e.step());
      case Event.AttemptShown e ->
          "%s shows %.6g over its window so far".formatted(e.attempt(), e.sofar().value());
      case Event.AttemptGivenUp e ->
          "%s is given up as %s: %s"
              .formatted(e.attempt(), e.diagnosis().failureClass(), e.diagnosis().detail());
      case Event.CancelRequested e -> "%s is cancelled: %s".formatted(e.attempt(), e.reason());
      case Event.AttemptEnded e ->
          "%s ended: %s, exit code %d"
              .formatted(e.attempt(), lower(e.end().state()), e.end().exitCode());
      case Event.AttemptJudged e -> "%s %s".formatted(e.attempt(), of(e.judgement()));
      case Event.RemedyBegun e ->
          "remedy for %s begun after %s".formatted(e.failureClass(), e.attempt());
      case Event.RemedyStepBegun e ->
          "remedy step %d after %s begins".formatted(e.index() + 1, e.attempt());
      case Event.RemedyStepDone e ->
          "remedy step %d after %s %s: %s"
              .formatted(
                  e.index() + 1, e.attempt(), e.succeeded() ? "succeeded" : "failed", e.output());
      case Event.RemedyEnded e ->
          "remedy after %s ended with %s: %s"
              .formatted(e.attempt(), lower(e.then()), lower(e.why()));
      case Event.QuestionAsked e ->
          "question %s asked: %s (%s after %d min without an answer)"
              .formatted(
                  e.question(), e.text(), e.unanswered() ? "yes" : "no", e.patience().toMinutes());
      case Event.QuestionLapsed e -> "nobody answered question " + e.question() + " in time";
      case Event.ClusterUnreachable e -> "the cluster gives no answer: " + e.error();
      case Event.ClusterReachable e ->
          "the cluster answers again after %d s".formatted(e.outage().toSeconds());
      case Event.StorageFailed e -> "the journal could not be written: " + e.error();
      case Event.StorageRecovered e -> "the journal can be written again";
      case Event.DaemonStarted e ->
          "daemon %s started on %s (pid %d)".formatted(e.version(), e.host(), e.pid());
      case Event.DaemonStopped e -> "the daemon stopped: " + e.reason();
      case Event.InventoryTaken e -> "inventory taken: " + e.facts().size() + " facts";
      case Event.FindingMade e -> "finding: " + e.finding().statement();
      case Event.NoticeIssued e -> "message due: " + of(e.notice());
      case Event.NoticeSending e -> "message %s, part %d is sent".formatted(e.key(), e.part());
      case Event.NoticeDelivered e ->
          "message %s, part %d was delivered".formatted(e.key(), e.part());
      case Event.NoticeUnsent e ->
          "message %s, part %d was not sent: %s".formatted(e.key(), e.part(), e.because());
      case Event.NoticeSettled e ->
          "message %s is settled (%s): %s".formatted(e.key(), lower(e.how()), e.because());
      case Event.SweepHalted e -> "the sweep halted: " + e.reason();
      case Event.CellRepinned e -> "the cell moved to " + nodes(e.nodes());
      case Event.SweepFinished e ->
          "the sweep finished (%s): %s".formatted(lower(e.outcome()), e.conclusion());
    };
  }

  public static String of(Decision decision) {
    return switch (decision) {
      case Decision.Append d -> of(d.event());
      case Decision.Submit d -> "submit " + d.attempt();
      case Decision.Cancel d -> "cancel " + d.attempt();
      case Decision.TakeRemedyStep d ->
          "take remedy step %d after %s".formatted(d.index() + 1, d.attempt());
    };
  }

  public static String of(Command command) {
    return switch (command) {
      case Command.Pause c -> "pause";
      case Command.Resume c ->
          "resume"
              + c.nodelist().map(n -> " on " + nodes(n)).orElse("")
              + c.withoutProfile().map(p -> " without " + p).orElse("");
      case Command.Stop c -> "stop, " + lower(c.mode()) + " what runs";
      case Command.Validate c -> "validate the winner on real data";
      case Command.SkipProfile c -> "skip profile " + c.profile();
      case Command.AddProfiles c ->
          "add "
              + c.profiles().stream()
                  .map(p -> p.name() + " (" + p.describe() + ")")
                  .collect(Collectors.joining(", "));
      case Command.SetBudget c ->
          "budget"
              + c.jobs().map(j -> " of " + j + " jobs").orElse("")
              + c.duration().map(d -> " of " + d.toMinutes() + " minutes").orElse("");
      case Command.Approve c -> "approve " + c.question();
      case Command.Deny c -> "deny " + c.question();
    };
  }

  private static String of(Disposition disposition) {
    return switch (disposition) {
      case Disposition.Measured d -> "is measured by " + d.attempt();
      case Disposition.Failed d -> "failed (%s): %s".formatted(d.failureClass(), d.detail());
      case Disposition.Dropped d -> "is dropped: " + Causes.english(d.why());
      case Disposition.Unsupported d -> "is unsupported: " + d.reason();
    };
  }

  private static String of(Judgement judgement) {
    return switch (judgement) {
      case Judgement.Measured j ->
          String.format(Locale.ROOT, "measured %.6g", j.measurement().value());
      case Judgement.Done j -> "did what it was for: " + j.detail();
      case Judgement.Failed j ->
          "failed (%s): %s".formatted(j.diagnosis().failureClass(), j.diagnosis().detail())
              + j.diagnosis().quotes().stream()
                  .limit(1)
                  .map(q -> " [%s:%d: %s]".formatted(q.file(), q.line(), q.text().strip()))
                  .collect(Collectors.joining());
      case Judgement.Voided j -> "is void: " + j.reason();
      case Judgement.Duplicate j -> "is a duplicate";
    };
  }

  private static String of(Notice notice) {
    return switch (notice) {
      case Notice.Kickoff n -> "kick-off";
      case Notice.WaveReviewed n -> "review of wave " + n.wave();
      case Notice.NewBest n -> "new best: " + n.profile();
      case Notice.Midpoint n -> "midpoint";
      case Notice.Incident n -> "incident: " + n.text();
      case Notice.Asked n -> "question " + n.question();
      case Notice.Stop n -> "stop: " + n.reason();
      case Notice.Finish n -> "finish";
    };
  }

  private static String nodes(List<String> nodes) {
    return String.join(",", nodes);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
