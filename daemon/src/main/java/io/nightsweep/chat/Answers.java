package io.nightsweep.chat;

import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers to people's questions about sweeps; it changes nothing. */
final class Answers {
  private static final int ROWS = 15;
  private static final int LOG_LINES = 25;
  private static final int DECISIONS = 8;
  private static final int CHOICES = 8;

  private final ChatSweeps sweeps;
  private final Composer composer;

  Answers(ChatSweeps sweeps, Composer composer) {
    this.sweeps = sweeps;
    this.composer = composer;
  }

  static Message help() {
    return Message.of(
        List.of(
            MessageLine.title("Commands"),
            MessageLine.of("/status, /leaderboard: how far it has come, and who leads"),
            MessageLine.of("/log [attempt]: the end of a job's log"),
            MessageLine.of("/explain [trial, profile or wave]: what was decided, and why"),
            MessageLine.of("/pause, /resume [without PROFILE]"),
            MessageLine.of(
                "/stop [drain or cancel]: end the sweep; running jobs end first, or are"
                    + " cancelled"),
            MessageLine.of("/skip PROFILE: leave it out from now on"),
            MessageLine.of("/add NAME --xla_flag=value VARIABLE=value setting=value: try it next"),
            MessageLine.of("/budget [60 jobs] [9 hours] [40 node-hours]"),
            MessageLine.of("/approve QUESTION, /deny QUESTION"),
            MessageLine.of("/asked, /confirm a3, /deny a3: what assistants ask for"),
            MessageLine.of(
                "If there are several sweeps, end with the name of one. Plain words need a"
                    + " confirmation.")));
  }

