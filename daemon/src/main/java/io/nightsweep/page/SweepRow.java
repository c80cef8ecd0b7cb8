package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * The sweep as a whole: status, best profile, expected end, budget. Times are milliseconds of the
 * epoch.
 */
final class SweepRow {
  private final Phrases t;

  SweepRow(Phrases t) {
    this.t = t;
  }

  void fill(ObjectNode row, SweepState s, Leaderboard board, Instant at) {
    Progress p = Progress.of(s, board, at);
    row.put("id", s.sweep())
        .put("model", s.cell().model())
        .put("parallelism", s.cell().parallelism())
        .put("unit", s.spec().metric().unit())
        .put("jobs", p.jobs())
        .put("nodeHours", p.nodeHours())
        .put("fraction", p.fractionDone())
        .put("lastEventAt", s.lastEventAt().toEpochMilli())
        .put("finished", s.isFinished())
        .put("tag", s.spec().primaryTag().name());
    ArrayNode nodes = row.putArray("nodes");
    s.cell().nodes().forEach(nodes::add);
    phase(row, s);
    p.turn().ifPresent(turn -> row.put("turn", turn.text(t)));
    row.put("asks", s.openQuestions().size());
    s.startedAt().ifPresent(start -> row.put("startedAt", start.toEpochMilli()));
    p.deadline().ifPresent(deadline -> row.put("deadline", deadline.toEpochMilli()));
    p.expectedEnd().ifPresent(end -> row.put("expectedEnd", end.toEpochMilli()));
    p.deadline()
        .ifPresent(
            deadline ->
                s.startedAt()
                    .map(start -> Hours.of(Duration.between(start, deadline)))
                    .ifPresent(hours -> row.put("hoursLimit", hours)));
    p.jobsLimit().ifPresent(limit -> row.put("jobsLimit", limit));
    p.nodeHoursLimit().ifPresent(limit -> row.put("nodeHoursLimit", limit));
    p.outage().ifPresent(outage -> row.put("outage", outage));
    ArrayNode remedies = row.putArray("remedies");
    p.remedies()
        .forEach(
            wait ->
                remedies
                    .addObject()
                    .put("step", wait.step())
                    .put("since", wait.since().toEpochMilli())
                    .put("until", wait.until().toEpochMilli())
                    .put("failure", wait.failure()));
    row.putObject("trials")
        .put("planned", p.trials().planned())
        .put("measured", p.trials().measured())
        .put("failed", p.trials().failed())
        .put("dropped", p.trials().dropped())
        .put("unsupported", p.trials().unsupported())
        .put("open", p.trials().open());
    p.best().ifPresent(best -> best(row.putObject("best"), best));
  }

  private static void best(ObjectNode row, Progress.Best best) {
    row.put("profile", best.profile())
        .put("gain", best.gainPercent())
        .put("confirmed", best.confirmed());
    Numbers.put(row, "low", best.lowPercent());
    Numbers.put(row, "high", best.highPercent());
  }

  /** Adds who gave the command, and when. */
  private void by(ObjectNode row, SweepState.CommandRecord command) {
    row.putObject("by")
        .put("who", command.origin().who())
        .put("door", t.word("words.door", command.origin().door()))
        .put("at", command.at().toEpochMilli());
  }

  private void phase(ObjectNode row, SweepState s) {
    Phase phase = s.phase();
    row.put("phase", phase.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    switch (phase) {
      case Phase.NotStarted p -> row.put("phaseText", t.text("state.not-started"));
      case Phase.Running p -> row.put("phaseText", t.text("state.running"));
      case Phase.Paused p -> {
        row.put("phaseText", t.text("state.paused")).put("next", t.text("next.paused"));
        s.commands().stream()
            .filter(c -> c.command() instanceof Command.Pause)
            .reduce((earlier, later) -> later)
            .ifPresent(pause -> by(row, pause));
      }
      case Phase.Stopping p ->
          row.put("phaseText", t.text("state.stopping"))
              .put("drains", p.mode() == Command.Stop.Mode.DRAIN);
      case Phase.Halted p -> {
        row.put("phaseText", t.text("page.halted"))
            .put("why", Sentences.of(p.cause(), t))
            .put("tried", Sentences.tried(p.cause(), t))
            .put(
                "next",
                Sentences.nodesBack(p, t).map(back -> back + " ").orElse("")
                    + t.text("next.halted", s.sweep()));
        p.failingNodes().forEach(row.putArray("failingNodes")::add);
      }
      case Phase.Finished p ->
          row.put("phaseText", t.text("state.finished")).put("why", Sentences.of(p, t));
    }
  }
}
