package io.nightsweep.report;

import io.nightsweep.conductor.PassedOver;
import io.nightsweep.conductor.PassedOver.Reason;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Explains why profiles that show more than the winner were not pursued. */
final class PassedOverText {
  private PassedOverText() {}

  /**
   * One paragraph for each reason; in it, the profile with the largest gain comes first.
   *
   * @param board of {@code s}
   */
  static List<String> lines(SweepState s, Leaderboard board, Phrases t) {
    Map<String, List<String>> profiles = new LinkedHashMap<>();
    for (PassedOver p : PassedOver.of(s, board)) {
      profiles
          .computeIfAbsent(reason(p.reason(), t), reason -> new ArrayList<>())
          .add(
              t.text(
                  "passed.profile",
                  Markdown.code(p.standing().profile()),
                  Figures.percent(Standings.publishedLogGain(p.standing())),
                  p.standing().estimate().runs()));
    }
    return profiles.entrySet().stream()
        .map(
            e -> t.text("passed", String.join(", ", e.getValue()), e.getValue().size(), e.getKey()))
        .toList();
  }

  private static String reason(Reason reason, Phrases t) {
    return switch (reason) {
      case Reason.Left r ->
          t.text(
              r.why() instanceof Cause.RacedOut ? "passed.left-then" : "passed.left",
              Markdown.escape(Causes.text(r.why(), t)));
      case Reason.Regresses r ->
          t.text(
              "passed.regresses",
              r.tags().stream().map(Markdown::code).collect(Collectors.joining(", ")));
      case Reason.Unconfirmed r ->
          t.text("passed.unconfirmed", r.runs(), Figures.inASentence(r.interval(), t));
      case Reason.TargetReached r -> t.text("passed.target", number(r.targetPercent()));
      case Reason.Unlikely r -> t.text("passed.unlikely", number(r.neededPercent()));
      case Reason.NoBudget r -> t.text("passed.budget");
    };
  }

  private static String number(double percent) {
    return String.format(Locale.ROOT, "%.1f", percent);
  }
}
