package io.nightsweep.cli;

import io.nightsweep.conductor.Standings;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Quantity;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** How attempts ended, with profile names and the metric's unit. */
final class Judged {
  private Judged() {}

  static String words(SweepState s, Event.AttemptJudged e) {
    return e.judgement() instanceof Judgement.Measured m
        ? profile(s, e.attempt())
            + " measured "
            + Quantity.of(m.measurement().value(), s.spec().metric().unit())
            + gain(s, e.attempt())
            + " ("
            + e.attempt()
            + ")"
        : profile(s, e.attempt()) + ": " + EventLines.of(e);
  }

  static String profile(SweepState s, AttemptId attempt) {
    return s.trialOf(attempt).profile();
  }

  /** The attempts that failed, whatever happened to their trials later; the latest first. */
  static List<AttemptState> failures(SweepState s) {
    return s.attempts()
        .filter(a -> !a.isCancelled() && a.failure().isPresent())
        .sorted(Comparator.comparing(Judged::endedAt).reversed())
        .toList();
  }

  static Instant endedAt(AttemptState a) {
    return a.end().map(end -> end.endedAt()).orElse(a.intendedAt());
  }

  /**
   * The gain according to the leaderboard before this run, which is added once its trial is closed.
   */
  private static String gain(SweepState s, AttemptId attempt) {
    return Standings.board(s)
        .of(profile(s, attempt))
        .map(st -> ", so far " + Ink.percent(100 * Math.expm1(Standings.publishedLogGain(st))))
        .orElse("");
  }
}
