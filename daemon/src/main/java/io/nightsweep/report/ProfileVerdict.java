package io.nightsweep.report;

import io.nightsweep.cluster.Shell;
import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.plan.AddedProfiles;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a sweep knows about one profile: its verdict, settings and runs. */
public final class ProfileVerdict {
  private static final int LONGEST_BEFORE_AGAIN = 54;

  private ProfileVerdict() {}

  /** Lines in English about a profile of the sweep. */
  public static List<String> lines(SweepState s, String profile) {
    Leaderboard board = Standings.board(s);
    Optional<Standing> undecided =
        board
            .of(profile)
            .filter(st -> st.verdict() instanceof Verdict.Undecided && !s.isDropped(profile));
    Stream<String> always =
        Stream.of(
            "verdict   " + sentence(s, board, profile, Phrases.EN),
            "settings  " + settings(s.profile(profile)),
            "runs      " + runs(s, profile));
    Stream<String> cautions =
        Standings.winner(s, board).filter(w -> w.profile().equals(profile)).stream()
            .flatMap(w -> CautionText.lines(s, w, Phrases.EN).stream())
            .map(caution -> "caution   " + caution);
    Stream<String> flagged =
        Remarks.decaying(s).stream()
            .filter(run -> run.profile().equals(profile))
            .map(
                run ->
                    String.format(
                        Locale.ROOT,
                        "flagged   %s slowed by %.1f %% within its window; it still counts",
                        run.attempt(),
                        100 * run.fraction()));
    Stream<String> exited =
        Remarks.exited(s).stream()
            .filter(run -> run.profile().equals(profile))
            .map(
                run ->
                    "flagged   %s ended with exit code %d after its last step; it still counts"
                        .formatted(run.attempt(), run.exitCode()));
    Stream<String> failed = lastFailed(s, profile).flatMap(ProfileVerdict::failure).stream();
    Stream<String> why = undecided.map(st -> "why       " + whyOpen(s, st)).stream();
    Stream<String> next = next(s, profile, undecided.isPresent()).stream();
    return Stream.of(always, why, cautions, failed, flagged, exited, next)
        .flatMap(lines -> lines)
        .toList();
  }

  /** Why the runs of an undecided profile do not decide. */
  private static String whyOpen(SweepState s, Standing st) {
    Interval interval = st.verdict().interval();
    String runs =
        st.confirmation().filter(c -> !c.complete()).isPresent()
            ? "%d of %d fresh runs are made"
                .formatted(st.confirmation().get().runs(), st.confirmation().get().planned())
            : st.estimate().runs() == 1
                ? "a single run decides nothing"
                : !Double.isFinite(interval.low())
                    ? "its runs are too few for an interval"
                    : interval.contains(0)
                        ? "its interval includes 0, so it may gain or lose"
                        : "only fresh runs beside the baseline confirm a gain";
    return runs + (s.isFinished() ? "; " + whyNoMore(s) : "");
  }

  /** Why an ended sweep made no further run of an undecided profile. */
  private static String whyNoMore(SweepState s) {
    return ShortBudget.of(s).isPresent()
        ? "the budget ended before more could be made"
        : Standings.winner(s).isPresent()
            ? "the search ended with its winner"
            : "no further run was likely to make a winner of it";
  }

  /** What a person can do about a profile; empty where nothing is left to do. */
  private static Optional<String> next(SweepState s, String profile, boolean isUndecided) {
    Optional<String> todo =
        Conclusion.implausible(s).contains(profile)
            ? Optional.of(afterImplausible(s, profile))
            : hasFailed(s, profile)
                ? Optional.of(afterFailure(s, profile))
                : isUndecided ? Optional.of(afterUndecided(s)) : Optional.empty();
    return todo.map(what -> "next      " + what);
  }

  private static String afterUndecided(SweepState s) {
    return s.isFinished()
        ? ShortBudget.of(s)
            .map(b -> "start again with 'budget: " + b.enough() + "': further runs would decide")
            .orElse(
                Standings.winner(s).isPresent()
                    ? "start again with fewer profiles beside it: further runs would decide"
                    : "nothing; a sweep of it alone would show its gain more exactly")
        : "the sweep runs it again if that may decide";
  }

  private static String afterFailure(SweepState s, String profile) {
    return "fix what its log shows; then "
        + (s.isFinished() ? "start again" : "try it again: " + addedAgain(s, profile));
  }

  /** Whether the profile left the sweep, or its latest trial ended, because its jobs failed. */
  private static boolean hasFailed(SweepState s, String profile) {
    return !profile.equals(Profile.BASELINE)
        && (why(s, profile).filter(Cause.FailedAs.class::isInstance).isPresent()
            || s.trials().values().stream()
                .filter(t -> t.trial().profile().equals(profile) && !t.isOpen())
                .reduce((earlier, later) -> later)
                .flatMap(TrialState::disposition)
                .filter(Disposition.Failed.class::isInstance)
                .isPresent());
  }

