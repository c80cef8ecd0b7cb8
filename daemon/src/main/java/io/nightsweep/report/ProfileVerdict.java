package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Optional;

/** What a sweep knows of one profile, in three lines: the verdict, the settings and the runs. */
public final class ProfileVerdict {
  private ProfileVerdict() {}

  /** Of a profile that the sweep has. */
  public static List<String> lines(SweepState s, String profile) {
    return List.of(
        "verdict   " + verdict(s, profile),
        "settings  " + settings(s.profile(profile)),
        "runs      " + runs(s, profile));
  }

  private static String verdict(SweepState s, String profile) {
    if (profile.equals(Profile.BASELINE)) {
      return "the baseline, which all profiles are compared with: "
          + Figures.value(CountedRuns.mean(s, profile, s.spec().primaryTag().name()))
          + " "
          + s.spec().metric().unit();
    }
    Optional<Standing> standing = Standings.board(s).of(profile);
    String measured = standing.map(ProfileVerdict::words).orElse("");
    return Optional.ofNullable(s.dropped().get(profile))
        .map(
            dropped ->
                "left the sweep: "
                    + Causes.english(dropped.why())
                    + (measured.isEmpty() ? "" : "; before that it " + measured))
        .orElse(measured.isEmpty() ? "nothing was measured of it yet" : measured);
  }

  private static String words(Standing st) {
    String gain =
        Figures.percent(Standings.publishedLogGain(st))
            + " ("
            + Figures.interval(st.verdict().interval())
            + ")";
    return switch (st.verdict()) {
      case Verdict.Win win -> "wins: " + gain + " by " + win.runs() + " fresh runs";
      case Verdict.Loss loss -> "is slower: " + gain;
      case Verdict.Neutral neutral -> "makes no difference: " + gain;
      case Verdict.Undecided undecided -> "is undecided at " + gain;
      case Verdict.Unsafe unsafe -> "computes something else: " + Causes.english(unsafe.why());
    };
  }

  private static String settings(Profile profile) {
    String described = profile.describe();
    return described.isBlank() ? "none of its own" : described;
  }

  private static String runs(SweepState s, String profile) {
    List<TrialState> trials =
        s.trials().values().stream().filter(t -> t.trial().profile().equals(profile)).toList();
    long measured = trials.stream().filter(t -> t.measurement().isPresent()).count();
    long open = trials.stream().filter(TrialState::isOpen).count();
    List<String> failures =
        trials.stream()
            .flatMap(t -> t.disposition().stream())
            .filter(Disposition.Failed.class::isInstance)
            .map(d -> ((Disposition.Failed) d).failureClass())
            .distinct()
            .toList();
    return measured
        + " measured"
        + (open > 0 ? ", " + open + " planned" : "")
        + (failures.isEmpty() ? "" : ", failed as " + String.join(", ", failures));
  }
}
