package io.nightsweep.chat;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a button means for a sweep in its present state; most buttons expire soon. */
final class Presses {
  /** A number in a button's data, which is untrusted like any text from outside. */
  private static final String AMOUNT = "[1-9]\\d{0,2}";

  private static final Over OTHER_VERSION = new Over("This button is of another version.");
  private static final Over NOT_HALTED = new Over("That halt is over.");

  sealed interface Meaning permits Asks, Acts, Over {}

  record Asks(Intent intent) implements Meaning {}

  record Acts(Command command) implements Meaning {}

  record Over(String why) implements Meaning {}

  /** The answer to an assistant's request; empty for any other button. */
  static Optional<Boolean> answer(Press press) {
    return switch (press.action()) {
      case Action.CONFIRM_ASKED -> Optional.of(true);
      case Action.DENY_ASKED -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  Meaning meaning(SweepState s, Press press) {
    return switch (press.action()) {
      case Action.STATUS -> new Asks(new Intent.Status());
      case Action.LEADERBOARD -> new Asks(new Intent.ShowLeaderboard());
      case Action.LOG -> new Asks(new Intent.Log(Optional.empty()));
      case Action.EXPLAIN -> new Asks(new Intent.Explain(Optional.empty()));
      case Action.ASK_STOP -> new Asks(new Intent.AskStop());
      case Action.PAUSE -> new Acts(new Command.Pause());
      case Action.RESUME -> resume(s, press, Optional.empty());
      case Action.RESUME_WITHOUT -> {
        Optional<String> culprit = StopMessage.culprit(s);
        yield culprit.isEmpty() ? new Over("No profile is to blame.") : resume(s, press, culprit);
      }
      case Action.STOP_HALTED ->
          StopMessage.haltOf(s, press.argument()).isPresent()
              ? new Acts(new Command.Stop(Command.Stop.Mode.CANCEL))
              : NOT_HALTED;
      case Action.STOP -> stop(press);
      case Action.SKIP ->
          Press.named(press.argument(), s.profileOrder())
              .<Meaning>map(p -> new Acts(new Command.SkipProfile(p)))
              .orElseGet(() -> new Over("There is no such profile."));
      case Action.APPROVE ->
          question(s, press)
              .<Meaning>map(a -> new Acts(new Command.Approve(a)))
              .orElseGet(this::no);
      case Action.DENY ->
          question(s, press).<Meaning>map(a -> new Acts(new Command.Deny(a))).orElseGet(this::no);
      case Action.BUDGET_JOBS -> moreJobs(s, press);
      case Action.BUDGET_HOURS -> moreHours(s, press);
      case Action.NOTHING -> new Over("Nothing is done.");
      default -> OTHER_VERSION;
    };
  }

  /** Ends the halt in the button's argument, or a pause if there is none. */
  private static Meaning resume(SweepState s, Press press, Optional<String> without) {
    boolean fits =
        press.argument().isEmpty()
            ? s.phase() instanceof Phase.Paused
            : StopMessage.haltOf(s, press.argument()).isPresent();
    return fits ? new Acts(new Command.Resume(Optional.empty(), without)) : NOT_HALTED;
  }

  private static Meaning stop(Press press) {
    return switch (press.argument()) {
      case "DRAIN" -> new Acts(new Command.Stop(Command.Stop.Mode.DRAIN));
      case "CANCEL" -> new Acts(new Command.Stop(Command.Stop.Mode.CANCEL));
      default -> OTHER_VERSION;
    };
  }

  private static Optional<String> question(SweepState s, Press press) {
    return Press.named(press.argument(), s.openQuestions().keySet());
  }

  private Meaning no() {
    return new Over("Nobody waits for that any more.");
  }

  private static Meaning moreJobs(SweepState s, Press press) {
    if (!press.argument().matches(AMOUNT)) {
      return OTHER_VERSION;
    }
    return s.spec()
        .budget()
        .jobs()
        .<Meaning>map(
            jobs ->
                new Acts(
                    new Command.SetBudget(
                        Optional.of(jobs + Integer.parseInt(press.argument())),
                        Optional.empty(),
                        Optional.empty())))
        .orElseGet(() -> new Over("There is no limit of jobs."));
  }

  private static Meaning moreHours(SweepState s, Press press) {
    if (!press.argument().matches(AMOUNT)) {
      return OTHER_VERSION;
    }
    Optional<Instant> start = s.startedAt();
    Optional<Instant> end = s.deadline();
    return start.isEmpty() || end.isEmpty()
        ? new Over("There is no limit of time.")
        : new Acts(
            new Command.SetBudget(
                Optional.empty(),
                Optional.of(
                    Duration.between(start.get(), end.get())
                        .plusHours(Integer.parseInt(press.argument()))),
                Optional.empty()));
  }
}
