package io.nightsweep.judging;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A profile's first fresh runs and baseline runs with logs to compare: a program that skips a part
 * of its work is faster too, and its log often shows it.
 *
 * @param baseline the latest first, since those beside the fresh runs are most like them
 */
public record FreshLogs(Profile profile, List<AttemptState> fresh, List<AttemptState> baseline) {
  /** The number of runs that must agree: lines of a single run may be chance. */
  private static final int RUNS = 2;

  public FreshLogs {
    fresh = List.copyOf(fresh);
    baseline = List.copyOf(baseline);
  }

  /**
   * The runs to compare once this attempt completes them; empty if it does not.
   *
   * @param beside attempts that were found measured before {@code last} in the same observation and
   *     are not in the state yet either; several short jobs may end at a time
   * @param judgement of {@code last}
   */
  public static Optional<FreshLogs> of(
      SweepState s, List<AttemptState> beside, AttemptState last, Judgement judgement) {
    Trial trial = s.trialOf(last.id());
    if (trial.purpose() != Trial.Purpose.CONFIRM || !(judgement instanceof Judgement.Measured)) {
      return Optional.empty();
    }
    List<AttemptState> measured =
        Stream.concat(
                s.countingTrials()
                    .filter(t -> t.measurement().isPresent())
                    .map(t -> t.attempts().getLast()),
                beside.stream())
            .filter(a -> isLike(s, a, trial))
            .toList();
    List<AttemptState> fresh =
        Stream.concat(
                measured.stream()
                    .filter(a -> s.trialOf(a.id()).purpose() == Trial.Purpose.CONFIRM)
                    .filter(a -> s.trialOf(a.id()).profile().equals(trial.profile())),
                Stream.of(last))
            .toList();
    List<AttemptState> baseline =
        measured.stream().filter(a -> s.trialOf(a.id()).purpose().isControl()).toList().reversed();
    return fresh.size() == RUNS && !baseline.isEmpty()
        ? Optional.of(new FreshLogs(s.profile(trial.profile()), fresh, baseline))
        : Optional.empty();
  }

  /** Whether the attempt ran on the same config tag with the same length. */
  private static boolean isLike(SweepState s, AttemptState attempt, Trial like) {
    Trial trial = s.trialOf(attempt.id());
    return trial.configTag().equals(like.configTag())
        && s.spec().shortSteps(trial).equals(s.spec().shortSteps(like));
  }

  /** Words that differ between these runs by design: the jobs' names and the profile's settings. */
  public Set<String> ownWords() {
    Set<String> own = new TreeSet<>();
    Stream.concat(fresh.stream(), baseline.stream()).map(AttemptState::jobName).forEach(own::add);
    own.addAll(profile.flags().keySet());
    own.addAll(profile.env().keySet());
    own.addAll(profile.overrides().keySet());
    return own;
  }

  /**
   * What people should check before they deploy the profile; empty where the logs are alike.
   *
   * @param more lines that only the profile's runs have
   * @param less lines that only the baseline's runs have
   */
  public Optional<Finding> finding(List<Quote> more, List<Quote> less) {
    List<Statement> said =
        Stream.of(told("log-more", more), told("log-less", less))
            .flatMap(Optional::stream)
            .toList();
    return said.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                fresh.getLast().id(),
                Finding.UNLIKE_LOG,
                Statement.row("; ", said),
                Stream.concat(more.stream(), less.stream())
                    .map(q -> q.file() + ":" + q.line())
                    .toList()));
  }

  private static Optional<Statement> told(String key, List<Quote> lines) {
    return lines.stream().findFirst().map(line -> Statement.phrase(key, line.text()));
  }
}
