package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.AnswerEffects;
import io.nightsweep.report.MemorySizes;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Remarks;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Makes frames. States are immutable and share unchanged parts, so comparing references finds what
 * changed. Two states that were folded separately share nothing and are compared by value.
 */
final class Frames {
  private final Phrases t;
  private final Boards boards;

  Frames(Phrases t, Boards boards) {
    this.t = t;
    this.boards = boards;
  }

  Frame whole(SweepState now, Instant at) {
    return between(SweepState.empty(), now, at);
  }

  /**
   * The differences between an earlier and a later state.
   *
   * @param before an earlier state of the same sweep, or an empty one
   */
  Frame between(SweepState before, SweepState now, Instant at) {
    Frame.Builder frame = new Frame.Builder();
    if (now.startedSpec().isPresent()) {
      sections(before, now, at, frame);
    }
    return frame.build(now.seq(), at, before.startedSpec().isEmpty());
  }

  private void sections(SweepState before, SweepState now, Instant at, Frame.Builder frame) {
    new SweepRow(t).fill(frame.row("sweep", "sweep"), now, boards.of(now), at);
    if (before.trials() != now.trials()) {
      trials(before, now, frame);
    }
    if (before.waves() != now.waves() || before.trials() != now.trials()) {
      new WaveRows(t).fill(frame, before, now);
    }
    boolean isOtherBoard = !Boards.BoardKey.of(before).equals(Boards.BoardKey.of(now));
    if (isOtherBoard) {
      // A sweep that moved to other nodes starts over: its boards drop all earlier measurements.
      List.of("board", "baseline", "checks", "dropped", "bands", "remarks")
          .forEach(frame::complete);
      BoardRows board = new BoardRows(t);
      board.leaderboard(frame, now, boards.of(now));
      board.checks(frame, now, boards.of(now));
      board.dropped(frame, now);
      board.bands(frame, now);
      List<String> remarks = Remarks.of(now, t, UnaryOperator.identity());
      for (int i = 0; i < remarks.size(); i++) {
        frame.row("remarks", "%02d".formatted(i)).put("text", remarks.get(i));
      }
    }
    if (isOtherBoard || !before.llm().equals(now.llm())) {
      new AdviceRows(t).fill(frame, now, boards.of(now));
    }
    if (before.questions() != now.questions()) {
      now.questions()
          .forEach((key, question) -> question(frame.row("questions", key), now, question));
    }
    if (before.findings() != now.findings()) {
      for (int i = before.findings().size(); i < now.findings().size(); i++) {
        if (now.findings().get(i).isForPeople()) {
          new EvidenceRows(t).finding(frame.row("findings", "%05d".formatted(i)), now, i);
        }
      }
    }
  }

  private void question(ObjectNode row, SweepState s, Question question) {
    row.put("text", Sentences.of(question.about(), t))
        .put("until", question.until().toEpochMilli())
        .put("unanswered", question.unanswered());
    if (question.isOpen()) {
      AnswerEffects.of(s, question.about(), t)
          .ifPresent(
              effects -> {
                effects.reason().forEach(row.putArray("reason")::add);
                row.put("onYes", effects.yes())
                    .put("onNo", effects.no())
                    .put("noHalts", effects.noHalts());
              });
    }
    question
        .answer()
        .ifPresent(answer -> row.put("yes", answer.yes()).put("byPerson", answer.byPerson()));
  }

  private void trials(SweepState before, SweepState now, Frame.Builder frame) {
    AttemptRows rows = new AttemptRows(t);
    EvidenceRows evidence = new EvidenceRows(t);
    for (TrialState trial : now.trials().values()) {
      TrialState earlier = before.trials().get(trial.trial().id());
      if (trial.equals(earlier)) {
        continue;
      }
      for (int i = 0; i < trial.attempts().size(); i++) {
        AttemptState a = trial.attempts().get(i);
        List<AttemptState> known = earlier == null ? List.of() : earlier.attempts();
        AttemptState old = i < known.size() ? known.get(i) : null;
        if (!a.equals(old)) {
          rows.attempt(frame, trial, a);
          if (a.measurement().filter(MemorySizes::isTold).isPresent()) {
            evidence.memory(frame, now, trial.trial().profile());
          }
        }
      }
    }
  }
}
