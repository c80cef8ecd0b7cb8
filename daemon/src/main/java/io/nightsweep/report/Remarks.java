package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.CarryOver;
import io.nightsweep.measure.Interval;
import io.nightsweep.plan.UnmentionedVariables;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Notes about the runs behind a leaderboard, for its reader. */
public final class Remarks {
  private static final double FLAGGED_DECAY = 0.1;

  /** A limit, since a program may end every run with such an exit code. */
  private static final int MOST_NAMED = 8;

  private Remarks() {}

  /**
   * A note that the noise hides gains of the target's size, if the sweep has found so and no such
   * gain was confirmed.
   */
  public static Optional<String> blind(SweepState s, Phrases t) {
    boolean isSaid =
        switch (s.phase()) {
          case Phase.Finished f -> f.outcome() == Event.SweepFinished.SweepOutcome.WINNER;
          case Phase.Halted h -> h.cause() instanceof HaltCause.TargetTooSmall;
          default -> false;
        };
    if (isSaid) {
      return Optional.empty();
    }
    return s.notices().values().stream()
        .map(NoticeState::notice)
        .flatMap(
            notice -> notice instanceof Notice.Incident i ? Stream.of(i.what()) : Stream.empty())
        .filter(Occurrence.TargetTooSmall.class::isInstance)
        .map(what -> Sentences.of(what, t))
        .findFirst();
  }

  /** One sentence for each setting that may have no effect because its name looks misspelt. */
  public static List<String> misspelt(SweepState s, Phrases t, UnaryOperator<String> name) {
    Set<Profile> profiles = new LinkedHashSet<>(s.spec().everyProfile());
    profiles.addAll(s.profiles().values());
    return misspelt(s.spec(), profiles, t, name);
  }

  /**
   * @param profiles to check; the config tags' settings are checked too
   */
  public static List<String> misspelt(
      SweepSpec spec, Collection<Profile> profiles, Phrases t, UnaryOperator<String> name) {
    return UnmentionedVariables.of(spec, profiles).entrySet().stream()
        .map(e -> t.text("misspelt", name.apply(e.getKey()), name.apply(e.getValue())))
        .toList();
  }

  /**
   * One sentence for each remark.
   *
   * @param name formats the name of a profile or setting
   */
  public static List<String> of(SweepState s, Phrases t, UnaryOperator<String> name) {
    List<String> remarks = new ArrayList<>(misspelt(s, t, name));
    List<Trial> slow = Standings.stragglers(s).stream().map(TrialState::trial).toList();
    if (!slow.isEmpty()) {
      remarks.add(
          t.text(
              "stragglers",
              slow.size(),
              slow.stream()
                  .map(trial -> trial.id() + " " + name.apply(trial.profile()))
                  .collect(Collectors.joining(", "))));
    }
    List<DecayingRun> decaying = decaying(s);
    if (!decaying.isEmpty()) {
      remarks.add(
          t.text(
              "decaying",
              decaying.size(),
              decaying.stream().map(run -> run.words(name)).collect(Collectors.joining(", "))));
    }
    List<ExitedRun> exited = exited(s);
    if (!exited.isEmpty()) {
      remarks.add(
          t.text(
              "exited",
              exited.size(),
              exited.stream()
                      .limit(MOST_NAMED)
                      .map(run -> run.words(name))
                      .collect(Collectors.joining(", "))
                  + (exited.size() > MOST_NAMED ? ", ..." : "")));
    }
    CarryOver carried = Standings.carryOver(s);
    if (carried.isShown()) {
      remarks.add(
          t.text("carry-over", percent(carried.ontoCandidates()), percent(carried.ontoControls())));
    }
    return remarks;
  }

  /**
   * A run that slowed down within its own window.
   *
   * @param fraction of the metric, from the window's first third to its last
   */
  record DecayingRun(AttemptId attempt, String profile, double fraction) {
    String words(UnaryOperator<String> name) {
      return String.format(
          Locale.ROOT, "%s %s %.1f %%", attempt, name.apply(profile), 100 * fraction);
    }
  }

  /** Measured runs that the procedure flags: "more than 10 % decay within a run". */
  static List<DecayingRun> decaying(SweepState s) {
    double sign = s.spec().metric().better() == Metric.Better.HIGHER ? 1 : -1;
    return s.attempts()
        .flatMap(
            a ->
                a.measurement().stream()
                    .flatMap(m -> Stream.ofNullable(m.extras().get(Measurement.DECAY)))
                    .map(decay -> sign * decay)
                    .filter(decay -> decay > FLAGGED_DECAY)
                    .map(decay -> new DecayingRun(a.id(), s.trialOf(a.id()).profile(), decay)))
        .toList();
  }

  /** A run that printed all its figures but ended with a nonzero exit code. */
  record ExitedRun(AttemptId attempt, String profile, int exitCode) {
    String words(UnaryOperator<String> name) {
      return attempt + " " + name.apply(profile) + " " + exitCode;
    }
  }

  /**
   * Measured runs with a job that failed after its last step; the playbook counts them as
   * successes.
   */
  static List<ExitedRun> exited(SweepState s) {
    return s.attempts()
        .filter(a -> a.measurement().isPresent())
        .flatMap(
            a ->
                a.end().stream()
                    .filter(end -> end.exitCode() != 0)
                    .map(end -> new ExitedRun(a.id(), s.trialOf(a.id()).profile(), end.exitCode())))
        .toList();
  }

  private static String percent(double logRatio) {
    return String.format(Locale.ROOT, "%+.2f", Interval.percent(logRatio));
  }
}
