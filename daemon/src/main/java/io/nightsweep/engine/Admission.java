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
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
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
  public static Optional<String> refusal(SweepState s, Command command, Command.Origin.Door door) {
    return command instanceof Command.AddProfiles add && door == Command.Origin.Door.MCP
        ? takenBack(s, add.profiles())
            .or(() -> ProposalGate.refusal(add.profiles(), s.spec()))
            .or(() -> refusal(s, command))
        : refusal(s, command);
  }

  /** An implausibly fast profile is accepted again only from a person who has checked it. */
  private static Optional<String> takenBack(SweepState s, List<Profile> profiles) {
    return profiles.stream()
        .flatMap(
            profile ->
                s.profiles().values().stream()
                    .filter(p -> p.hash().equals(profile.hash()))
                    .filter(p -> ImplausibleRun.isSetAside(s, p.name()))
                    .map(
                        p ->
                            "the profile '"
                                + profile.name()
                                + "' sets what '"
                                + p.name()
                                + "' sets, which was too fast to be plausible: a person may take"
                                + " it back"))
        .findFirst();
  }

  /** The reason to refuse the command regardless of its sender; empty if it is allowed. */
  static Optional<String> refusal(SweepState s, Command command) {
    if (command instanceof Command.Validate) {
      return validate(s);
    }
    if (s.isFinished() && command instanceof Command.SetBudget) {
      return Optional.of(
          "sweep "
              + s.sweep()
              + " has finished, and a larger budget does not continue it; start it again with a"
              + " larger"
              + " 'budget' in its file");
    }
    if (s.isFinished()) {
      return Optional.of(
          "sweep " + s.sweep() + " has finished and takes no more commands; see its report");
    }
    return switch (command) {
      case Command.Pause c ->
          s.phase() instanceof Phase.Running
              ? Optional.empty()
              : Optional.of("sweep " + s.sweep() + " is not running");
      case Command.Resume c -> resume(s, c);
      case Command.Stop c -> Optional.empty();
      case Command.Validate c -> validate(s);
      case Command.SkipProfile c ->
          c.profile().equals(Profile.BASELINE)
              ? Optional.of("without " + Profile.BASELINE + " nothing can be compared")
              : unknownProfile(s, c.profile());
      case Command.AddProfiles c -> Additions.refusal(s, c.profiles());
      case Command.SetBudget c -> budget(s, c);
      case Command.Approve c -> notOpen(s, c.question());
      case Command.Deny c -> notOpen(s, c.question());
    };
  }

  private static Optional<String> resume(SweepState s, Command.Resume command) {
    if (s.phase() instanceof Phase.Running) {
      return Optional.of("sweep " + s.sweep() + " is running already");
    }
    if (s.phase() instanceof Phase.Stopping) {
      return Optional.of("sweep " + s.sweep() + " is stopping and cannot go on");
    }
    if (command.nodelist().isPresent() && !s.inFlight().isEmpty()) {
      return Optional.of(
          "jobs of sweep "
              + s.sweep()
              + " are still on its old nodes; wait for them to end before it moves");
    }
    return command.withoutProfile().flatMap(profile -> unknownProfile(s, profile));
  }

  private static Optional<String> validate(SweepState s) {
    String sweep = "sweep " + s.sweep();
    if (!s.isFinished()) {
      return Optional.of(sweep + " has not finished; its winner is validated afterwards");
    }
    if (!s.isDone()) {
      return Optional.of("a validation of " + sweep + " is under way already");
    }
    if (Standings.winner(s).isEmpty()) {
      return Optional.of(sweep + " has no winner that could be validated");
    }
    if (!WhatIsTrained.canBeValidated(s.spec())) {
      return Optional.of(
          "the sweep file of "
              + s.sweep()
              + " does not say what a run on real data is; workload.validation says it,"
              + " such as {steps: 200, dataset_type: grain}");
    }
    return Optional.empty();
  }

  private static Optional<String> budget(SweepState s, Command.SetBudget command) {
    if (command.jobs().isEmpty() && command.duration().isEmpty() && command.nodeHours().isEmpty()) {
      return Optional.of("a budget needs a number of jobs, a duration or node-hours");
    }
    int used = s.jobsTaken();
    Optional<Integer> jobs = command.jobs().filter(n -> n <= used || n > MOST_JOBS);
    if (jobs.isPresent()) {
      return Optional.of(
          "a budget of %s is not possible: %d are used already, and the maximum is %d; 'nightsweep stop' ends a sweep"
              .formatted(Figures.count(jobs.get(), "job"), used, MOST_JOBS));
    }
    double taken = Hours.of(s.nodeTime(s.lastEventAt()));
    double most = LONGEST.toHours() * s.cell().nodes().size();
    Optional<Double> nodeHours = command.nodeHours().filter(h -> !(h > taken && h <= most));
    if (nodeHours.isPresent()) {
      return Optional.of(
          "a budget of %s node-hours is not possible: %s are used already, and the maximum is %.0f; 'nightsweep stop' ends a sweep"
              .formatted(Figures.nodeHours(nodeHours.get()), Figures.nodeHours(taken), most));
    }
    Duration elapsed =
        s.startedAt().map(start -> Duration.between(start, s.lastEventAt())).orElse(Duration.ZERO);
    return command
        .duration()
        .filter(d -> d.compareTo(elapsed) <= 0 || d.compareTo(LONGEST) > 0)
        .map(
            d ->
                "a budget of %.1f hours is not possible: %.1f have passed since the start, and the maximum is %d; 'nightsweep stop' ends a sweep"
                    .formatted(Hours.of(d), Hours.of(elapsed), LONGEST.toHours()));
  }

  private static Optional<String> unknownProfile(SweepState s, String profile) {
    return s.profiles().containsKey(profile)
        ? Optional.empty()
        : Optional.of(
            "no profile '"
                + profile
                + "' in sweep "
                + s.sweep()
                + Nearest.to(profile, s.profileOrder())
                    .map(n -> "; did you mean '" + n + "'?")
                    .orElse("; it has " + String.join(", ", s.profileOrder())));
  }

  private static Optional<String> notOpen(SweepState s, String question) {
    Question asked = s.questions().get(question);
    if (asked == null) {
      return Optional.of(
          "no question '"
              + question
              + "' was asked; "
              + (s.openQuestions().isEmpty()
                  ? "none is open"
                  : "open: " + String.join(", ", s.openQuestions().keySet())));
    }
    return asked
        .answer()
        .map(
            a ->
                (a.byPerson() ? "it was answered before: " : "its deadline has passed: ")
                    + (a.yes() ? "yes" : "no"));
  }
}
