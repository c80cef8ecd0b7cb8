package io.nightsweep.judging;

import io.nightsweep.measure.LossGuard;
import io.nightsweep.measure.Plausibility;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A candidate's run with a gain beyond the policy's plausibility limit; it counts as failed and
 * measures nothing. If earlier sweeps verified such a gain of the profile, the limit applies on top
 * of that gain. A run with another loss than the baseline's is no such run: its loss says already
 * that it computed something else.
 *
 * @param gain over the median baseline run, as a fraction
 * @param limit over the median baseline run, as a fraction
 * @param baseline the runs used for comparison
 */
public record ImplausibleRun(double gain, double limit, List<AttemptState> baseline) {
  public ImplausibleRun {
    baseline = List.copyOf(baseline);
  }

  /** Empty where the run is plausible, or measured nothing. */
  public static Optional<ImplausibleRun> of(SweepState s, Trial trial, Judgement judgement) {
    OptionalDouble limit = s.spec().policy().plausibleGain();
    if (!(judgement instanceof Judgement.Measured measured)
        || limit.isEmpty()
        || !trial.purpose().measures()
        || s.profile(trial.profile()).isBaseline()
        || isTakenBack(s, s.profile(trial.profile()))) {
      return Optional.empty();
    }
    List<TrialState> baseline =
        s.countingTrials()
            .filter(t -> t.trial().configTag().equals(trial.configTag()))
            .filter(t -> t.trial().purpose().isControl() && t.measurement().isPresent())
            .filter(t -> s.spec().shortSteps(t.trial()).equals(s.spec().shortSteps(trial)))
            .toList();
    double known = knownLogGain(s, s.profile(trial.profile()));
    OptionalDouble beyond =
        new Plausibility(limit.getAsDouble())
            .implausibleGain(
                logMetric(s, measured.measurement()) - known,
                baseline.stream().map(t -> logMetric(s, t.measurement().orElseThrow())).toList());
    return beyond.isEmpty() || computesSomethingElse(measured.measurement(), baseline)
        ? Optional.empty()
        : Optional.of(
            new ImplausibleRun(
                over(beyond.getAsDouble(), known),
                over(limit.getAsDouble(), known),
                baseline.stream().map(t -> t.attempts().getLast()).toList()));
  }

  private static boolean computesSomethingElse(Measurement run, List<TrialState> baseline) {
    return SteadyState.of(run)
        .flatMap(
            steady ->
                LossGuard.unsafe(
                    steady,
                    baseline.stream()
                        .flatMap(t -> SteadyState.of(t.measurement().orElseThrow()).stream())
                        .flatMap(of -> of.lastLoss().stream().boxed())
                        .toList()))
        .isPresent();
  }

  /** The gain that earlier sweeps verified for the profile, or for the parts of a stack. */
  private static double knownLogGain(SweepState s, Profile profile) {
    Double own = s.knownGains().get(profile.hash());
    return own != null
        ? own
        : profile.parts().stream().mapToDouble(part -> knownLogGain(s, s.profile(part))).sum();
  }

  private static double over(double gain, double known) {
    return Math.expm1(Math.log1p(gain) + known);
  }

  /**
   * Whether a person confirmed that the profile's settings are plausible, by adding to the running
   * sweep a profile with the settings of one that was set aside. A stack with such a part counts
   * too.
   */
  public static boolean isTakenBack(SweepState s, Profile profile) {
    return s.profiles().values().stream()
            .anyMatch(p -> profile.parts().contains(p.name()) && isTakenBack(s, p))
        || (isAddedByAPerson(s, profile)
            && s.profiles().values().stream()
                .anyMatch(p -> p.hash().equals(profile.hash()) && isSetAside(s, p.name())));
  }

  /** Whether the profile left the sweep because a run of it was implausibly fast. */
  public static boolean isSetAside(SweepState s, String profile) {
    Event.ProfileDropped dropped = s.dropped().get(profile);
    return dropped != null
        && dropped.why() instanceof Cause.FailedAs failed
        && failed.failureClass().equals(KnownClasses.IMPLAUSIBLE);
  }

  private static boolean isAddedByAPerson(SweepState s, Profile profile) {
    return !s.llm().isOf(profile)
        && s.waves().stream()
            .anyMatch(w -> w.wave().isAdded() && w.wave().profiles().contains(profile.name()));
  }

  /**
   * @param uncommon lines of its log without similar lines in any baseline log
   */
  public Judgement judgement(List<Quote> uncommon) {
    return new Judgement.Failed(
        new Diagnosis(
            KnownClasses.IMPLAUSIBLE,
            1,
            uncommon,
            Statement.phrase(
                "because-implausible",
                String.format(Locale.ROOT, "%+.0f", 100 * gain),
                String.format(Locale.ROOT, "%+.0f", 100 * limit),
                uncommon.isEmpty()
                    ? Statement.phrase("because-log-alike")
                    : Statement.phrase("because-log-unlike", uncommon.getFirst().text())),
            List.of()));
  }

  private static double logMetric(SweepState s, Measurement measured) {
    double sign = s.spec().metric().better() == Metric.Better.HIGHER ? 1 : -1;
    return sign * Math.log(measured.value());
  }
}
