package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs on a config tag that count in the estimates, without void runs, probes and stragglers.
 * All are of one length (short ones where the tag has short runs), so that any two means can be
 * compared.
 */
public final class CountedRuns {
  private static final Set<Trial.Purpose> FRESH =
      Set.of(Trial.Purpose.CONFIRM, Trial.Purpose.CONFIRM_CONTROL);

  private final List<TrialState> runs;

  private CountedRuns(List<TrialState> runs) {
    this.runs = runs;
  }

  public static CountedRuns on(SweepState s, String tag) {
    boolean areShort =
        s.spec().screeningSteps().isPresent() && tag.equals(s.spec().primaryTag().name());
    List<TrialState> stragglers = Standings.stragglers(s, tag);
    return new CountedRuns(
        s.countingTrials()
            .filter(tr -> tr.trial().purpose().measures() && tr.trial().configTag().equals(tag))
            .filter(tr -> !areShort || s.spec().shortSteps(tr.trial()).isPresent())
            .filter(tr -> !stragglers.contains(tr))
            .toList());
  }

  /**
   * A profile's fresh runs and the baseline's in the same blocks, from which its gain is computed.
   * Runs that ended after the deciding look are left out.
   *
   * @param runs of the profile, as its confirmation counts them
   */
  static CountedRuns fresh(SweepState s, String profile, int runs) {
    List<TrialState> stragglers = Standings.stragglers(s);
    List<TrialState> fresh =
        s.countingTrials()
            .filter(tr -> FRESH.contains(tr.trial().purpose()) && !stragglers.contains(tr))
            .sorted(Comparator.comparing(CountedRuns::start))
            .toList();
    Map<Integer, List<TrialState>> blocks =
        fresh.stream()
            .collect(
                Collectors.groupingBy(
                    tr -> tr.trial().block(), LinkedHashMap::new, Collectors.toList()));
    List<TrialState> told = new ArrayList<>();
    int sum = 0;
    for (List<TrialState> block : blocks.values()) {
      long own = block.stream().filter(tr -> tr.trial().profile().equals(profile)).count();
      if (own > 0 && own < block.size() && sum < runs) {
        told.addAll(block);
        sum += (int) own;
      }
    }
    return new CountedRuns(told);
  }

  private static Instant start(TrialState tr) {
    return tr.lastAttempt().flatMap(AttemptState::startedAt).orElse(Instant.MAX);
  }

  public Stream<Measurement> of(String profile) {
    return runs.stream()
        .filter(tr -> tr.trial().profile().equals(profile))
        .flatMap(tr -> tr.measurement().stream());
  }

  /** Mean of the metric, in its unit; NaN where there are no runs. */
  public double mean(String profile) {
    return of(profile).mapToDouble(Measurement::value).average().orElse(Double.NaN);
  }
}
