package io.nightsweep.conductor;

import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Decides when people are notified; other classes write and deliver the message. */
final class Notices {
  /** From this chance, a lead is worth a message. */
  private static final double LIKELY = 0.5;

  private Notices() {}

  static List<Decision> due(View view) {
    SweepState s = view.state();
    Instant now = view.now();
    List<Decision> due = new ArrayList<>();
    issue(s, due, "kickoff", new Notice.Kickoff(), Statement.phrase("because-started"));
    for (WaveState w : s.waves()) {
      if (w.closedAt().isPresent()) {
        String key =
            "wave:" + w.wave().name() + (w.trials().isEmpty() ? "" : ":" + w.trials().getFirst());
        issue(
            s,
            due,
            key,
            new Notice.WaveReviewed(w.wave().name()),
            Statement.phrase("because-wave-closed"));
      }
    }
    if (s.attempts().anyMatch(a -> a.measurement().isPresent())) {
      view.board().standings().stream()
          .filter(st -> st.estimate().runs() >= 2 && st.probabilityWorthwhile() > LIKELY)
          .findFirst()
          .ifPresent(
              best ->
                  issue(
                      s,
                      due,
                      "best:" + best.profile(),
                      new Notice.NewBest(best.profile()),
                      Statement.phrase("because-leads")));
    }
    s.findings().stream()
        .filter(f -> f.is(Finding.CHANGED))
        .forEach(
            f ->
                issue(
                    s,
                    due,
                    "changed:" + f.attempt(),
                    new Notice.Incident(new Occurrence.SourceChanged(f.statement())),
                    Statement.phrase("because-change")));
    s.openQuestions()
        .keySet()
        .forEach(
            key ->
                issue(
                    s,
                    due,
                    "question:" + key,
                    new Notice.Asked(key),
                    Statement.phrase("because-person")));
    midpoint(s, due, now);
    switch (s.phase()) {
      case Phase.Halted h ->
          issue(
              s,
              due,
              "stop:" + h.seq(),
              new Notice.Stop(h.cause()),
              Statement.phrase("because-halted"));
      case Phase.Finished f ->
          issue(s, due, "finish", new Notice.Finish(), Statement.phrase("because-over"));
      case Phase.NotStarted p -> {}
      case Phase.Running p -> {}
      case Phase.Paused p -> {}
      case Phase.Stopping p -> {}
    }
    return due;
  }

  private static void midpoint(SweepState s, List<Decision> due, Instant now) {
    boolean past =
        s.deadline()
            .map(
                d ->
                    now.isAfter(
                        s.startedAt()
                            .orElseThrow()
                            .plus(Duration.between(s.startedAt().orElseThrow(), d).dividedBy(2))))
            .orElseGet(
                () ->
                    s.budget()
                        .jobs()
                        .map(jobs -> 2 * s.jobsTaken() >= jobs)
                        .orElseGet(() -> isHalfOfTheNodeHours(s, now)));
    if (past && !s.isFinished()) {
      issue(s, due, "midpoint", new Notice.Midpoint(), Statement.phrase("because-half"));
    }
  }

  private static boolean isHalfOfTheNodeHours(SweepState s, Instant now) {
    return s.budget()
        .nodeHours()
        .filter(hours -> 2 * s.nodeTime(now).toMillis() >= hours * 3.6e6)
        .isPresent();
  }

  private static void issue(
      SweepState s, List<Decision> due, String key, Notice notice, Statement because) {
    if (!s.notices().containsKey(key)) {
      due.add(new Decision.Append(new Event.NoticeIssued(key, notice), because));
    }
  }
}
