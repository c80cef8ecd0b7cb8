package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The exchange between a sweep and a language model.
 *
 * @param terms absent if no model is queried
 * @param rounds each is a prompt; the last may have no answer yet
 */
public record LlmTalk(Optional<LlmTerms> terms, PVector<Round> rounds) {

  public record Round(LlmOccasion occasion, Instant askedAt, Optional<LlmAnswer> answer) {}

  static LlmTalk nothing() {
    return new LlmTalk(Optional.empty(), TreePVector.empty());
  }

  LlmTalk with(LlmTerms agreed) {
    return new LlmTalk(Optional.of(agreed), rounds);
  }

  LlmTalk asked(LlmOccasion occasion, Instant at) {
    return new LlmTalk(terms, rounds.plus(new Round(occasion, at, Optional.empty())));
  }

  /**
   * @param round counts from 1
   */
  LlmTalk answered(int round, LlmAnswer answer) {
    if (round < 1 || round > rounds.size() || rounds.get(round - 1).answer().isPresent()) {
      throw new IllegalStateException("no round " + round + " waits for an answer");
    }
    Round asked = rounds.get(round - 1);
    return new LlmTalk(
        terms,
        rounds.with(round - 1, new Round(asked.occasion(), asked.askedAt(), Optional.of(answer))));
  }

  /** The round that is still without an answer. */
  public Optional<Round> open() {
    return rounds.isEmpty()
        ? Optional.empty()
        : Optional.of(rounds.getLast()).filter(round -> round.answer().isEmpty());
  }

  public Stream<LlmAnswer> answers() {
    return rounds.stream().flatMap(round -> round.answer().stream());
  }

  /** The hypotheses that passed the gates, the oldest first. */
  public Stream<Hypothesis> hypotheses() {
    return answers().flatMap(answer -> answer.hypotheses().stream());
  }

  /** Whether a profile is the language model's, or a stack with one of its profiles. */
  public boolean isOf(Profile profile) {
    return hypotheses()
        .map(h -> h.profile().name())
        .anyMatch(name -> profile.name().equals(name) || profile.parts().contains(name));
  }
}
