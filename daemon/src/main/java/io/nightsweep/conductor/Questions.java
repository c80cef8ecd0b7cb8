package io.nightsweep.conductor;

import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Asks people, and closes the questions that nobody answered in time. */
final class Questions {
  private Questions() {}

  /** The answer so far, as the stage that asks needs it. */
  sealed interface AnswerSoFar {
    /** Nobody has answered yet; {@code decisions} ask, and are empty where that is done. */
    record Open(List<Decision> decisions) implements AnswerSoFar {}

    record Closed(Question.GivenAnswer answer) implements AnswerSoFar {}
  }

  /**
   * Asks once; every later call returns the answer.
   *
   * @param key names the question in this sweep; the same key is the same question
   * @param patience how long an answer is waited for
   * @param unanswered the safe answer, which holds where nobody answers in time
   */
  static AnswerSoFar ask(
      SweepState s,
      String key,
      QuestionAbout about,
      Duration patience,
      boolean unanswered,
      Statement because) {
    Question asked = s.questions().get(key);
    if (asked == null) {
      return new AnswerSoFar.Open(
          List.of(
              new Decision.Append(
                  new Event.QuestionAsked(key, about, patience, unanswered), because)));
    }
    return asked
        .answer()
        .<AnswerSoFar>map(AnswerSoFar.Closed::new)
        .orElseGet(() -> new AnswerSoFar.Open(List.of()));
  }

  /** In every phase: a question is not left open because the sweep is paused or halted. */
  static List<Decision> lapse(View view) {
    return view.state().questions().entrySet().stream()
        .filter(q -> q.getValue().isOpen() && !view.now().isBefore(q.getValue().until()))
        .sorted(Map.Entry.comparingByKey())
        .flatMap(
            q ->
                List.<Decision>of(
                    new Decision.Append(
                        new Event.QuestionLapsed(q.getKey()), Statement.phrase("because-nobody")),
                    new Decision.Append(
                        new Event.NoticeIssued(
                            "lapsed:" + q.getKey(),
                            new Notice.Incident(
                                new Occurrence.NobodyAnswered(
                                    q.getValue().about(), q.getValue().unanswered()))),
                        Statement.phrase("because-without-them")))
                    .stream())
        .toList();
  }
}
