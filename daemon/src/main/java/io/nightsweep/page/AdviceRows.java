package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.llm.Scores;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmTalk;
import io.nightsweep.sweep.SweepState;

/** One row for each question to a language model: what it proposed, and what came of it. */
final class AdviceRows {
  private final Phrases t;

  AdviceRows(Phrases t) {
    this.t = t;
  }

  void fill(Frame.Builder frame, SweepState s, Leaderboard board) {
    for (int i = 0; i < s.llm().rounds().size(); i++) {
      LlmTalk.Round round = s.llm().rounds().get(i);
      ObjectNode row =
          frame
              .row("advice", "%04d".formatted(i))
              .put("at", round.askedAt().toEpochMilli())
              .put("asked", EventLines.of(new Event.LlmAsked(round.occasion()), t));
      int number = i + 1;
      round.answer().ifPresent(answer -> answer(row, s, board, number, answer));
    }
  }

  private void answer(
      ObjectNode row, SweepState s, Leaderboard board, int number, LlmAnswer answer) {
    row.put("answered", EventLines.of(new Event.LlmAnswered(number, answer), t))
        .put("prose", answer.prose());
    ArrayNode hypotheses = row.putArray("hypotheses");
    for (Hypothesis h : answer.hypotheses()) {
      ObjectNode one =
          hypotheses
              .addObject()
              .put("profile", h.profile().name())
              .put("settings", h.profile().describe())
              .put("score", t.word("llm.score", Scores.of(s, board, h)));
      Numbers.put(one, "low", h.lowPercent());
      Numbers.put(one, "high", h.highPercent());
    }
    ArrayNode refused = row.putArray("refused");
    answer
        .refusals()
        .forEach(r -> refused.addObject().put("name", r.name()).put("reason", t.text(r.reason())));
  }
}
