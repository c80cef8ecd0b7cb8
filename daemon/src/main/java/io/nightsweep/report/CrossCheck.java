package io.nightsweep.report;

import io.nightsweep.conductor.CrossChecks;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A profile on a config tag other than the one on which it was chosen.
 *
 * @param baselineMean of the metric there, in its unit; NaN where nothing is measured
 * @param logGain over the baseline there; NaN where nothing is measured
 * @param holding the catalogue's key for the result there
 */
public record CrossCheck(
    String profile,
    String tag,
    double baselineMean,
    double mean,
    double logGain,
    Interval interval,
    int runs,
    String holding) {

  /**
   * The winner on every other config tag, then the contender that was checked there too and can be
   * deployed where the winner cannot.
   */
  public static List<CrossCheck> of(SweepState s, Optional<Standing> winner) {
    if (winner.isEmpty()) {
      return List.of();
    }
    List<ConfigTag> others = s.spec().configTags().subList(1, s.spec().configTags().size());
    return Stream.concat(Stream.of(winner.get().profile()), CrossChecks.checked(s).stream())
        .distinct()
        .flatMap(profile -> others.stream().map(tag -> of(s, profile, tag)))
        .toList();
  }

  private static CrossCheck of(SweepState s, String profile, ConfigTag tag) {
    Optional<Standing> there = Standings.board(s, tag.name()).of(profile);
    return new CrossCheck(
        profile,
        tag.name(),
        CountedRuns.on(s, tag.name()).mean(Profile.BASELINE),
        CountedRuns.on(s, tag.name()).mean(profile),
        there.map(st -> st.estimate().logGain()).orElse(Double.NaN),
        CrossChecks.interval(s, profile, tag),
        there.map(st -> st.estimate().runs()).orElse(0),
        switch (CrossChecks.holding(s, profile, tag)) {
          case HOLDS -> "holds";
          case REGRESSES -> "regresses";
          case NOT_KNOWN -> there.isEmpty() ? "not-measured" : "not-known";
        });
  }
}
