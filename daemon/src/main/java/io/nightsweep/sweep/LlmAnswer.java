package io.nightsweep.sweep;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The outcome of one query to a language model. A night is replayed from it without the model.
 *
 * @param detail why there is nothing to read; {@link Statement#NONE} otherwise
 * @param promptSha256 of the prompt's text, which is kept in a separate file; empty if none was
 *     sent
 * @param answerSha256 of the answer's text, likewise
 * @param microDollars in millionths of a dollar, by the prices in the settings
 * @param hypotheses those that passed every gate
 * @param refusals proposals that were rejected
 * @param claims checked against the journal
 * @param prose the model's own words, unverified
 */
public record LlmAnswer(
    LlmOutcome outcome,
    Statement detail,
    String promptSha256,
    String answerSha256,
    long tokensIn,
    long tokensOut,
    long microDollars,
    List<Hypothesis> hypotheses,
    List<Refusal> refusals,
    List<Claim> claims,
    String prose) {
  public enum LlmOutcome {
    READ,
    /** No complete answer within the time limit. */
    TIMED_OUT,
    /** No connection, or the connection broke. */
    UNREACHABLE,
    /** The endpoint answered with an error status. */
    REFUSED,
    /** The answer does not match the schema. */
    MALFORMED,
    /** The answer is longer than the limit for reading. */
    TOO_LONG,
    /** The next prompt might cost more than is left, so it was not sent. */
    OVER_CAP,
    /** An earlier daemon had sent the prompt and ended; the prompt is not sent again. */
    INTERRUPTED,
    /** The settings no longer name an endpoint. */
    OFF
  }

  /**
   * @param name of the proposal
   */
  public record Refusal(String name, Statement reason) {}

  /**
   * @param subject a profile, a cost, a mechanism or an attempt
   * @param figure as the model states it
   * @param journal the same figure from the journal, if the journal knows the subject
   */
  public record Claim(
      String subject, Relation relation, double figure, Truth truth, OptionalDouble journal) {
    public enum Relation {
      GAINS_PERCENT,
      TAKES_PERCENT_OF_STEP,
      RUNS_PER_STEP,
      ENDED_AT_STEP
    }

    public enum Truth {
      HOLDS,
      CONTRADICTED,
      /** The journal does not know the subject. */
      UNKNOWN
    }
  }

  public LlmAnswer {
    hypotheses = List.copyOf(hypotheses);
    refusals = List.copyOf(refusals);
    claims = List.copyOf(claims);
  }

  /** Nothing was sent, or no readable answer came back. */
  public static LlmAnswer none(LlmOutcome outcome, Statement detail) {
    return new LlmAnswer(outcome, detail, "", "", 0, 0, 0, List.of(), List.of(), List.of(), "");
  }
}
