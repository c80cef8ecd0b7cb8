package io.nightsweep.cli;

import io.nightsweep.conductor.Standings;
import io.nightsweep.llm.LlmDoor;
import io.nightsweep.llm.Scores;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmTalk;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The questions to a language model in a sweep, its answers, their results and cost; each line of
 * JSON follows {@code templates/json/advise.schema.json}.
 *
 * @param model absent where the sweep uses none
 * @param dollarsAllowed absent where the terms name no cap
 * @param closedBy why no more questions are sent
 */
record Advice(
    String sweep,
    Optional<String> model,
    Optional<String> mode,
    long tokens,
    long tokensAllowed,
    double dollars,
    OptionalDouble dollarsAllowed,
    Optional<String> closedBy,
    List<RoundShown> rounds) {
  private static final double MICRO = 1e6;

  /**
   * @param outcome absent while the answer is awaited
   * @param detail why there is no readable answer
   * @param prose the model's own unverified words
   */
  record RoundShown(
      int round,
      String occasion,
      String about,
      Instant askedAt,
      Optional<String> outcome,
      String detail,
      long tokensIn,
      long tokensOut,
      double dollars,
      List<HypothesisShown> hypotheses,
      List<RefusalShown> refusals,
      List<LlmAnswer.Claim> claims,
      String prose) {}

  /**
   * @param name of the proposal
   */
  record RefusalShown(String name, String reason) {}

  /**
   * @param signalSeen absent where no profiled run can show it
   */
  record HypothesisShown(
      String profile,
      String settings,
      String mechanism,
      double lowPercent,
      double highPercent,
      double refutedBelowPercent,
      String falsifier,
      Hypothesis.Signal signal,
      Optional<Boolean> signalSeen,
      String cameTo) {}

  static Advice of(SweepState s) {
    Optional<LlmTerms> terms = s.llm().terms();
    Leaderboard board = Standings.board(s);
    List<RoundShown> rounds = new ArrayList<>();
    for (LlmTalk.Round round : s.llm().rounds()) {
      rounds.add(shown(s, board, rounds.size() + 1, round));
    }
    return new Advice(
        s.sweep(),
        terms.map(LlmTerms::model),
        terms.map(t -> LowerCase.of(t.mode())),
        LlmDoor.tokens(s),
        terms.map(LlmTerms::tokens).orElse(0L),
        LlmDoor.microDollars(s) / MICRO,
        terms.stream()
            .mapToLong(LlmTerms::microDollars)
            .filter(cap -> cap > 0)
            .mapToDouble(cap -> cap / MICRO)
            .findFirst(),
        terms.flatMap(t -> LlmDoor.closed(s, board)).map(LowerCase::of),
        rounds);
  }

  private static RoundShown shown(
      SweepState s, Leaderboard board, int number, LlmTalk.Round round) {
    LlmAnswer answer =
        round.answer().orElse(LlmAnswer.none(LlmAnswer.LlmOutcome.INTERRUPTED, Statement.NONE));
    return new RoundShown(
        number,
        LowerCase.of(round.occasion().kind()),
        round.occasion().about(),
        round.askedAt(),
        round.answer().map(a -> LowerCase.of(a.outcome())),
        Phrases.EN.text(answer.detail()),
        answer.tokensIn(),
        answer.tokensOut(),
        answer.microDollars() / MICRO,
        answer.hypotheses().stream().map(h -> shown(s, board, h)).toList(),
        answer.refusals().stream()
            .map(r -> new RefusalShown(r.name(), Phrases.EN.text(r.reason())))
            .toList(),
        answer.claims(),
        answer.prose());
  }

  private static HypothesisShown shown(SweepState s, Leaderboard board, Hypothesis h) {
    return new HypothesisShown(
        h.profile().name(),
        h.profile().describe(),
        h.mechanism(),
        h.lowPercent(),
        h.highPercent(),
        h.refutedBelowPercent(),
        h.falsifier(),
        h.signal(),
        Scores.signal(s, h),
        LowerCase.of(Scores.of(s, board, h)));
  }

  /** Lines for a terminal; texts of the model are quoted unchanged. */
  List<String> lines(SweepState s) {
    if (model.isEmpty()) {
      return List.of("no language model is asked in " + sweep + ": it began without an llm.yaml");
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s may %s: %d rounds, %d of %d tokens, $ %.4f%s",
            model.get(),
            Phrases.EN.text("llm.mode." + mode.orElseThrow()),
            rounds.size(),
            tokens,
            tokensAllowed,
            dollars,
            dollarsAllowed.isEmpty()
                ? ""
                : String.format(Locale.ROOT, " of $ %.4f", dollarsAllowed.getAsDouble())));
    closedBy.ifPresent(by -> lines.add(Phrases.EN.text("llm.closed." + by)));
    for (RoundShown round : rounds) {
      lines.add("");
      LlmTalk.Round asked = s.llm().rounds().get(round.round() - 1);
      lines.add(EventLines.of(new Event.LlmAsked(asked.occasion())));
      lines.add(
          asked
              .answer()
              .map(a -> EventLines.of(new Event.LlmAnswered(round.round(), a)))
              .orElse("its answer is awaited"));
      round.hypotheses().forEach(h -> lines.add(line(h)));
      round.refusals().forEach(r -> lines.add("  refused  " + r.name() + ": " + r.reason()));
      round.claims().forEach(c -> lines.add(line(c)));
      if (!round.prose().isBlank()) {
        lines.add("  its own words, which nobody has verified: \"" + round.prose() + "\"");
      }
    }
    return lines;
  }

  private static String line(HypothesisShown h) {
    return String.format(
        Locale.ROOT,
        "  %s  %s  expected %+.1f to %+.1f %%: %s  %s  signal: %s %s%s",
        h.profile(),
        Phrases.EN.text("llm.score." + h.cameTo()),
        h.lowPercent(),
        h.highPercent(),
        h.settings(),
        h.mechanism(),
        h.signal().name(),
        Phrases.EN.word("llm.signal", h.signal().change()),
        h.signalSeen().map(seen -> seen ? ", seen" : ", not seen").orElse(", not looked at"));
  }

  private static String line(LlmAnswer.Claim c) {
    return String.format(
        Locale.ROOT,
        "  claim    %s %s %s: %s",
        c.subject(),
        LowerCase.of(c.relation()).replace('_', ' '),
        c.figure(),
        switch (c.truth()) {
          case HOLDS -> "the journal has " + c.journal().orElseThrow();
          case CONTRADICTED -> "wrong, the journal has " + c.journal().orElseThrow();
          case UNKNOWN -> "the journal knows no such thing";
        });
  }
}
