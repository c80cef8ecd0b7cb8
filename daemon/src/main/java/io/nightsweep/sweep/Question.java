package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * A yes-or-no question to people. The first answer counts; if none comes before the deadline, the
 * answer is the one that was fixed when the question was asked.
 *
 * @param until the deadline
 * @param unanswered the answer that applies after the deadline
 * @param answer absent while the question is open
 */
public record Question(
    QuestionAbout about,
    Instant askedAt,
    Instant until,
    boolean unanswered,
    Optional<GivenAnswer> answer) {

  /**
   * Whether candidates run that do not act on the largest cost; adding profiles counts as a yes.
   */
  public static final String UNADDRESSED = "unaddressed-cost";

  /**
   * @param byPerson false if the deadline passed
   */
  public record GivenAnswer(boolean yes, boolean byPerson) {}

  static Question asked(Event.QuestionAsked e, Instant at) {
    return new Question(e.about(), at, at.plus(e.patience()), e.unanswered(), Optional.empty());
  }

  Question answered(GivenAnswer first) {
    return isOpen() ? new Question(about, askedAt, until, unanswered, Optional.of(first)) : this;
  }

  Question lapsed() {
    return answered(new GivenAnswer(unanswered, false));
  }

  public boolean isOpen() {
    return answer.isEmpty();
  }
}
