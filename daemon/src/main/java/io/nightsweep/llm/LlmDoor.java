package io.nightsweep.llm;

import io.nightsweep.llm.Scores.HypothesisScore;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Racing;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What language models have cost in a night, and whether more questions are allowed. */
public final class LlmDoor {
  /** Why the language model gets no more questions this night. */
  public enum ClosedBy {
    ROUNDS,
    /** The cap on tokens or money has been reached. */
    CAP,
    /** Several answers in a row could not be read. */
    UNUSABLE,
    /**
     * Too few hypotheses held. One that the gate refused, or that showed no promise, counts as not
     * held.
     */
    HIT_RATE
  }

  /** Fewer scored hypotheses give no meaningful rate: it may be chance. */
  private static final int FEWEST_SCORED = 4;

  /**
   * Least share of scored hypotheses that must hold; below it, more questions are not worth their
   * cost.
   */
  private static final double LEAST_RATE = 0.25;

  private static final int UNUSABLE_IN_A_ROW = 3;

  private LlmDoor() {}

  public static Optional<ClosedBy> closed(SweepState s, Leaderboard board) {
    List<LlmAnswer> answers = s.llm().answers().toList();
    if (s.llm().rounds().size() >= terms(s).rounds()) {
      return Optional.of(ClosedBy.ROUNDS);
    }
    if (answers.stream().anyMatch(a -> a.outcome() == LlmAnswer.LlmOutcome.OVER_CAP)
        || tokensLeft(s) <= 0
        || microDollarsLeft(s) <= 0) {
      return Optional.of(ClosedBy.CAP);
    }
    List<LlmAnswer> last =
        answers.subList(Math.max(0, answers.size() - UNUSABLE_IN_A_ROW), answers.size());
    if (last.size() == UNUSABLE_IN_A_ROW
        && last.stream().noneMatch(a -> a.outcome() == LlmAnswer.LlmOutcome.READ)) {
      return Optional.of(ClosedBy.UNUSABLE);
    }
    long held = 0;
    long scored = answers.stream().mapToLong(a -> a.refusals().size()).sum();
    for (Hypothesis h : s.llm().hypotheses().toList()) {
      HypothesisScore score = Scores.of(s, board, h);
      held += score == HypothesisScore.HELD ? 1 : 0;
      scored += isScored(score) || isWithoutPromise(board, h) ? 1 : 0;
    }
    return scored >= FEWEST_SCORED && held < LEAST_RATE * scored
        ? Optional.of(ClosedBy.HIT_RATE)
        : Optional.empty();
  }

  private static boolean isScored(HypothesisScore score) {
    return score != HypothesisScore.OPEN && score != HypothesisScore.NOT_RUN;
  }

  /** It ran and is not worth another run; for the rate it counts like a refuted one. */
  private static boolean isWithoutPromise(Leaderboard board, Hypothesis h) {
    return board.of(h.profile().name()).filter(st -> !Racing.isPromising(st)).isPresent();
  }

  /** Tokens of all prompts and answers, unusable answers included. */
  public static long tokens(SweepState s) {
    return Math.addExact(sum(s, LlmAnswer::tokensIn), sum(s, LlmAnswer::tokensOut));
  }

  public static long tokensLeft(SweepState s) {
    return terms(s).tokens() - tokens(s);
  }

  /** In millionths of a dollar; 0 where the endpoint has no price. */
  public static long microDollars(SweepState s) {
    return sum(s, LlmAnswer::microDollars);
  }

  /** In millionths of a dollar; unlimited where the terms name no cap. */
  public static long microDollarsLeft(SweepState s) {
    long cap = terms(s).microDollars();
    return cap == 0 ? Long.MAX_VALUE : cap - microDollars(s);
  }

  /**
   * Clamps each count: earlier journals contain unchecked ones, which must not make the sum
   * negative or overflow.
   */
  private static long sum(SweepState s, ToLongFunction<LlmAnswer> count) {
    return s.llm().answers().mapToLong(a -> Math.clamp(count.applyAsLong(a), 0L, 1L << 50)).sum();
  }

  private static LlmTerms terms(SweepState s) {
    return s.llm().terms().orElseThrow();
  }
}
