package io.nightsweep.report;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.StepEnd;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** One line for each event, in the reader's language. */
public final class EventLines {
  private final Phrases t;

  private EventLines(Phrases t) {
    this.t = t;
  }

  /** The event in English. */
  public static String of(Event event) {
    return of(event, Phrases.EN);
  }

  public static String of(Event event, Phrases t) {
    return new EventLines(t).event(event);
  }

  public static String of(Decision decision) {
    return of(decision, Phrases.EN);
  }

  /** The reason for the decision, in English. */
  public static String because(Decision decision) {
    return Phrases.EN.text(decision.because());
  }

  public static String of(Decision decision, Phrases t) {
    return new EventLines(t).decision(decision);
  }

  /** The command in English. */
  public static String of(Command command) {
    return new EventLines(Phrases.EN).command(command);
  }

  private String event(Event event) {
    return switch (event) {
      case Event.SweepStarted e ->
          e.by()
              .map(
                  by ->
                      say(
                          "sweep-started-by",
                          e.sweep(),
                          nodes(e.spec().cell().nodes()),
                          by.who(),
                          word("door", by.door())))
              .orElseGet(() -> say("sweep-started", e.sweep(), nodes(e.spec().cell().nodes())));
      case Event.CommandAccepted e ->
          say("command", command(e.command()), e.origin().who(), word("door", e.origin().door()));
      case Event.NightJoined e -> say("night-joined", e.night());
      case Event.TurnTaken e -> say("turn-taken", expected(e.expected()));
      case Event.TurnPassed e -> say("turn-passed", e.to());
      case Event.WaveOpened e -> say("wave-opened", e.wave(), e.trials().size());
      case Event.TrialsPlanned e -> say("trials-planned", e.wave(), e.trials().size());
      case Event.AxisChosen e -> say("axis-chosen", e.axis());
      case Event.ConfirmationPlanned e -> say("confirmation-planned", e.profile(), e.runsPerArm());
      case Event.WaveClosed e -> say("wave-closed", e.wave());
      case Event.WaveSkipped e -> say("wave-skipped", e.wave(), Causes.text(e.why(), t));
      case Event.ProfileAdded e -> say("profile-added", e.profile().name(), e.profile().describe());
      case Event.ProfileDropped e ->
          say("profile-dropped", e.profile(), t.word("cause", e.cause()), Causes.text(e.why(), t));
      case Event.ProfileAmended e ->
          say("profile-amended", e.profile().name(), e.profile().describe());
      case Event.ValidationPlanned e ->
          say("validation-planned", e.trial().profile(), e.trial().id());
      case Event.TrialClosed e -> say("trial-closed", e.trial(), disposition(e.disposition()));
      case Event.SubmissionIntended e -> say("intended", e.attempt(), e.jobName());
      case Event.Submitted e -> say("submitted", e.attempt(), e.job());
      case Event.SubmissionUnqueued e -> say("unqueued", e.attempt());
      case Event.SubmissionRepeated e -> say("repeated", e.attempt());
      case Event.SubmissionRefused e -> say("refused", e.attempt(), t.text(e.diagnosis().detail()));
      case Event.AttemptStarted e -> say("started", e.attempt(), nodes(e.nodes()));
      case Event.AttemptDoubted e -> say("doubted." + LowerCase.of(e.kind()), e.attempt());
      case Event.AttemptSeen e -> say("seen", e.attempt());
      case Event.AttemptProgressed e ->
          e.stepsTotal() > 0
              ? say("at-step-of", e.attempt(), e.step() + 1, e.stepsTotal())
              : say("at-step", e.attempt(), e.step() + 1);
      case Event.AttemptShown e -> say("shows", e.attempt(), figure(e.sofar().value()));
      case Event.AttemptGivenUp e ->
          say(
              "given-up",
              e.attempt(),
              e.diagnosis().failureClass(),
              t.text(e.diagnosis().detail()));
      case Event.CancelRequested e -> say("cancelled", e.attempt(), t.text(e.cause().said()));
      case Event.AttemptEnded e ->
          say("ended", e.attempt(), word("state", e.end().state()), e.end().exitCode());
      case Event.AttemptJudged e -> say("judged", e.attempt(), judgement(e.judgement()));
      case Event.RemedyBegun e -> say("remedy-begun", e.failureClass(), e.attempt());
      case Event.RemedyStepBegun e -> say("remedy-step-begun", e.index() + 1, e.attempt());
      case Event.RemedyStepDone e ->
          say(
              switch (e.end()) {
                case StepEnd.Succeeded end -> "remedy-step-succeeded";
                case StepEnd.Failed end -> "remedy-step-failed";
                case StepEnd.Refused end -> "remedy-step-refused";
              },
              e.index() + 1,
              e.attempt(),
              t.text(e.end().said()));
      case Event.RemedyEnded e ->
          say("remedy-ended", e.attempt(), t.word("then", e.then()), word("remedy-why", e.why()));
      case Event.QuestionAsked e ->
          say(
              "asked",
              e.question(),
              Sentences.of(e.about(), t),
              say(e.unanswered() ? "yes" : "no"),
              e.patience().toMinutes());
      case Event.QuestionLapsed e -> say("lapsed", e.question());
      case Event.LlmAdmitted e ->
          say(
              "llm-admitted",
              e.terms().model(),
              t.word("llm.mode", e.terms().mode()),
              Math.round(100 * e.terms().share()));
      case Event.LlmAsked e ->
          say("llm-asked", word("llm-occasion", e.occasion().kind()), e.occasion().about()).strip();
      case Event.LlmAnswered e ->
          e.answer().outcome() == LlmAnswer.LlmOutcome.READ
              ? say(
                  "llm-answered",
                  e.round(),
                  word("llm-outcome", e.answer().outcome()),
                  e.answer().hypotheses().size(),
                  e.answer().refusals().size())
              : say(
                  "llm-without",
                  e.round(),
                  word("llm-outcome", e.answer().outcome()),
                  t.text(e.answer().detail()));
      case Event.ClusterUnreachable e -> say("unreachable", e.error());
      case Event.ClusterReachable e -> say("reachable", e.outage().toSeconds());
      case Event.StorageFailed e -> say("storage-failed", e.error());
      case Event.StorageRecovered e -> say("storage-recovered");
      case Event.DaemonStarted e -> say("daemon-started", e.version(), e.host(), e.pid());
      case Event.DaemonStopped e -> say("daemon-stopped", e.reason());
      case Event.InventoryTaken e -> say("inventory", e.facts().size());
      case Event.GainsKnown e -> say("gains-known", e.logGains().size());
      case Event.FindingMade e -> say("finding", t.text(e.finding().statement()));
      case Event.NodesChecked e -> say("nodes-checked", e.attempt(), e.nodes().size());
      case Event.NodeStrained e ->
          say("node-strained", NodeSection.strain(e.strain(), t), e.attempt());
      case Event.NoticeIssued e -> say("notice-issued", notice(e.notice()));
      case Event.NoticeSending e -> say("notice-sending", e.key(), e.part(), to(e.to()));
      case Event.NoticeDelivered e -> say("notice-delivered", e.key(), e.part(), to(e.to()));
      case Event.NoticeUnsent e ->
          say("notice-unsent", e.key(), e.part(), t.text(e.because()), to(e.to()));
      case Event.NoticeSettled e ->
          say("notice-settled", e.key(), word("settled", e.how()), t.text(e.because()), to(e.to()));
      case Event.SweepHalted e -> say("halted", Sentences.of(e.cause(), t));
      case Event.CellRepinned e -> say("repinned", nodes(e.nodes()));
      case Event.SweepFinished e ->
          say("finished", word("outcome", e.outcome()), Sentences.of(e.ending(), t));
    };
  }

