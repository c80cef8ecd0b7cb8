package io.nightsweep.llm;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.LlmAnswer.Claim;
import io.nightsweep.sweep.SweepState;
import java.util.OptionalDouble;

/** Compares a language model's claims with the journal. */
final class Claims {
  private final SweepState s;
  private final Leaderboard board;

  Claims(SweepState s, Leaderboard board) {
    this.s = s;
    this.board = board;
  }

  Claim checked(String subject, Claim.Relation relation, double figure) {
    OptionalDouble known = known(subject, relation);
    Claim.Truth truth =
        known.isEmpty()
            ? Claim.Truth.UNKNOWN
            : Math.abs(known.getAsDouble() - figure) <= tolerance(relation)
                ? Claim.Truth.HOLDS
                : Claim.Truth.CONTRADICTED;
    return new Claim(subject, relation, figure, truth, known);
  }

  private OptionalDouble known(String subject, Claim.Relation relation) {
    return switch (relation) {
      case GAINS_PERCENT ->
          board
              .of(subject)
              .map(st -> OptionalDouble.of(Interval.percent(st.estimate().logGain())))
              .orElse(OptionalDouble.empty());
      case TAKES_PERCENT_OF_STEP -> share(subject);
      case RUNS_PER_STEP -> figure(Finding.MECHANISMS, subject);
      case ENDED_AT_STEP -> step(subject);
    };
  }

  private OptionalDouble share(String cost) {
    double all =
        s.findings().stream()
            .filter(f -> f.is(Finding.BREAKDOWN))
            .reduce((first, second) -> second)
            .map(f -> f.figures().values().stream().mapToDouble(Double::doubleValue).sum())
            .orElse(0.0);
    OptionalDouble seconds = figure(Finding.BREAKDOWN, cost);
    return all > 0 && seconds.isPresent()
        ? OptionalDouble.of(100 * seconds.getAsDouble() / all)
        : OptionalDouble.empty();
  }

  private OptionalDouble figure(String kind, String name) {
    return s.findings().stream()
        .filter(f -> f.is(kind) && f.figures().containsKey(name))
        .reduce((first, second) -> second)
        .map(f -> OptionalDouble.of(f.figures().getOrDefault(name, 0.0)))
        .orElse(OptionalDouble.empty());
  }

  private OptionalDouble step(String attempt) {
    return s.attempts()
        .filter(a -> a.id().toString().equals(attempt))
        .mapToDouble(a -> a.run().progress().step())
        .findFirst();
  }

  /** Allowed deviation, since models print figures with few digits. */
  private static double tolerance(Claim.Relation relation) {
    return switch (relation) {
      case GAINS_PERCENT -> 0.25;
      case TAKES_PERCENT_OF_STEP -> 1;
      case RUNS_PER_STEP, ENDED_AT_STEP -> 0;
    };
  }
}
