package io.nightsweep.conductor;

import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whose turn it is where several sweeps share their nodes and their budget for a night. A turn is
 * one round: what a sweep plans at once, such as a wave of candidates, a block of the race or the
 * fresh runs up to a look, until its last job has ended. Then the turn goes to the sweep that may
 * be expected to gain most by a further node-hour, which may spend all that the night has left. The
 * choice says where runs are spent and nothing of any profile, so that it costs no validity.
 */
public final class Turns {
  private Turns() {}

  /**
   * @param from the sweep that had the turn; empty where none had, and where it goes on
   */
  public record Next(Optional<String> from, String to, Event.TurnTaken taken) {}

  /** Whether the sweep may send jobs to its nodes. */
  static boolean hasTurn(SweepState s) {
    return s.night().map(SharedNight::hasTurn).orElse(true);
  }

  /** Whether it may begin a round: of each turn there is one. */
  static boolean mayBegin(SweepState s) {
    return s.night().map(n -> n.hasTurn() && n.workBefore() == s.work()).orElse(true);
  }

  /**
   * Who takes the turn now; empty where it stays as it is.
   *
   * @param night all sweeps of one night, those that have finished included
   */
  public static Optional<Next> next(List<SweepState> night, Instant now) {
    Optional<SweepState> holder =
        night.stream().filter(s -> !s.isFinished() && hasTurn(s)).findFirst();
    if (holder.isPresent() && !isResting(holder.get(), now)) {
      return Optional.empty();
    }
    SortedMap<String, Double> expected = new TreeMap<>();
    night.stream()
        .filter(s -> hasUse(s, share(s, night, now), now))
        .forEach(s -> expected.put(s.sweep(), percentByNodeHour(new View(s, now, new BoardMemo()))));
    return night.stream()
        .filter(s -> expected.containsKey(s.sweep()))
        .max(
            Comparator.comparing((SweepState s) -> expected.getOrDefault(s.sweep(), 0.0))
                .thenComparing(SweepState::jobsTaken, Comparator.reverseOrder())
                .thenComparing(SweepState::sweep, Comparator.reverseOrder()))
        .map(
            to ->
                new Next(
                    holder.map(SweepState::sweep).filter(from -> !from.equals(to.sweep())),
                    to.sweep(),
                    new Event.TurnTaken(share(to, night, now), expected)));
  }

  /** Whether no job of the sweep is on the nodes, or will be before its next round. */
  private static boolean isResting(SweepState s, Instant now) {
    return s.inFlight().isEmpty()
        && !Remedies.isAnyUnderWay(s)
        && (!Trials.isRunning(s) || Fit.deciding(new View(s, now, new BoardMemo())).isEmpty());
  }

  /** Whether the sweep would do anything with the turn. */
  private static boolean hasUse(SweepState s, Budget share, Instant now) {
    return s.phase() instanceof Phase.Running
        && !Conductor.decide(
                s.apply(
                    new Entry(s.seq() + 1, now, new Event.TurnTaken(share, new TreeMap<>()))),
                now)
            .isEmpty();
  }

  /** What the sweep has taken, and all that the night has left of what its sweeps were given. */
  private static Budget share(SweepState s, List<SweepState> night, Instant now) {
    double hours = s.nodeTime(now).toMillis() / 3.6e6;
    return new Budget(
        left(night, b -> b.jobs().map(Integer::doubleValue), SweepState::jobsTaken)
            .map(left -> s.jobsTaken() + left.intValue()),
        Optional.empty(),
        end(night),
        left(night, Budget::nodeHours, n -> n.nodeTime(now).toMillis() / 3.6e6)
            .map(left -> hours + left));
  }

  /** Of a limit, the sum of what the sweeps were given less what all have taken. */
  private static Optional<Double> left(
      List<SweepState> night,
      Function<Budget, Optional<Double>> limit,
      Function<SweepState, ? extends Number> taken) {
    List<Double> given =
        night.stream().flatMap(s -> limit.apply(s.spec().budget()).stream()).toList();
    double all = given.stream().mapToDouble(Double::doubleValue).sum();
    double gone = night.stream().mapToDouble(s -> taken.apply(s).doubleValue()).sum();
    return given.isEmpty() ? Optional.empty() : Optional.of(Math.max(0, all - gone));
  }

  /** Durations add up, since the sweeps run one after the other; a moment is one for all. */
  private static Optional<Instant> end(List<SweepState> night) {
    Optional<Instant> start =
        night.stream().flatMap(s -> s.startedAt().stream()).min(Comparator.naturalOrder());
    Optional<Duration> hours =
        night.stream().flatMap(s -> s.spec().budget().duration().stream()).reduce(Duration::plus);
    Optional<Instant> until =
        night.stream()
            .flatMap(s -> s.spec().budget().until().stream())
            .max(Comparator.naturalOrder());
    return Stream.of(start.flatMap(from -> hours.map(from::plus)), until)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  /** The gain, in percent, that a further node-hour of the sweep may be expected to bring. */
  private static double percentByNodeHour(View view) {
    SweepState s = view.state();
    Duration job =
        view.typicalJob().orElseGet(() -> s.spec().policy().jobBeforeAnyWasTimed());
    double nodeHours =
        view.allowance().needed() * s.cell().nodes().size() * job.toMillis() / 3.6e6;
    return 100 * expected(view) / nodeHours;
  }

  /**
   * The log-gain that is still to be had: of the best contender or of those that have not run,
   * beyond the winner where there is one; of a winner that is still to be looked at elsewhere, its
   * own.
   */
  private static double expected(View view) {
    SweepState s = view.state();
    Optional<Standing> winner = Standings.winner(s, view.board());
    double toCheck =
        winner.isPresent() && isLookedAtLater(s) ? Standings.publishedLogGain(winner.get()) : 0;
    if (Search.isTargetMet(view) || Search.hopeless(view).isPresent()) {
      return toCheck;
    }
    double beyond =
        winner.map(Standings::publishedLogGain).orElse(0.0)
            + Math.log1p(s.spec().policy().equivalenceMargin());
    double ofContenders =
        Search.contenders(view).stream()
            .filter(st -> Search.isWorthARun(s, st))
            .mapToDouble(st -> view.board().expectedAbove(st, beyond))
            .max()
            .orElse(0);
    return toCheck
        + ofContenders
        + Search.untestedLeft(s) * Standings.policy(s).expectedAbove(beyond);
  }

  private static boolean isLookedAtLater(SweepState s) {
    return s.waves().stream()
        .filter(w -> w.isPending() || w.isOpen())
        .map(w -> w.wave().kind())
        .anyMatch(
            kind -> kind == Wave.Kind.CROSS_CHECK || kind == Wave.Kind.WINNER_EVIDENCE);
  }
}
