package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.measure.PairedRatio;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A profile's runs in words, each with the effect of the night's drift on it. */
public final class ComparedRuns {
  private ComparedRuns() {}

  /** A run's start, and what it measured in words. */
  public record ComparedRun(Instant at, String words) {}

  /** The runs on the primary config tag; empty where nothing was measured. */
  public static List<ComparedRun> of(SweepState s, String profile, Phrases t) {
    Set<Observation> leftOut = Standings.leftOut(s);
    return Standings.ratios(s).stream()
        .filter(ratio -> ratio.observation().profile().equals(profile))
        .map(
            ratio ->
                new ComparedRun(
                    Instant.ofEpochSecond((long) ratio.observation().startedAtSeconds()),
                    leftOut.contains(ratio.observation())
                        ? t.text("words.run.left-out", words(ratio, t))
                        : words(ratio, t)))
        .toList();
  }

  /** The profile behind a name, which may be its own, or that of a trial or attempt. */
  public static Optional<String> profile(SweepState s, String about) {
    return s.profiles().containsKey(about)
        ? Optional.of(about)
        : s.trials().values().stream()
            .map(t -> t.trial())
            .filter(t -> about.matches(t.id() + "(a\\d+)?"))
            .map(t -> t.profile())
            .findFirst();
  }

  private static String words(PairedRatio ratio, Phrases t) {
    boolean isFresh = ratio.observation().stage() == Stage.CONFIRMATION;
    if (!Double.isFinite(ratio.raw())) {
      return t.text(
          isFresh ? "words.run.fresh-alone" : "words.run.alone",
          Figures.percent(ratio.corrected()));
    }
    // The published gain is the mean of these values, which are not corrected for drift.
    return isFresh
        ? t.text("words.run.fresh", Figures.percent(ratio.raw()))
        : t.text(
            "words.run",
            Figures.percent(ratio.corrected()),
            Figures.percent(ratio.raw()),
            Figures.percent(ratio.correction()));
  }
}
