package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.measure.PairedRatio;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A profile's runs in words, each with what the drift of the night changed about it. */
public final class ComparedRuns {
  private ComparedRuns() {}

  /** One line a run on the primary config tag; empty where none has measured. */
  public static List<String> of(SweepState s, String profile) {
    List<String> lines = new ArrayList<>();
    for (PairedRatio ratio : Standings.ratios(s)) {
      if (ratio.observation().profile().equals(profile)) {
        lines.add(line(ratio));
      }
    }
    return lines;
  }

  /** The profile that is meant by its own name, a trial's or an attempt's. */
  public static Optional<String> profile(SweepState s, String about) {
    return s.profiles().containsKey(about)
        ? Optional.of(about)
        : s.trials().values().stream()
            .map(t -> t.trial())
            .filter(t -> about.matches(t.id() + "(a\\d+)?"))
            .map(t -> t.profile())
            .findFirst();
  }

  private static String line(PairedRatio ratio) {
    Instant at = Instant.ofEpochSecond((long) ratio.observation().startedAtSeconds());
    String fresh = ratio.observation().stage() == Stage.CONFIRMATION ? ", fresh" : "";
    return Double.isFinite(ratio.raw())
        ? "%s  %s = %s against its block's controls, %s for drift and the other controls%s"
            .formatted(
                Figures.time(at),
                Figures.percent(ratio.corrected()),
                Figures.percent(ratio.raw()),
                Figures.percent(ratio.correction()),
                fresh)
        : "%s  %s against the baseline of its hour; no control of its block measured%s"
            .formatted(Figures.time(at), Figures.percent(ratio.corrected()), fresh);
  }
}
