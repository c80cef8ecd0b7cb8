package io.nightsweep.conductor;

import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Decides which of several sweeps may use the nodes and budget that they share for a night. A turn
 * is one round: what a sweep plans at once, such as a wave of candidates, a block of the race or
 * the fresh runs up to a look, until its last job has ended. The turn then goes to the sweep with
 * the greatest expected gain per further node-hour, with its part of what is left of the night.
 * This choice only decides where runs are spent, not the result of any profile, so it keeps the
 * statistics valid.
 */
public final class Turns {
  /** A job without a reported time counts as one second. */
  private static final double LEAST_HOURS = 1.0 / 3600;

  private Turns() {}

  /**
   * @param from the sweep that had the turn; empty if none had it or the same sweep goes on
   */
  public record Next(Optional<String> from, String to, Event.TurnTaken taken) {}

  /** Whether the sweep may send jobs to its nodes. */
  static boolean hasTurn(SweepState s) {
    return s.night().map(SharedNight::hasTurn).orElse(true);
  }

  /** Whether the sweep may begin a round: each turn has one. */
  static boolean mayBegin(SweepState s) {
    return s.night().map(n -> n.hasTurn() && n.workBefore() == s.work()).orElse(true);
  }

  /**
   * What a sweep may still achieve.
   *
   * @param logGain its expected gain
   * @param nodeHours that its plan needs
   */
  private record NodeClaim(SweepState of, double logGain, double nodeHours) {
    static NodeClaim of(SweepState s, Instant now) {
      View view = new View(s, now, new BoardMemo());
      return new NodeClaim(s, expected(view), hours(view, view.allowance().needed()));
    }

    double percentByNodeHour() {
      return 100 * logGain / nodeHours;
    }
  }

  /**
   * The sweep that takes the turn now; empty if the turn stays as it is.
   *
   * @param night all sweeps of one night, including finished ones
   */
  public static Optional<Next> next(List<SweepState> night, Instant now) {
    Optional<SweepState> holder =
        night.stream().filter(s -> !s.isFinished() && hasTurn(s)).findFirst();
    if (holder.isPresent() && !isResting(holder.get(), now)) {
      return Optional.empty();
    }
    List<NodeClaim> claims =
        night.stream().filter(s -> !s.isFinished()).map(s -> NodeClaim.of(s, now)).toList();
    List<NodeClaim> useful =
        claims.stream().filter(c -> hasUse(c.of(), share(c, claims, night, now), now)).toList();
    TreeMap<String, Double> expected = new TreeMap<>();
    useful.forEach(c -> expected.put(c.of().sweep(), c.percentByNodeHour()));
    return useful.stream()
        .max(
            Comparator.comparingDouble(NodeClaim::percentByNodeHour)
                .thenComparing(c -> c.of().jobsTaken(), Comparator.reverseOrder())
                .thenComparing(c -> c.of().sweep(), Comparator.reverseOrder()))
        .map(
            to ->
                new Next(
                    holder.map(SweepState::sweep).filter(from -> !from.equals(to.of().sweep())),
                    to.of().sweep(),
                    new Event.TurnTaken(share(to, claims, night, now), expected)));
  }

  /**
   * Whether no job or remedy of the sweep is on the nodes or will be before its next round. A
   * remedy of a paused or halted sweep takes no further step until the sweep is resumed and has the
   * turn again.
   */
  private static boolean isResting(SweepState s, Instant now) {
    return s.inFlight().isEmpty()
        && !Remedies.isAnyStepUnderWay(s)
        && (!Trials.isRunning(s)
            || (!Remedies.isAnyUnderWay(s)
                && Fit.deciding(new View(s, now, new BoardMemo())).isEmpty()));
  }

  /** Whether the sweep would do anything with the turn. */
  private static boolean hasUse(SweepState s, Budget share, Instant now) {
    return s.phase() instanceof Phase.Running
        && !Conductor.decide(
                s.apply(new Entry(s.seq() + 1, now, new Event.TurnTaken(share, new TreeMap<>()))),
                now)
            .isEmpty();
  }

  /** What the sweep has used, plus its part of what is left of the night. */
  private static Budget share(
      NodeClaim to, List<NodeClaim> claims, List<SweepState> night, Instant now) {
    SweepState s = to.of();
    Optional<Double> jobs =
        left(night, b -> b.jobs().map(Integer::doubleValue), SweepState::jobsTaken);
    Optional<Instant> end = end(night);
    Optional<Double> nodeHours =
        Stream.of(
                left(night, Budget::nodeHours, n -> Hours.of(n.nodeTime(now))),
                end.map(e -> Math.max(0, Hours.of(Duration.between(now, e))) * nodes(s)))
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    View view = new View(s, now, new BoardMemo());
    double all =
        Stream.concat(nodeHours.stream(), jobs.map(left -> hours(view, left)).stream())
            .min(Comparator.naturalOrder())
            .orElse(Double.MAX_VALUE);
    double part = part(to, claims, all);
    return new Budget(
        jobs.map(left -> s.jobsTaken() + (int) Math.round(part * left)),
        Optional.empty(),
        end,
        nodeHours.map(left -> Hours.of(s.nodeTime(now)) + part * left));
  }

  /**
   * The sweep's part of the remaining node-hours: all that the others do not need or, if that is
   * less, a part in proportion to its expected gain.
   */
  private static double part(NodeClaim to, List<NodeClaim> claims, double nodeHours) {
    double asked = claims.stream().mapToDouble(NodeClaim::nodeHours).sum();
    double logGain = claims.stream().mapToDouble(NodeClaim::logGain).sum();
    double free = nodeHours > 0 ? 1 - (asked - to.nodeHours()) / nodeHours : 0;
    double expected = logGain > 0 ? to.logGain() / logGain : to.nodeHours() / asked;
    return Math.max(free, expected);
  }

  private static double hours(View view, double jobs) {
    Duration job =
        view.typicalJob().orElseGet(() -> view.state().spec().policy().jobBeforeAnyWasTimed());
    return jobs * nodes(view.state()) * Math.max(LEAST_HOURS, Hours.of(job));
  }

  private static int nodes(SweepState s) {
    return s.cell().nodes().size();
  }

  /** What is left of a limit: the sum that the sweeps were given, less what all have used. */
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

  /**
   * Durations add up, since the sweeps run one after the other; an absolute time applies to all.
   */
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

  /**
   * The expected further log-gain: what the best contender and the profiles that have not run may
   * gain beyond the winner, plus the winner's own gain if it still needs cross-checks.
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
        .filter(WaveState::isUnfinished)
        .map(w -> w.wave().kind())
        .anyMatch(kind -> kind == Wave.Kind.CROSS_CHECK || kind == Wave.Kind.WINNER_EVIDENCE);
  }
}