  Message status(SweepState s, Instant now) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(Composer.heading(s, phase(s)));
    lines.add(MessageLine.of("Sweep: ").code(s.sweep()));
    if (s.phase() instanceof Phase.Halted halted) {
      Sentences.nodesBack(halted, Phrases.EN).ifPresent(back -> lines.add(MessageLine.of(back)));
    }
    lines.addAll(composer.progress(s, now));
    for (Progress.Job job : Progress.jobs(s)) {
      lines.add(
          MessageLine.of("Job ")
              .code(job.job().map(j -> j.value()).orElse("?"))
              .plain(" of ")
              .code(job.attempt())
              .plain(": ")
              .code(job.profile())
              .plain(", " + job.told(now)));
    }
    lines.addAll(Composer.leaders(s, 1));
    List<List<Message.Button>> buttons = new ArrayList<>(controls(s));
    s.openQuestions()
        .forEach(
            (name, question) -> {
              lines.add(
                  MessageLine.of("Question ")
                      .code(name)
                      .plain(": " + Sentences.of(question.about(), Phrases.EN)));
              lines.add(MessageLine.of(composer.untilWhen(question)));
              buttons.add(Composer.answers(s, name));
            });
    return Message.of(lines).with(buttons);
  }

  private String phase(SweepState s) {
    return switch (s.phase()) {
      case Phase.NotStarted p -> "not started";
      case Phase.Running p -> "runs";
      case Phase.Paused p -> "is paused";
      case Phase.Halted p ->
          "is HALTED since " + composer.clock(p.at()) + ": " + Sentences.of(p.cause(), Phrases.EN);
      case Phase.Stopping p -> "is stopping";
      case Phase.Finished p -> "has finished";
    };
  }

  private static List<List<Message.Button>> controls(SweepState s) {
    List<Message.Button> looks =
        List.of(
            Press.of(Action.LEADERBOARD, s.sweep()).labelled("Leaderboard"),
            Press.of(Action.LOG, s.sweep()).labelled("Log"),
            Press.of(Action.EXPLAIN, s.sweep()).labelled("Why"));
    List<Message.Button> acts =
        switch (s.phase()) {
          case Phase.Running p ->
              List.of(
                  Press.of(Action.PAUSE, s.sweep()).labelled("Pause"),
                  Press.of(Action.ASK_STOP, s.sweep()).labelled("Stop"));
          case Phase.Paused p ->
              List.of(
                  Press.of(Action.RESUME, s.sweep()).labelled("Resume"),
                  Press.of(Action.ASK_STOP, s.sweep()).labelled("Stop"));
          case Phase.Halted p ->
              List.of(
                  Press.of(Action.RESUME, s.sweep(), Long.toString(p.seq())).labelled("Resume"),
                  Press.of(Action.ASK_STOP, s.sweep()).labelled("Stop"));
          case Phase.NotStarted p -> List.of();
          case Phase.Stopping p -> List.of();
          case Phase.Finished p -> List.of();
        };
    return acts.isEmpty() ? List.of(looks) : List.of(looks, acts);
  }

  Message leaderboard(SweepState s) {
    List<MessageLine> lines = new ArrayList<>(Composer.leaders(s, ROWS));
    lines.addFirst(Composer.heading(s, "leaderboard"));
    return Message.of(lines);
  }

  Message log(SweepState s, Optional<String> wanted) throws IOException {
    Optional<AttemptState> attempt =
        wanted.isPresent()
            ? s.attempts().filter(a -> a.id().toString().equals(wanted.get())).findFirst()
            : s.attempts()
                .filter(a -> a.startedAt().isPresent())
                .max(Comparator.comparing(AttemptState::intendedAt));
    if (attempt.isEmpty()) {
      return Message.of(
          wanted.map(w -> "There is no attempt " + w + ".").orElse("No job has run yet."));
    }
    String id = attempt.get().id().toString();
    List<String> tail = LogTail.read(sweeps.log(s.sweep(), id), LOG_LINES);
    List<MessageLine> lines = new ArrayList<>();
    lines.add(
        Composer.heading(s, "log of ")
            .code(id)
            .plain(", ")
            .code(s.trialOf(attempt.get().id()).profile()));
    tail.forEach(line -> lines.add(MessageLine.EMPTY.code(line)));
    if (tail.isEmpty()) {
      lines.add(MessageLine.of("It is empty."));
    }
    return Message.of(lines);
  }

  Message explain(SweepState s, Optional<String> about) throws IOException {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(
        Composer.heading(s, about.isEmpty() ? "last decisions" : "decisions about ")
            .code(about.orElse("")));
    List<String> decisions = sweeps.explain(s.sweep(), about, DECISIONS);
    decisions.forEach(d -> lines.add(MessageLine.of("- " + d)));
    if (decisions.isEmpty()) {
      lines.add(MessageLine.of("Nothing was decided about it."));
    }
    return Message.of(lines);
  }

  static Message budget(SweepState s, Instant now) {
    Progress p = Progress.of(s, now);
    String limits =
        Stream.of(
                p.jobsLimit().map(most -> p.jobs() + " of " + most + " jobs"),
                p.spentNodeHours(),
                p.deadline().map(end -> "until " + end))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return Message.of("Budget: " + (limits.isEmpty() ? "no limit" : limits))
        .with(
            List.of(
                List.of(
                    Press.of(Action.BUDGET_JOBS, s.sweep(), "10").labelled("+10 jobs"),
                    Press.of(Action.BUDGET_HOURS, s.sweep(), "1").labelled("+1 hour"))));
  }

  static Message askStop(SweepState s) {
    return Message.of(
            List.of(
                Composer.heading(s, "end it for good?"),
                MessageLine.of(
                    "It cannot go on afterwards. What is measured stays in the report.")))
        .with(
            List.of(
                List.of(Press.of(Action.STOP, s.sweep(), "DRAIN").labelled("Stop, let jobs end")),
                List.of(Press.of(Action.STOP, s.sweep(), "CANCEL").labelled("Stop, cancel jobs")),
                List.of(Press.of(Action.NOTHING, s.sweep()).labelled("No, go on"))));
  }

  /**
   * Asks which profile to skip. Running profiles come first, since "that config" probably means one
   * of them.
   */
  static Message askSkip(SweepState s) {
    List<List<Message.Button>> rows = new ArrayList<>();
    Stream.concat(
            s.inFlight().stream().map(a -> s.trialOf(a.id()).profile()), s.profileOrder().stream())
        .distinct()
        .filter(p -> !s.profile(p).isBaseline() && !s.isDropped(p))
        .limit(CHOICES)
        .forEach(
            p ->
                rows.add(
                    List.of(Press.of(Action.SKIP, s.sweep(), Press.key(p)).labelled(shorten(p)))));
    rows.add(List.of(Press.of(Action.NOTHING, s.sweep()).labelled("None")));
    return Message.of(
            List.of(
                Composer.heading(s, "which profile is to be left out?"),
                MessageLine.of("Another one: /skip PROFILE")))
        .with(rows);
  }

  static Message confirm(SweepState s, Command command) {
    Press yes =
        switch (command) {
          case Command.Pause c -> Press.of(Action.PAUSE, s.sweep());
          case Command.Resume c -> Press.of(Action.RESUME, s.sweep());
          case Command.SkipProfile c -> Press.of(Action.SKIP, s.sweep(), Press.key(c.profile()));
          case Command.Stop c -> Press.of(Action.STOP, s.sweep(), c.mode().name());
          case Command.AddProfiles c -> Press.of(Action.NOTHING, s.sweep());
          case Command.SetBudget c -> Press.of(Action.NOTHING, s.sweep());
          case Command.Validate c -> Press.of(Action.NOTHING, s.sweep());
          case Command.Approve c -> Press.of(Action.APPROVE, s.sweep(), Press.key(c.question()));
          case Command.Deny c -> Press.of(Action.DENY, s.sweep(), Press.key(c.question()));
        };
    return Message.of(
            List.of(MessageLine.of("Shall I do this: ").code(EventLines.of(command)).plain("?")))
        .with(
            List.of(
                List.of(yes.labelled("Yes"), Press.of(Action.NOTHING, s.sweep()).labelled("No"))));
  }

  private static String shorten(String profile) {
    return profile.length() <= 50 ? profile : profile.substring(0, 49) + "…";
  }
}
