package io.nightsweep.engine;

import io.nightsweep.conductor.Additions;
import io.nightsweep.conductor.Standings;
import io.nightsweep.judging.ImplausibleRun;
import io.nightsweep.plan.Nearest;
import io.nightsweep.plan.ProposalGate;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.report.Figures;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether a command makes sense for a sweep in its present state; the same for every door.
 */
public final class Admission {
  private static final int MOST_JOBS = 100_000;
  private static final Duration LONGEST = Duration.ofDays(30);

  private Admission() {}

  /**
   * Why the command is refused, or empty if it is not. An assistant may only add profiles that pass
   * {@link ProposalGate}, even after a person has confirmed them.
   */
  public static Optional<Statement> refusal(
      SweepState s, Command command, Command.Origin.Door door) {
    return command instanceof Command.AddProfiles add && door == Command.Origin.Door.MCP
        ? takenBack(s, add.profiles())
            .or(() -> ProposalGate.refusal(add.profiles(), s.spec()))
            .or(() -> refusal(s, command))
        : refusal(s, command);
  }

  /** An implausibly fast profile is accepted again only from a person who has checked it. */
  private static Optional<Statement> takenBack(SweepState s, List<Profile> profiles) {
    return profiles.stream()
        .flatMap(
            profile ->
                s.profiles().values().stream()
                    .filter(p -> p.hash().equals(profile.hash()))
                    .filter(p -> ImplausibleRun.isSetAside(s, p.name()))
                    .map(p -> Statement.phrase("refusal-implausible", profile.name(), p.name())))
        .findFirst();
  }

  /** The reason to refuse the command regardless of its sender; empty if it is allowed. */
  static Optional<Statement> refusal(SweepState s, Command command) {
    if (command instanceof Command.Validate) {
      return validate(s);
    }
    if (s.isFinished() && command instanceof Command.SetBudget) {
      return Optional.of(Statement.phrase("refusal-finished-budget", s.sweep()));
    }
    if (s.isFinished()) {
      return Optional.of(Statement.phrase("refusal-finished", s.sweep()));
    }
    return switch (command) {
      case Command.Pause c ->
          switch (s.phase()) {
            case Phase.Running running -> Optional.empty();
            case Phase.Paused paused -> Optional.of(Statement.phrase("refusal-waits", s.sweep()));
            case Phase.Halted halted -> Optional.of(Statement.phrase("refusal-waits", s.sweep()));
            case Phase.NotStarted no -> Optional.of(notRunning(s));
            case Phase.Stopping stops -> Optional.of(notRunning(s));
            case Phase.Finished end -> Optional.of(notRunning(s));
          };
      case Command.Resume c -> resume(s, c);
      case Command.Stop c -> Optional.empty();
      case Command.Validate c -> validate(s);
      case Command.SkipProfile c ->
          c.profile().equals(Profile.BASELINE)
              ? Optional.of(Statement.phrase("refusal-baseline", Profile.BASELINE))
              : unknownProfile(s, c.profile());
      case Command.AddProfiles c -> Additions.refusal(s, c.profiles());
      case Command.SetBudget c -> budget(s, c);
      case Command.Approve c -> notOpen(s, c.question());
      case Command.Deny c -> notOpen(s, c.question());
    };
  }

  private static Statement notRunning(SweepState s) {
    return Statement.phrase("refusal-not-running", s.sweep());
  }

  private static Optional<Statement> resume(SweepState s, Command.Resume command) {
    if (s.phase() instanceof Phase.Running) {
      return Optional.of(Statement.phrase("refusal-running", s.sweep()));
    }
    if (s.phase() instanceof Phase.Stopping) {
      return Optional.of(Statement.phrase("refusal-stopping", s.sweep()));
    }
    if (command.nodelist().isPresent() && !s.inFlight().isEmpty()) {
      return Optional.of(Statement.phrase("refusal-jobs-there", s.sweep()));
    }
    return command.withoutProfile().flatMap(profile -> unknownProfile(s, profile));
  }

  private static Optional<Statement> validate(SweepState s) {
    if (!s.isFinished()) {
      return Optional.of(Statement.phrase("refusal-unfinished", s.sweep()));
    }
    if (!s.isDone()) {
      return Optional.of(Statement.phrase("refusal-validating", s.sweep()));
    }
    if (Standings.winner(s).isEmpty()) {
      return Optional.of(Statement.phrase("refusal-no-winner", s.sweep()));
    }
    if (!WhatIsTrained.canBeValidated(s.spec())) {
      return Optional.of(
          Statement.phrase(
              "refusal-no-validation",
              s.sweep(),
              Workloads.find(s.spec().workload()).flatMap(WorkloadKind::validation).orElse("{}")));
    }
    return Optional.empty();
  }

  private static Optional<Statement> budget(SweepState s, Command.SetBudget command) {
    if (command.jobs().isEmpty() && command.duration().isEmpty() && command.nodeHours().isEmpty()) {
      return Optional.of(Statement.phrase("refusal-needs"));
    }
    int used = s.jobsTaken();
    Optional<Integer> jobs = command.jobs().filter(n -> n <= used || n > MOST_JOBS);
    if (jobs.isPresent()) {
      return Optional.of(
          Statement.phrase(
              jobs.get() == 1 ? "refusal-job" : "refusal-jobs", jobs.get(), used, MOST_JOBS));
    }
    double taken = Hours.of(s.nodeTime(s.lastEventAt()));
    double most = LONGEST.toHours() * s.cell().nodes().size();
    Optional<Double> nodeHours = command.nodeHours().filter(h -> !(h > taken && h <= most));
    if (nodeHours.isPresent()) {
      return Optional.of(
          Statement.phrase(
              "refusal-node-hours",
              Figures.nodeHours(nodeHours.get()),
              Figures.nodeHours(taken),
              Math.round(most)));
    }
    Duration elapsed =
        s.startedAt().map(start -> Duration.between(start, s.lastEventAt())).orElse(Duration.ZERO);
    return command
        .duration()
        .filter(d -> d.compareTo(elapsed) <= 0 || d.compareTo(LONGEST) > 0)
        .map(d -> Statement.phrase("refusal-hours", hours(d), hours(elapsed), LONGEST.toHours()));
  }

  private static String hours(Duration time) {
    return String.format(Locale.ROOT, "%.1f", Hours.of(time));
  }

  private static Optional<Statement> unknownProfile(SweepState s, String profile) {
    return s.profiles().containsKey(profile)
        ? Optional.empty()
        : Optional.of(
            Nearest.to(profile, s.profileOrder())
                .map(n -> Statement.phrase("refusal-profile-near", profile, s.sweep(), n))
                .orElseGet(
                    () ->
                        Statement.phrase(
                            "refusal-no-profile",
                            profile,
                            s.sweep(),
                            String.join(", ", s.profileOrder()))));
  }

  private static Optional<Statement> notOpen(SweepState s, String question) {
    Question asked = s.questions().get(question);
    if (asked == null) {
      return Optional.of(
          s.openQuestions().isEmpty()
              ? Statement.phrase("refusal-no-question-none", question)
              : Statement.phrase(
                  "refusal-no-question", question, String.join(", ", s.openQuestions().keySet())));
    }
    return asked
        .answer()
        .map(
            a ->
                Statement.phrase(
                    a.byPerson() ? "refusal-answered" : "refusal-lapsed",
                    Statement.phrase(a.yes() ? "refusal-yes" : "refusal-no")));
  }
}
