package io.nightsweep.sweep;

import java.util.List;

/** ReadAnswers of a language model that were read. */
public final class ReadAnswers {
  private ReadAnswers() {}

  public static LlmAnswer of(
      List<Hypothesis> hypotheses,
      List<LlmAnswer.Refusal> refusals,
      List<LlmAnswer.Claim> claims,
      String prose) {
    return of(1, 1, 0, hypotheses, refusals, claims, prose);
  }

  public static LlmAnswer costing(long tokensIn, long tokensOut, long microDollars) {
    return of(tokensIn, tokensOut, microDollars, List.of(), List.of(), List.of(), "");
  }

  public static LlmAnswer of(
      long tokensIn,
      long tokensOut,
      long microDollars,
      List<Hypothesis> hypotheses,
      List<LlmAnswer.Refusal> refusals,
      List<LlmAnswer.Claim> claims,
      String prose) {
    return new LlmAnswer(
        LlmAnswer.LlmOutcome.READ,
        Statement.NONE,
        "",
        "",
        tokensIn,
        tokensOut,
        microDollars,
        hypotheses,
        refusals,
        claims,
        prose);
  }
}
