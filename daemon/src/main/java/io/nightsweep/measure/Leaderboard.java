package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All profiles of one config tag that have run, the best guess first. Neither a single run nor runs
 * that may all be stragglers get an interval. All intervals and verdicts together err with at most
 * the policy's family-wise error, no matter how often the board is computed. A fifth of it covers
 * screening results of all profiles (confidence sequences, Bonferroni over profiles); the rest
 * covers the fresh runs of confirmed profiles.
 *
 * @param standings by posterior gain, descending; those that compute something else stand last
 * @param confirmations in the order in which they were planned
 * @param noise of the runs
 * @param policy the policy used for the verdicts
 */
public record Leaderboard(
    List<Standing> standings, List<Confirmation> confirmations, Noise noise, RacingPolicy policy) {

  private static final int FEWEST_RUNS = 2;

  /**
   * In published results, stacks gained as much as their best part plus a tenth of the other parts'
   * gains.
   */
  private static final double OF_THE_OTHERS = 0.1;

  public Leaderboard {
    standings = List.copyOf(standings);
    confirmations = List.copyOf(confirmations);
  }

  /**
   * Judges every profile.
   *
   * @param plans the confirmations so far, in the order in which they were made
   * @param unsafe profiles whose loss departs from the baseline's, with the reason
   * @param parts of each stack, by name
   */
  public static Leaderboard of(
      Comparison comparison,
      List<ConfirmationPlan> plans,
      Map<String, Cause.OtherResult> unsafe,
      Map<String, List<String>> parts,
      RacingPolicy policy) {
    List<Confirmation> confirmations =
        Confirmation.all(
            comparison, plans, policy.confirmationError(), policy.maxConfirmationRuns());
    Map<String, Standing> singles = new HashMap<>();
    List<Standing> standings = new ArrayList<>();
    comparison.estimates().keySet().stream()
        .sorted(Comparator.comparing(parts::containsKey))
        .forEach(
            profile -> {
              double expected =
                  expected(
                      parts.getOrDefault(profile, List.of()).stream()
                          .flatMap(part -> Stream.ofNullable(singles.get(part)))
                          .mapToDouble(Standing::posteriorLogGain)
                          .toArray());
              Standing standing =
                  standing(profile, expected, comparison, confirmations, unsafe, policy);
              singles.put(profile, standing);
              standings.add(standing);
            });
    standings.sort(
        Comparator.comparing((Standing standing) -> standing.verdict() instanceof Verdict.Unsafe)
            .thenComparing(Comparator.comparingDouble(Standing::posteriorLogGain).reversed())
            .thenComparing(Standing::profile));
    return new Leaderboard(standings, confirmations, comparison.noise(), policy);
  }

  private static Standing standing(
      String profile,
      double expected,
      Comparison comparison,
      List<Confirmation> confirmations,
      Map<String, Cause.OtherResult> unsafe,
      RacingPolicy policy) {
    Estimate estimate = comparison.estimate(profile).orElseThrow();
    Optional<Confirmation> fresh =
        confirmations.stream().filter(c -> c.profile().equals(profile)).findFirst();
    Verdict verdict = verdict(profile, comparison, fresh, policy);
    Prior.Posterior posterior = posterior(estimate, expected, comparison.noise(), policy);
    return new Standing(
        profile,
        Optional.ofNullable(unsafe.get(profile))
            .<Verdict>map(why -> new Verdict.Unsafe(why, verdict.interval(), verdict.runs()))
            .orElse(verdict),
        estimate,
        expected,
        posterior.mean(),
        posterior.probabilityAtLeast(policy.worthwhileLogGain()),
        posterior.probabilityAtLeast(policy.worthwhileLogGain() / 2),
        fresh);
  }

  /**
   * The gain expected before any run: 0 for a single profile; for a stack, derived from its parts'
   * results so far.
   */
  private static double expected(double[] parts) {
    double best = Arrays.stream(parts).max().orElse(0);
    return best
        + OF_THE_OTHERS * (Arrays.stream(parts).filter(p -> p > 0).sum() - Math.max(0, best));
  }

  private static Prior.Posterior posterior(
      Estimate estimate, double expected, Noise noise, RacingPolicy policy) {
    return policy
        .prior()
        .after(expected, estimate.logGain(), standardError(estimate, noise, policy));
  }

  private static double standardError(Estimate estimate, Noise noise, RacingPolicy policy) {
    return noise.planning(policy.expectedNoise()) * Math.sqrt(estimate.variancePerRunVariance());
  }

  public Optional<Standing> of(String profile) {
    return standings.stream().filter(standing -> standing.profile().equals(profile)).findFirst();
  }

  /** Whether a gain of this size would lie two standard errors above zero. */
  public boolean wouldShow(Standing standing, double logGain) {
    return 2 * standardError(standing.estimate(), noise, policy) <= logGain;
  }

  /** The chance that a profile's gain is at least this large, given its runs. */
  public double probabilityAtLeast(Standing standing, double logGain) {
    return posterior(standing.estimate(), standing.expectedLogGain(), noise, policy)
        .probabilityAtLeast(logGain);
  }

  /** The expected gain of a profile beyond this log-gain, given its runs. */
  public double expectedAbove(Standing standing, double logGain) {
    return posterior(standing.estimate(), standing.expectedLogGain(), noise, policy)
        .expectedAbove(logGain);
  }

  private static Verdict verdict(
      String profile, Comparison comparison, Optional<Confirmation> fresh, RacingPolicy policy) {
    if (fresh.filter(Confirmation::complete).isPresent()) {
      Confirmation confirmation = fresh.get();
      return verdict(confirmation.interval(), confirmation.runs(), policy, true);
    }
    Estimate estimate = comparison.estimate(profile).orElseThrow();
    if (comparison.mayAllStraggle(profile, policy.screeningError())) {
      return new Verdict.Undecided(Interval.UNKNOWN, estimate.runs());
    }
    Interval interval =
        Interval.around(
            estimate.logGain(),
            estimate.standardError()
                * ConfidenceSequence.standardErrors(
                    policy.screeningError(),
                    estimate.variancePerRunVariance(),
                    comparison.noise().degreesOfFreedom()));
    return verdict(interval, estimate.runs(), policy, false);
  }

  private static Verdict verdict(
      Interval interval, int runs, RacingPolicy policy, boolean confirmed) {
    double margin = Math.log1p(policy.equivalenceMargin());
    if (runs < FEWEST_RUNS) {
      // A single run may be a straggler and shows no spread of its own, so its interval would not
      // hold.
      return new Verdict.Undecided(Interval.UNKNOWN, runs);
    }
    if (interval.low() >= -margin && interval.high() <= margin) {
      return new Verdict.Neutral(interval, runs, policy.equivalenceMargin());
    }
    if (interval.high() < 0) {
      return new Verdict.Loss(interval, runs);
    }
    return confirmed && interval.low() > 0
        ? new Verdict.Win(interval, runs)
        : new Verdict.Undecided(interval, runs);
  }
}
