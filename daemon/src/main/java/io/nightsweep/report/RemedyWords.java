package io.nightsweep.report;

import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.Remedy.Then;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** A remedy in one sentence. */
public final class RemedyWords {
  private RemedyWords() {}

  public static String of(Remedy remedy) {
    String steps = remedy.steps().stream().map(RemedyWords::of).collect(Collectors.joining(", "));
    String then = (steps.isEmpty() ? "" : steps + ", then ") + of(remedy.then());
    if (remedy.then() != Then.RESUBMIT || remedy.isEndless()) {
      return then;
    }
    return "%s; at most %d %s for the %s%s, then %s"
        .formatted(
            then,
            remedy.limit(),
            remedy.limit() == 1 ? "time" : "times",
            LowerCase.of(remedy.scope()),
            remedy.consecutive() ? " in a row" : "",
            of(remedy.afterLimit()));
  }

  private static String of(RemedyStep step) {
    return step.action().replace('-', ' ')
        + (step.action().startsWith("wait") ? " " + of(step.timeout()) : "")
        + (step.tries() > 1 ? " (up to " + step.tries() + " times)" : "")
        + (step.approval().isPresent() ? " (when approved)" : "");
  }

  private static String of(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static String of(Then then) {
    return switch (then) {
      case RESUBMIT -> "resubmit on the same nodes";
      case FAIL_TRIAL -> "fail the trial";
      case DROP_PROFILE -> "drop the profile";
      case SET_ASIDE -> "set the profile aside and tell the user";
      case HALT -> "halt the sweep";
      case ACCEPT -> "accept the measurement";
    };
  }
}