  private static String afterImplausible(SweepState s, String profile) {
    String anew = "raise policy.plausibleGain and measure it anew";
    return "look at its log; if the program did its work, "
        + (s.isFinished()
            ? anew
            : "take it back while the sweep runs: "
                + addedAgain(s, profile)
                + "; after it, "
                + anew);
  }

  private static String addedAgain(SweepState s, String profile) {
    return "nightsweep add " + Shell.quote(AddedProfiles.line(again(profile), s.profile(profile)));
  }

  /** A name for adding the profile again, without '+' and within the length limit. */
  private static String again(String profile) {
    return profile.replace('+', '-').substring(0, Math.min(profile.length(), LONGEST_BEFORE_AGAIN))
        + "-again";
  }

  /** The profile's latest attempt that failed. */
  public static Optional<AttemptState> lastFailed(SweepState s, String profile) {
    return s.attempts()
        .filter(a -> s.trialOf(a.id()).profile().equals(profile))
        .filter(a -> !a.isCancelled() && failure(a).isPresent())
        .reduce((earlier, later) -> later);
  }

  private static Optional<String> failure(AttemptState a) {
    return a.failure()
        .map(
            why ->
                "failed    %s as %s: %s"
                    .formatted(a.id(), why.failureClass(), Phrases.EN.text(why.detail())));
  }

  /**
   * The verdict with its figures for a profile of the sweep.
   *
   * @param board of {@code s}
   */
  public static String sentence(SweepState s, Leaderboard board, String profile, Phrases t) {
    if (profile.equals(Profile.BASELINE)) {
      return t.text(
          "outcome.baseline",
          Figures.value(CountedRuns.on(s, s.spec().primaryTag().name()).mean(profile)),
          s.spec().metric().unit());
    }
    Optional<Standing> standing = board.of(profile);
    if (standing.isPresent() && hasMovedSince(s, standing.get())) {
      Standing st = standing.get();
      return t.text("outcome.now", words(st, t), st.estimate().runs(), inShort(s, st, t));
    }
    Optional<String> left = left(s, profile, "outcome.left", t);
    if (left.isPresent()) {
      // The reason why an undecided or unsafe profile left contains all its results.
      return standing
          .filter(
              st ->
                  !(st.verdict() instanceof Verdict.Undecided)
                      && !(st.verdict() instanceof Verdict.Unsafe))
          .map(st -> t.text("outcome.before", left.get(), words(st, t)))
          .orElse(left.get());
    }
    return standing
        .map(st -> words(st, t))
        .orElseGet(() -> t.text(s.isFinished() ? "outcome.never" : "outcome.nothing"));
  }

  /**
   * The verdict in the form used beside its figures; for a profile that left the sweep, the reason.
   */
  public static String inShort(SweepState s, Standing st, Phrases t) {
    return left(s, st.profile(), hasMovedSince(s, st) ? "outcome.left-then" : "outcome.left", t)
        .orElseGet(() -> Figures.phrase(s, st, t));
  }

  private static Optional<String> left(SweepState s, String profile, String key, Phrases t) {
    return why(s, profile).map(why -> t.text(key, Causes.text(why, t)));
  }

  private static Optional<Cause> why(SweepState s, String profile) {
    return Optional.ofNullable(s.dropped().get(profile)).map(Event.ProfileDropped::why);
  }

  /**
   * Whether the profile was dropped on figures that have changed: runs that were under way have
   * ended since, or more baseline runs have shown the night's drift.
   */
  private static boolean hasMovedSince(SweepState s, Standing st) {
    return why(s, st.profile())
        .filter(Cause.RacedOut.class::isInstance)
        .map(Cause.RacedOut.class::cast)
        .filter(
            then ->
                then.runs() != st.estimate().runs()
                    || !Figures.signed(then.percent(), 2)
                        .equals(
                            Figures.signed(Interval.percent(Standings.publishedLogGain(st)), 2)))
        .isPresent();
  }

  private static String words(Standing st, Phrases t) {
    String gain = Figures.percent(Standings.publishedLogGain(st));
    String interval = Figures.inASentence(st.verdict().interval(), t);
    return switch (st.verdict()) {
      case Verdict.Win win -> t.text("outcome.win", gain, interval, win.runs());
      case Verdict.Loss loss -> t.text("outcome.loss", gain, interval);
      case Verdict.Neutral neutral -> t.text("outcome.neutral", gain, interval);
      case Verdict.Undecided undecided -> t.text("outcome.undecided", gain, interval);
      case Verdict.Unsafe unsafe -> t.text("outcome.unsafe", Causes.text(unsafe.why(), t));
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