  /** For each sweep that could use the turn, the gain expected from another node-hour. */
  private static String expected(SortedMap<String, Double> expected) {
    return expected.entrySet().stream()
        .map(e -> String.format(Locale.ROOT, "%s %.3f %%", e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String decision(Decision decision) {
    return switch (decision) {
      case Decision.Append d -> event(d.event());
      case Decision.Submit d -> say("submit", d.attempt());
      case Decision.Cancel d -> say("cancel", d.attempt());
      case Decision.TakeRemedyStep d -> say("take-step", d.index() + 1, d.attempt());
    };
  }

  private String command(Command command) {
    return switch (command) {
      case Command.Pause c -> say("pause");
      case Command.Resume c ->
          say(
              "resume",
              c.nodelist().map(n -> say("resume.on", nodes(n))).orElse(""),
              c.withoutProfile().map(p -> say("resume.without", p)).orElse(""));
      case Command.Stop c -> word("stop", c.mode());
      case Command.Validate c -> say("validate");
      case Command.SkipProfile c -> say("skip", c.profile());
      case Command.AddProfiles c ->
          say(
              "add",
              c.profiles().stream()
                  .map(p -> p.name() + " (" + p.describe() + ")")
                  .collect(Collectors.joining(", ")));
      case Command.SetBudget c ->
          say(
              "budget",
              c.jobs().map(j -> say("budget.jobs", j)).orElse(""),
              c.duration().map(d -> say("budget.time", Figures.duration(d))).orElse(""),
              c.nodeHours().map(h -> say("budget.node-hours", Figures.nodeHours(h))).orElse(""));
      case Command.Approve c -> say("approve", c.question());
      case Command.Deny c -> say("deny", c.question());
    };
  }

  private String disposition(Disposition disposition) {
    return switch (disposition) {
      case Disposition.Measured d -> say("measured-by", d.attempt());
      case Disposition.Failed d -> say("failed-as", d.failureClass(), t.text(d.detail()));
      case Disposition.Dropped d -> say("dropped", Causes.text(d.why(), t));
      case Disposition.Unsupported d -> say("unsupported", t.text(d.reason()));
    };
  }

  private String judgement(Judgement judgement) {
    return switch (judgement) {
      case Judgement.Measured j -> say("measured", figure(j.measurement().value()));
      case Judgement.Done j -> say("done", t.text(j.detail()));
      case Judgement.Failed j ->
          say("failed-as", j.diagnosis().failureClass(), t.text(j.diagnosis().detail()))
              + j.diagnosis().quotes().stream()
                  .limit(1)
                  .map(q -> " [%s:%d: %s]".formatted(q.file(), q.line(), q.text().strip()))
                  .collect(Collectors.joining());
      case Judgement.Voided j -> say("void", t.text(j.reason()));
      case Judgement.Duplicate j -> say("duplicate");
    };
  }

  private String to(String recipient) {
    return recipient.equals(NoticeState.EVERYBODY) ? "" : say("notice-to", recipient);
  }

  private String notice(Notice notice) {
    return switch (notice) {
      case Notice.Kickoff n -> say("notice.kickoff");
      case Notice.WaveReviewed n -> say("notice.wave", n.wave());
      case Notice.NewBest n -> say("notice.best", n.profile());
      case Notice.Midpoint n -> say("notice.midpoint");
      case Notice.Incident n -> say("notice.incident", Sentences.of(n.what(), t));
      case Notice.Asked n -> say("notice.question", n.question());
      case Notice.Stop n -> say("notice.stop", Sentences.of(n.cause(), t));
      case Notice.Finish n -> say("notice.finish");
    };
  }

  private String say(String key, Object... values) {
    return t.text("words." + key, values);
  }

  private String word(String kind, Enum<?> value) {
    return t.word("words." + kind, value);
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }

  private static String nodes(List<String> nodes) {
    return String.join(",", nodes);
  }
}
