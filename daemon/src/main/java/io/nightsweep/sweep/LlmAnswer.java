package io.nightsweep.sweep;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of asking a language model. A night is replayed from it without the model.
 *
 * @param detail why there is nothing to read; empty where there is
 * @param promptSha256 of the prompt's text, which lies in a file of its own; empty where none was
 *     sent
 * @param answerSha256 of the answer's text, likewise
 * @param microDollars by the prices of the settings, in millionths of a dollar
 * @param hypotheses those that passed every gate
 * @param refusals what was proposed and is not taken
 * @param claims checked against the journal
 * @param prose the model's own words, which nobody has verified
 */
public record LlmAnswer(
    LlmOutcome outcome,
    String detail,
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
    /** No whole answer within the time limit. */
    TIMED_OUT,
    /** No connection, or one that broke. */
    UNREACHABLE,
    /** The endpoint answered with an error's status. */
    REFUSED,
    /** It is not what the schema asks for. */
    MALFORMED,
    /** Longer than is read. */
    TOO_LONG,
    /** The next prompt may cost more than is left; it was not sent. */
    OVER_CAP,
    /** A daemon that ended had sent the prompt; it is not sent again. */
    INTERRUPTED,
    /** The settings no longer name an endpoint. */
    OFF
  }

  /**
   * @param name of the proposal
   */
  public record Refusal(String name, String reason) {}

  /**
   * @param subject a profile, a cost, a mechanism or an attempt
   * @param figure as the model has it
   * @param journal the same figure of the journal, where it knows the subject
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
      /** The journal knows no such subject. */
      UNKNOWN
    }
  }

  public LlmAnswer {
    hypotheses = List.copyOf(hypotheses);
    refusals = List.copyOf(refusals);
    claims = List.copyOf(claims);
  }

  /** Nothing was sent, or no readable answer came back. */
  public static LlmAnswer none(LlmOutcome outcome, String detail) {
    return new LlmAnswer(outcome, detail, "", "", 0, 0, 0, List.of(), List.of(), List.of(), "");
  }
}
