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

/** Asks people questions and closes those that nobody answered in time. */
final class Questions {
  private Questions() {}

  /** The answer so far, in the form that the stage with the question needs. */
  sealed interface AnswerSoFar {
    /**
     * Nobody has answered yet; {@code decisions} ask the question, and are empty once it is asked.
     */
    record Open(List<Decision> decisions) implements AnswerSoFar {}

    record Closed(Question.GivenAnswer answer) implements AnswerSoFar {}
  }

  /**
   * Asks the question once; every later call returns the answer.
   *
   * @param key the question's name in this sweep; the same key means the same question
   * @param patience how long to wait for an answer
   * @param unanswered the safe answer, which applies if nobody answers in time
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
          Decision.append(new Event.QuestionAsked(key, about, patience, unanswered), because));
    }
    return asked
        .answer()
        .<AnswerSoFar>map(AnswerSoFar.Closed::new)
        .orElseGet(() -> new AnswerSoFar.Open(List.of()));
  }

  /** Closes expired questions in every phase, also while the sweep is paused or halted. */
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
