package io.nightsweep.engine;

import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialId;
import java.util.Map;
import java.util.TreeMap;

/**
 * Facts by which two sweeps of one plan can be compared, since their jobs' figures and times
 * differ.
 */
final class ComparableEnds {
  private ComparableEnds() {}

  /** The profile of each trial and the kind of its disposition. */
  static Map<TrialId, String> dispositions(SweepState s) {
    Map<TrialId, String> all = new TreeMap<>();
    s.trials()
        .forEach(
            (id, t) ->
                all.put(
                    id,
                    t.trial().profile()
                        + " "
                        + t.disposition().orElseThrow().getClass().getSimpleName()));
    return all;
  }
}
